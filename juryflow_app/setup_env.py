"""Makes .venv ready for every `make` target: standard library only, run by the system's Python."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "juryflow-setup.sha256"
LOG = VENV / "juryflow-setup.log"
PIP_OPTIONS = ("--disable-pip-version-check", "--progress-bar=off")
WIDTH = 60
SECONDS_BETWEEN_LINES = 15.0
FIRST_START = "first start takes 1 to 3 minutes (downloads {size})"
SIZE_OF_CPU_BUILD = "0.5 GB"
SIZE_OF_DEFAULT = "up to 3 GB, 2.7 of them torch for NVIDIA cards: README, TORCH_INDEX"


class SetupError(Exception):
    """The environment cannot be made; the message is a sentence that says what to do."""


def requirements(pyproject: str) -> list[str]:
    """Return what pyproject.toml asks for: to run, and to develop."""
    import tomllib  # absent before Python 3.11, which `newer_python` has ruled out by then

    project = tomllib.loads(pyproject)["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["dev"]]


def fingerprint(*, root: Path, torch_index: str) -> str:
    """Return a hash of everything that decides what is in the environment."""
    parts = [(root / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts += [sys.version.encode(), torch_index.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def pinned(constraints: str) -> list[str]:
    """Return the lines of constraints.txt that pin a package."""
    lines = (line.strip() for line in constraints.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def newer_python() -> str:
    """Return the path of a Python that is new enough, beside the one that runs this.

    Raises SetupError where none is installed.
    """
    for minor in range(OLDEST[1], OLDEST[1] + 4):
        if found := shutil.which(f"python3.{minor}"):
            return found
    have = ".".join(str(part) for part in sys.version_info[:2])
    raise SetupError(
        f"JuryFlow needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and python3 is {have}. "
        "Install one (Debian, Ubuntu: sudo apt install python3.11 python3.11-venv) and run make again, "
        "or name yours: make run PYTHON=/path/to/python3.11"
    )


def make_venv() -> None:
    """Create .venv unless a working one is there."""
    if _works(VENV / "bin" / "python"):
        return
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise SetupError(
            f"Python cannot make a virtual environment here. On Debian and Ubuntu: sudo apt install {package} "
            f"(or python3-venv), then run make again. Python said: {(done.stdout + done.stderr).strip()[-300:]}"
        )


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    done = subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True, check=False)  # noqa: S603
    return done.returncode == 0


@dataclass
class Progress:
    """One line that shows how far an installation is: rewritten on a terminal, repeated now and then elsewhere."""

    title: str
    total: int
    out: IO[str]
    site_packages: Path
    started: float = field(default_factory=time.monotonic)
    collected: set[str] = field(default_factory=set)
    word: str = "starting"
    shown_at: float = -SECONDS_BETWEEN_LINES

    def read(self, line: str) -> None:
        """Take one line of pip's output into account."""
        if match := re.match(r"\s*(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)", line):
            self.collected.add(re.sub(r"[-_.]+", "-", match[1]).lower())
            self.word = f"collected {min(len(self.collected), self.total)} of {self.total}"
        elif match := re.match(r"\s*Downloading (\S+?)-\d\S* \(([\d.]+ [kMG]B)\)", line):
            self.word = f"downloading {match[1]} ({match[2]})"
        elif line.startswith("Installing collected packages"):
            self.word = "installing"

    def show(self) -> None:
        """Print the state, if it is time to."""
        now = time.monotonic()
        if not self.out.isatty() and now - self.shown_at < SECONDS_BETWEEN_LINES:
            return
        self.shown_at = now
        word = self.word
        if word == "installing":
            word = (
                f"installed {min(sum(1 for _ in self.site_packages.glob('*.dist-info')), self.total)} of {self.total}"
            )
        self._write(f"{word}   {clock(now - self.started)}", is_last=False)

    def end(self, word: str) -> None:
        """Print the last state, with the time it took."""
        self._write(f"{word}   {clock(time.monotonic() - self.started)}", is_last=True)

    def _write(self, text: str, *, is_last: bool) -> None:
        line = f"{self.title} ".ljust(WIDTH, ".") + f" {text}"
        is_terminal = self.out.isatty()
        self.out.write(f"\r\033[K{line}" if is_terminal else line)
        self.out.write("\n" if is_last or not is_terminal else "")
        self.out.flush()


