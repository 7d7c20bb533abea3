"""Wheels: where they are cached and how they are fetched by exact version.

Nothing here runs code of a wheel; it is opened as a zip archive and read as text.
"""
from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

# One release before and one after every change of meaning that the project knows of, and the
# newest. Ordered from new to old: each table is stored as a patch on the one before it.
TRANSFORMERS = ("5.24.0", "5.17.0", "5.10.4", "5.3.0", "5.0.0", "4.57.6", "4.48.0", "4.47.1",
                "4.39.3", "4.38.2")
PORTS = {"mlx-lm": "0.32.2", "mlx-vlm": "0.7.10", "mlx-audio": "0.6.2"}


class WheelMissing(Exception):
    """The wheel is not in the cache and fetching was not asked for."""


def cache_dir() -> Path:
    """$GELINT_WHEEL_CACHE, or ~/.cache/gelint/wheels."""
    given = os.environ.get("GELINT_WHEEL_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "gelint" / "wheels"


def find(package: str, version: str) -> Path | None:
    """The cached wheel of exactly that version, or None."""
    stem = f"{package.replace('-', '_')}-{version}-"
    for path in sorted(cache_dir().glob(f"{stem}*.whl")):
        return path
    return None


def fetch(package: str, version: str) -> Path:
    """Download the pure-Python wheel with pip (no dependencies) unless it is cached."""
    found = find(package, version)
    if found:
        return found
    cache_dir().mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                    "--only-binary=:all:", "--dest", str(cache_dir()), f"{package}=={version}"],
                   check=True)
    found = find(package, version)
    if not found:
        raise WheelMissing(f"{package} {version}: pip stored no wheel of that name")
    return found


class Wheel:
    """Text files of a wheel (or of an unpacked folder, which the tests use)."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self._zip = None if self.path.is_dir() else zipfile.ZipFile(self.path)
        if self._zip:
            self._names = sorted(self._zip.namelist())
        else:
            self._names = sorted(str(p.relative_to(self.path)) for p in self.path.rglob("*.py"))

    def names(self) -> list[str]:
        return self._names

    def read(self, name: str) -> str | None:
        """The text of one member, or None when there is no such member."""
        try:
            if self._zip:
                return self._zip.read(name).decode("utf-8")
            return (self.path / name).read_text(encoding="utf-8")
        except (KeyError, FileNotFoundError):
            return None


def open_wheel(package: str, version: str, download: bool = False) -> Wheel:
    path = fetch(package, version) if download else find(package, version)
    if not path:
        raise WheelMissing(f"{package} {version} is not in {cache_dir()}; run the fetch command")
    return Wheel(path)
