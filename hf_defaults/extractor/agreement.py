"""Compares every activation default of a table with the instantiated class of the same wheel."""
from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .config_classes import is_activation_key

# Classes that cannot be built without arguments, or whose package is not installed: the reason is
# the error that the class itself raises, so nothing is listed here by hand.


@dataclass
class Result:
    version: str
    classes: int = 0
    built: int = 0
    keys: int = 0
    equal: int = 0
    subs: int = 0
    subs_equal: int = 0
    differing: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def compare(document: dict, python: Path) -> Result:
    """Run the classes of the release with `python` (an interpreter that has it installed)."""
    classes = []
    for key, c in document["configs"].items():
        module = "transformers." + c["file"][:-3].replace("/", ".")
        classes.append({"id": key, "module": module, "class": key.split(":")[-1],
                        "keys": sorted(c.get("keys", {})), "subs": sorted(c.get("subs", {}))})
    script = Path(__file__).with_name("instantiate.py")
    run = subprocess.run([str(python), "-W", "ignore", str(script)], check=True, text=True,
                         input=json.dumps({"classes": classes}), capture_output=True)
    answers = json.loads(run.stdout)
    r = Result(document["transformers"], classes=len(classes))
    for key, c in document["configs"].items():
        answer = answers[key]
        if "error" in answer:
            r.errors.append(f"`{key}`: {answer['error']}")
            continue
        r.built += 1
        for name, k in c.get("keys", {}).items():
            r.keys += 1
            got = answer["keys"].get(name)
            if got == k["default"] or _same(got, k["default"]):
                r.equal += 1
            else:
                r.differing.append(f"`{key}.{name}`: table {json.dumps(k['default'])}, class {json.dumps(got)}")
        for name, sub in c.get("subs", {}).items():
            _compare_sub(document, key, name, sub, answer, r)
    return r


def _same(got, want) -> bool:
    if isinstance(want, dict) and isinstance(got, dict) and "py" in want and "py" in got:
        return want["py"] != "None" and got["py"] != "None"
    if isinstance(want, dict) and "py" in want and want["py"] != "None":
        return got is not None  # a default that is no literal: nothing is claimed about its value
    return False


def _compare_sub(document, key, name, sub, answer, r: Result) -> None:
    """Class of the sub-configuration when it is missing, and its activation values."""
    wanted = _class_of(document, sub, "when_missing")
    got = answer["missing"].get(name)
    r.subs += 1
    if wanted is None or got is None:
        if (wanted is None or sub.get("optional")) and got is None:
            r.subs_equal += 1
        else:
            r.differing.append(f"`{key}.{name}` missing: table {wanted}, class {got and got['class']}")
        return
    bad = []
    if wanted.split(":")[-1] != got["class"]:
        bad.append(f"class {wanted} against {got['class']}")
    else:
        expected = {k: v["default"] for k, v in document["configs"][wanted].get("keys", {}).items()}
        expected.update(sub.get("missing_overrides", {}))
        expected.update(sub.get("overrides", {}))
        for k, v in expected.items():
            if is_activation_key(k) and isinstance(v, (str, bool)) and k in got["values"] and got["values"][k] != v:
                bad.append(f"{k} {json.dumps(v)} against {json.dumps(got['values'][k])}")
    bare = answer["bare"].get(name)
    if bare and "class" in bare and sub.get("auto"):
        wanted_bare = _class_of(document, sub, "when_no_model_type")
        if wanted_bare and wanted_bare.split(":")[-1] != bare["class"]:
            bad.append(f"without model_type {wanted_bare} against {bare['class']}")
    if bad:
        r.differing.append(f"`{key}.{name}`: table " + "; ".join(bad))
    else:
        r.subs_equal += 1


def _class_of(document, sub, which):
    if which == "when_missing" and "missing_class" in sub:
        return sub["missing_class"]
    if "class" in sub:
        return sub["class"] if not (which == "when_missing" and sub.get("optional")) else None
    return document["model_types"].get(sub.get(which, ""))


def markdown(results: list[Result]) -> str:
    lines = ["# Agreement of the tables with the instantiated configuration classes", "",
             "Made by `python3 -m hf_defaults.extractor agreement`: each release is installed without torch, every",
             "configuration class of its table is built without arguments, and each activation key, and the class",
             "and activation keys of each sub-configuration, is compared with the table.", "",
             "| transformers | classes | built | keys equal | sub-configurations equal |", "|---|---|---|---|---|"]
    for r in results:
        lines.append(f"| {r.version} | {r.classes} | {r.built} | {_share(r.equal, r.keys)} | "
                     f"{_share(r.subs_equal, r.subs)} |")
    for r in results:
        lines += ["", f"## {r.version}", ""]
        if r.differing:
            lines += ["Differences:", ""] + [f"- {d}" for d in r.differing] + [""]
        else:
            lines += ["No difference.", ""]
        if r.errors:
            lines += [f"Not built ({len(r.errors)}), with the error of the class:", ""]
            lines += [f"- {e}" for e in r.errors]
    return "\n".join(lines).rstrip() + "\n"


def _share(a: int, b: int) -> str:
    return f"{a} of {b} ({100.0 * a / b:.2f} %)" if b else "0"
