"""The overlay's families as additional classes of a table, for the reports (needs PyYAML)."""
from __future__ import annotations

from pathlib import Path


def with_families(document: dict, folder: Path) -> dict:
    """A copy of the table with the remote-code families added; the table itself without PyYAML."""
    try:
        import yaml
    except ImportError:
        return document
    configs, types = dict(document["configs"]), dict(document["model_types"])
    for path in sorted(folder.glob("*.yaml")):
        for row in (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get("families", ()):
            configs[row["class"]] = {"file": row["source"].split(",")[0][:80], "line": 0,
                                     "modality": row.get("modality", "other"),
                                     **{k: v for k, v in row.items() if k not in ("class", "source", "model_types")}}
            for slot in configs[row["class"]].get("slots", {}).values():
                slot.setdefault("file", configs[row["class"]]["file"])
                slot.setdefault("line", 0)
            for model_type in row.get("model_types", ()):
                types.setdefault(model_type, row["class"])
    return {**document, "configs": configs, "model_types": types}
