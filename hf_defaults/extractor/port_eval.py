"""Runs under a Python that has mlx (and the ports) installed: values of activation expressions.

Reads {"points": [...], "items": [{"id", "module", "expr", "imports"}]} on standard input; prints
id -> {"values": [...], "how": "module"|"mlx"} or {"error": text}. An expression is evaluated in the
namespace of its own module when that imports, else with mlx.nn and mlx.core alone, which is only
offered for expressions that name nothing else. Stands alone: another interpreter runs it.
"""
import importlib
import json
import sys


def namespace(module):
    import mlx.core as mx
    import mlx.nn as nn
    from functools import partial
    plain = {"mx": mx, "nn": nn, "partial": partial}
    if not module:
        return plain, "mlx"
    return {**plain, **vars(importlib.import_module(module))}, "module"


def values(function, points, mx):
    x = mx.array(points, dtype=mx.float32)
    try:
        out = function(x)
    except (TypeError, ValueError):
        out = function(x, mx.ones_like(x))  # swiglu(gate, up): the other half is one
        ratio = out / mx.where(x == 0, 1.0, x)
        inside = mx.abs(mx.where(x == 0, ratio[0], ratio) - ratio[0])
        if float(mx.max(inside)) < 1e-4:  # linear in x: the function takes (up, gate)
            out = function(mx.ones_like(x), x)
    return [float(v) for v in out.tolist()]


def main():
    import mlx.core as mx
    request = json.load(sys.stdin)
    out = {}
    spaces = {}
    for item in request["items"]:
        answer = None
        for module in ([item["module"]] if item.get("module") else []) + [""]:
            if module == "" and not item.get("plain"):
                continue
            try:
                if module not in spaces:
                    spaces[module] = namespace(module)
                space, how = spaces[module]
                function = eval(item["expr"], dict(space))  # noqa: S307 - the port's own expression
                answer = {"values": values(function, request["points"], mx), "how": how}
                break
            except BaseException as e:  # noqa: BLE001 - reported, then the next way is tried
                spaces.setdefault(module, ({}, "none"))
                answer = {"error": f"{type(e).__name__}: {e}"[:120]}
        out[item["id"]] = answer or {"error": "no way to evaluate it"}
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main()
