import json
from importlib import resources

from django.db import migrations


def add_default_prices(apps, schema_editor):
    """Add the prices that come along; `prices.seed` adds those that later versions bring."""
    price = apps.get_model("evaluation", "ModelPrice")
    listed = json.loads(resources.files("evaluation.llm").joinpath("prices.json").read_text(encoding="utf-8"))
    known = {field.name for field in price._meta.fields}
    price.objects.bulk_create(
        (
            price(model=model, **{name: value for name, value in entry.items() if name in known})
            for entry in listed
            for model in entry["models"]
        ),
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0002_judging_money'),
    ]

    operations = [
        migrations.RunPython(add_default_prices, migrations.RunPython.noop),
    ]