def clock(seconds: float) -> str:
    """Return minutes and seconds as 1:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def output_lines(stream: IO[bytes], every: float) -> Iterator[str | None]:
    """Yield the lines of a pipe as they come, and None whenever none has come for `every` seconds."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        rest = b""
        while True:
            if not selector.select(every):
                yield None
                continue
            chunk = os.read(stream.fileno(), 65536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode(errors="replace") for line in lines)


def pip_install(arguments: Sequence[str], progress: Progress) -> None:
    """Run pip with its progress shown and its output kept in a log.

    Raises SetupError with pip's last lines where it fails.
    """
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", *PIP_OPTIONS]
    lines: list[str] = []
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as pip:  # noqa: S603
        for line in output_lines(pip.stdout, every=1.0) if pip.stdout else ():
            if line is not None:
                lines.append(line)
                progress.read(line)
            progress.show()
    with LOG.open("a", encoding="utf-8") as log:
        log.write("\n".join(lines) + "\n")
    if pip.returncode:
        progress.end("failed")
        tail = "\n".join(lines[-12:])
        raise SetupError(
            f"The packages could not be installed; pip's whole output is in {LOG}. What is there already is kept: "
            f"run make again when the cause below is gone (often no network or a full disk).\n{tail}"
        )


def install(*, torch_index: str, out: IO[str]) -> None:
    """Install torch first, from its own index if one is named, then everything else as constrained."""
    pins = pinned((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    site_packages = next((VENV / "lib").glob("python3*")) / "site-packages"
    progress = Progress(f"  2/5 Packages (lock file, {len(pins)})", len(pins), out, site_packages)
    torch = next(pin for pin in pins if pin.startswith("torch=="))
    index = ["--index-url", torch_index] if torch_index else []
    pip_install([torch, "--no-deps", *index], progress)
    wanted = requirements((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pip_install(["--prefer-binary", "-c", str(ROOT / "constraints.txt"), *wanted], progress)
    progress.end(f"{len(pins)} of {len(pins)}")


def prepare(*, torch_index: str, out: IO[str]) -> bool:
    """Make the environment ready; return whether anything had to be done. Raises SetupError."""
    wanted = fingerprint(root=ROOT, torch_index=torch_index)
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == wanted and (VENV / "bin" / "python").exists():
        return False
    size = SIZE_OF_CPU_BUILD if torch_index else SIZE_OF_DEFAULT
    out.write(f"JuryFlow 0.1  -  {FIRST_START.format(size=size)}\n")
    version = ".".join(str(part) for part in sys.version_info[:2])
    out.write(f"  1/5 Python {version} found ".ljust(WIDTH, ".") + " ok\n")
    out.flush()
    make_venv()
    install(torch_index=torch_index, out=out)
    STAMP.write_text(wanted, encoding="utf-8")
    return True


def main() -> int:
    """Prepare the environment, or hand over to a newer Python first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torch-index", default="", help="package index to take torch from")
    parser.add_argument("--say-ready", action="store_true", help="say so when nothing had to be done")
    options = parser.parse_args()
    try:
        if sys.version_info[:2] < OLDEST:
            newer = newer_python()
            os.execv(newer, [newer, *sys.argv])  # noqa: S606
        has_changed = prepare(torch_index=options.torch_index, out=sys.stdout)
    except SetupError as error:
        sys.stderr.write(f"! {error}\n")
        return 1
    if options.say_ready and not has_changed:
        sys.stdout.write("The environment in .venv is ready; nothing has changed.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
