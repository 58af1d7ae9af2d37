"""Released prompt files never change: a verdict refers to them by hash. Make a new version instead."""

from __future__ import annotations

import hashlib
from pathlib import Path

import evaluation.prompts

FOLDER = Path(evaluation.prompts.__file__).parent
RELEASED = {
    "decompose/v1.md": "c70ebaee6ed10e146f9e29ce937bd26fb6caff4426ab0ad5fac05e6337b2664f",
    "decompose/v2.md": "a05cee087c433f3c29a85a837dcbad64dbd3f5ba351c3f9765f06a8b41037457",
    "draft/v1.md": "184ec6d247cbd03879f053466f7dd9c6b9da1739156c3aa87ccaf5abe7d05db7",
    "draft/v2.md": "462be4512561df4074448f94b4b2fa42a992ae9ec20ae877517e3d7b95fe318f",
    "judge/v1.md": "ebafa0b41a236d2c27603a938b8de56440a7c946d8963e014c73b44332128258",
    "judge/v2.md": "f64b9638586d1bda58aa02d4c15c9da56b3b71c55d9ed74182441e6e3f608e13",
    "personas/advocate/v1.md": "64a97a2819e00d394e6e16ae7e573ef0d8cbc3b2353525f514e27d74ce8080bb",
    "personas/literal/v1.md": "2b4f7f93884dadcd511db3a77263671e424ee417f96d60ddb3ff0eaf437d4231",
    "personas/neutral/v1.md": "e91ec95c9b0d71c12cdcb339c487f0f5f3a8d9ab85ae3b9ef6e2157baacf42c8",
    "personas/practitioner/v1.md": "043d15253bbd76603fafcf4fa871d59a53d04cc5a4db82a0a2705de9479c6167",
    "personas/skeptic/v1.md": "337bcfc7e1f853853ca5c7e729c967c48307f174a64690de5b8dee1a8f470b6f",
    "review/v1.md": "dd57786495028be425c5855ea3c1b32070263eb063fd87eb3dabb6b374bae2f7",
    "review/v2.md": "f515635f5dba2c6c6b16d7b20c08666ebb6f8932aae75a5a65d8d9bffb6a5bd2",
}


def test_it_finds_every_released_file_unchanged() -> None:
    found = {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.rglob("v*.md")
    }

    assert found == RELEASED
