"""Runs under a Python that has one transformers release installed: prints what its classes hold.

Reads {"classes": [{"id", "module", "class", "keys", "subs"}]} on standard input; prints one JSON
object id -> {"keys": {...}, "missing": {...}, "bare": {...}} or {"error": text}. Stands alone: it
may import nothing of this package, because it is run by another interpreter.
"""
import importlib
import json
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")


def plain(value):
    if value is None:
        return {"py": "None"}
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, dict):
        return value
    return {"py": type(value).__name__}


def describe(sub):
    """Class and activation-like values of a sub-configuration object."""
    if sub is None or isinstance(sub, dict):
        return None
    return {"class": type(sub).__name__, "model_type": getattr(sub, "model_type", None),
            "values": {k: v for k, v in vars(sub).items() if isinstance(v, (str, bool))}}


def main():
    request = json.load(sys.stdin)
    out = {}
    for c in request["classes"]:
        answer = {}
        try:
            cls = getattr(importlib.import_module(c["module"]), c["class"])
            obj = cls()
            answer["keys"] = {k: plain(getattr(obj, k)) for k in c["keys"] if hasattr(obj, k)}
            answer["missing"] = {s: describe(getattr(obj, s, None)) for s in c["subs"]}
            bare = {}
            for s in c["subs"]:
                try:
                    bare[s] = describe(getattr(cls(**{s: {"name_or_path": ""}}), s, None))
                except Exception as e:  # noqa: BLE001
                    bare[s] = {"error": f"{type(e).__name__}"}
            answer["bare"] = bare
        except Exception as e:  # noqa: BLE001 - reported per class
            answer = {"error": f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"[:160]}
        out[c["id"]] = answer
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main()
