"""Rules of this code base that no linter knows; each failure names the file and says what to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("juryflow_app", "annotation", "evaluation")
MAX_LINES = 300
MAX_BODY = 40
MAX_SCRIPT = 100
LEAST_TESTED = 0.9
TOP_LEVEL = {
    *("manage.py", "pyproject.toml", "constraints.txt", "Makefile", "README.md", "CHANGELOG.md", "LICENSE"),
    *(".ci", ".gitignore", "docs", "templates", "static", "tests", *PACKAGES),
}
INITS_WITH_CODE = {"evaluation/models/__init__.py", "evaluation/prompts/__init__.py"}
FORBIDDEN_ON_SCREEN = (
    *("verdict", "verdicts", "posterior", "softmax", "gold", "focal", "propagation", "flip", "re-evaluation"),
    *("reviewer", "entropy", "nats", "log-odds", "weakest link", "tau", "beta", "probability"),
)
MACHINE_PATHS = re.compile(r"(?<![\w.~])/(?:work|root|home|farm|opt|Users)/[\w.]")


def product_files() -> list[Path]:
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return sorted(file for file in files if "migrations" not in file.parts)


def python_files() -> list[Path]:
    return [ROOT / "manage.py", *product_files(), *sorted((ROOT / "tests").rglob("*.py"))]


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def templates() -> list[Path]:
    folders = [ROOT / "templates", *ROOT.glob("*/templates")]
    return sorted(file for folder in folders for file in folder.rglob("*.html"))


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    has_docstring = ast.get_docstring(function) is not None
    statements = function.body[1:] if has_docstring else function.body
    return (statements[-1].end_lineno or 0) - statements[0].lineno + 1 if statements else 0


def test_no_file_is_longer_than_300_lines() -> None:
    lengths = {name_of(file): len(file.read_text(encoding="utf-8").splitlines()) for file in python_files()}

    too_long = {name: length for name, length in lengths.items() if length > MAX_LINES}

    assert not too_long, f"split these by noun: {too_long}"


def test_no_function_body_is_longer_than_40_lines() -> None:
    too_long = [
        f"{name_of(file)}:{function.name} has {body_lines(function)} lines"
        for file in python_files()
        for function in functions(tree_of(file))
        if body_lines(function) > MAX_BODY
    ]

    assert not too_long, f"let each do one thing: {too_long}"


def test_no_script_is_longer_than_100_lines() -> None:
    lengths = {
        name_of(file): len(file.read_text(encoding="utf-8").splitlines()) for file in ROOT.glob("static/js/*.js")
    }

    too_long = {name: length for name, length in lengths.items() if length > MAX_SCRIPT}

    assert not too_long, f"one file a behaviour: {too_long}"


def test_every_module_says_in_its_docstring_what_it_is() -> None:
    silent = [
        name_of(file)
        for file in [ROOT / "manage.py", *product_files()]
        if file.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree_of(file))
    ]

    assert not silent, f"give these a one-line docstring: {silent}"


def test_every_package_init_is_empty_except_the_named_ones() -> None:
    inits = [file for file in product_files() if file.name == "__init__.py"]

    full = {name_of(file) for file in inits if file.read_text(encoding="utf-8").strip()} - INITS_WITH_CODE

    assert not full, f"importing a package must run nothing: {full}"


def test_only_env_reads_the_environment() -> None:
    readers = [
        f"{name_of(file)}:{node.lineno}"
        for file in product_files()
        if name_of(file) != "juryflow_app/env.py"
        for node in reads_of_the_environment(tree_of(file))
    ]

    assert not readers, f"add a typed constant to settings instead: {readers}"


def reads_of_the_environment(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Yield uses of os.environ and os.getenv, except naming Django's settings module."""
    allowed = {
        id(node.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "setdefault"
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == "DJANGO_SETTINGS_MODULE"
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
            and node.attr in {"environ", "getenv", "environb"}
            and id(node) not in allowed
        ):
            yield node


def test_no_function_hides_an_import_of_our_own_modules() -> None:
    hidden = [
        f"{name_of(file)}:{function.name}"
        for file in product_files()
        for function in functions(tree_of(file))
        for node in ast.walk(function)
        if is_own_import(node)
    ]

    assert not hidden, f"import at the top, or move the code to the layer it belongs to: {hidden}"


def is_own_import(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return bool(node.level) or (node.module or "").split(".")[0] in PACKAGES
    return isinstance(node, ast.Import) and any(alias.name.split(".")[0] in PACKAGES for alias in node.names)


def test_nine_modules_in_ten_have_a_test_file_of_their_name() -> None:
    modules = [file for file in product_files() if file.name != "__init__.py"]

    untested = [name_of(file) for file in modules if not has_test_file(file)]

    share = 1 - len(untested) / len(modules)
    assert share >= LEAST_TESTED, f"only {share:.0%} have one; these have none: {untested}"


def has_test_file(file: Path) -> bool:
    """Look for tests/<same folder>/test_<name>*.py, or a story of that name in tests/flows."""
    folder = ROOT / "tests" / file.relative_to(ROOT).parent
    pattern = f"test_{file.stem.lstrip('_')}*.py"
    return any(folder.glob(pattern)) or any((ROOT / "tests" / "flows").glob(pattern))


@pytest.mark.parametrize("file", documents(), ids=name_of)
def test_documents_name_no_path_of_a_machine(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    found = MACHINE_PATHS.findall(text)

    assert not found


def test_code_names_no_path_of_a_machine() -> None:
    files = [*python_files(), *templates(), ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / ".ci" / "run"]

    named = [name_of(file) for file in files if MACHINE_PATHS.search(file.read_text(encoding="utf-8"))]

    assert not named


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{name_of(file)} -> {target}"
        for file in documents()
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", file.read_text(encoding="utf-8"))
        if not (file.parent / target).exists()
    ]

    assert not broken


@pytest.mark.parametrize("file", templates(), ids=name_of)
def test_pages_show_none_of_the_internal_words(file: Path) -> None:
    shown = words_on_screen(file.read_text(encoding="utf-8"))

    found = [word for word in FORBIDDEN_ON_SCREEN if re.search(rf"\b{re.escape(word)}\b", shown, re.IGNORECASE)]

    assert not found, "use the words that people see"


def words_on_screen(template: str) -> str:
    """Return a template's text without tags and code (names of fields in files), and the attributes people meet."""
    bare = re.sub(r"\{#.*?#\}|\{%\s*comment.*?endcomment\s*%\}|\{\{.*?\}\}|\{%.*?%\}", " ", template, flags=re.DOTALL)
    bare = re.sub(r"<(script|style|code|pre)\b.*?</\1>", " ", bare, flags=re.DOTALL)
    attributes = re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]*)"', bare)
    return " ".join([re.sub(r"<[^>]*>", " ", bare), *attributes])


def test_words_on_screen_leaves_out_tags_and_keeps_labels() -> None:
    shown = words_on_screen('<p class="posterior" title="One split">{{ entropy }} {% if flip %}Votes{% endif %}</p>')

    assert shown.split() == ["Votes", "One", "split"]


def test_the_top_level_holds_only_what_is_given() -> None:
    ignored = {line.strip().strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}

    extra = {path.name for path in ROOT.iterdir()} - TOP_LEVEL - ignored - {".git"}

    assert not {name for name in extra if not any(Path(name).match(pattern) for pattern in ignored)}
