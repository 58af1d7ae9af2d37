"""The environment as typed constants, and the key that is made once."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from juryflow_app import env

NAME = "JURYFLOW_TEST_VARIABLE"
MAKE_KEY = (
    "import sys; from pathlib import Path; from juryflow_app import env; print(env.secret_key(Path(sys.argv[1])))"
)


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (NAME, "SECRET_KEY", "JURYFLOW_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("value", "expected"), [(None, "other"), ("", "other"), ("  ", "other"), (" set ", "set")])
def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch, value: str | None, expected: str) -> None:
    if value is not None:
        monkeypatch.setenv(NAME, value)

    assert env.text(NAME, "other") == expected


def test_a_default_never_replaces_what_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "theirs")

    env.set_default(NAME, "ours")

    assert env.text(NAME) == "theirs"


@pytest.mark.parametrize("value", ["1", "true", "TRUE", "Yes", " on "])
def test_a_flag_is_raised_by_the_usual_words(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)

    assert env.flag(NAME)


@pytest.mark.parametrize("value", ["0", "false", "no", "off", "2", "maybe"])
def test_any_other_word_lowers_a_flag_even_against_its_default(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)

    assert not env.flag(NAME, default=True)


def test_an_unset_flag_is_its_default() -> None:
    assert [env.flag(NAME), env.flag(NAME, default=True)] == [False, True]


def test_words_are_parted_by_commas_and_empty_ones_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, " a.example , ,b.example,")

    assert env.words(NAME, ["default"]) == ["a.example", "b.example"]


def test_unset_words_are_a_copy_of_their_default() -> None:
    default = ["localhost"]

    env.words(NAME, default).append("evil.example")

    assert default == ["localhost"]


def test_the_data_folder_is_where_the_desktop_keeps_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))

    folder = env.data_dir()

    assert folder == tmp_path / "share" / "juryflow"
    assert folder.is_dir()


def test_the_data_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("JURYFLOW_DATA", str(tmp_path / "own" / "place"))

    assert env.data_dir() == tmp_path / "own" / "place"
    assert not (tmp_path / "share").exists()


def test_a_secret_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first, second = env.secret_key(tmp_path), env.secret_key(tmp_path)

    assert first == second
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]


def test_two_folders_have_two_keys(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()

    assert len({env.secret_key(folder) for folder in folders}) == 2


def test_processes_that_start_together_share_one_key(tmp_path: Path, root: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", MAKE_KEY, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    keys = {process.communicate(timeout=60)[0].strip() for process in started}

    assert keys == {(tmp_path / "secret_key").read_text(encoding="utf-8")}


def test_a_key_of_the_environment_is_taken_and_not_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_KEY", "from the environment")

    assert env.secret_key(tmp_path) == "from the environment"
    assert not list(tmp_path.iterdir())


def test_keys_are_the_filled_variables_that_end_in_api_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST_API_KEY", "sk-1")
    monkeypatch.setenv("EMPTY_API_KEY", " ")
    monkeypatch.setenv("API_KEY_OF_OTHERS", "sk-2")

    keys = env.every_key()

    assert keys["FIRST_API_KEY"] == "sk-1"
    assert not {"EMPTY_API_KEY", "API_KEY_OF_OTHERS"} & set(keys)


def test_a_data_folder_that_cannot_be_used_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("JURYFLOW_DATA", str(file / "data"))

    with pytest.raises(SystemExit, match=r"cannot be used .*JURYFLOW_DATA"):
        env.data_dir()
