#!/usr/bin/env python3
"""Measures `gelint lint`: throughput on JSON lines, one directory as a whole process, memory over a long stream.

usage: bench/lint/run.py BINARY [LONG]     (LONG: lines of the memory run, default 1000000)

The stream repeats the configs of examples/checkpoints and of the checkpoint fixtures, one a line. Processor time is what
counts: on a shared machine the wall clock measures the neighbours.
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def configs():
    out = []
    for pattern in ("examples/checkpoints/*/config.json", "tests/fixtures/checkpoints/mlxcel/*/config.json"):
        for path in sorted(ROOT.glob(pattern)):
            try:
                out.append(json.dumps(json.loads(path.read_text())))
            except ValueError:
                pass  # the broken one
    return out


def run(arguments, lines=None):
    """Wall seconds, processor seconds and peak KiB of one process; `lines` is fed to its standard input."""
    start = time.perf_counter()
    read = None
    if lines is not None:
        read, write = os.pipe()
        feeder = os.fork()
        if feeder == 0:
            os.close(read)
            with os.fdopen(write, "w") as stream:
                for line in lines:
                    stream.write(line + "\n")
            os._exit(0)
        os.close(write)
    child = subprocess.Popen(arguments, stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    if read is not None:
        os.close(read)
        os.waitpid(feeder, 0)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    binary = sys.argv[1]
    long = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    base = configs()
    size = sum(map(len, base)) / len(base)

    def stream(n):
        return (base[i % len(base)] for i in range(n))

    print("# lint: throughput and memory\n")
    print(f"`bench/lint/run.py {os.path.relpath(binary, ROOT)} {long}`, {platform.machine()}, {os.cpu_count()} processors, "
          f"load average {os.getloadavg()[0]:.1f}")
    print(f"{len(base)} different configs, {size:.0f} bytes each on average\n")
    print("| what | lines | processor s | wall s | configs per processor second | peak RSS, MiB |")
    print("|---|---|---|---|---|---|")
    for count in (10_000, 100_000, long):
        wall, cpu, peak = min((run([binary, "lint", "-"], stream(count)) for _ in range(3 if count == 10_000 else 1)),
                              key=lambda r: r[1])
        print(f"| JSON lines | {count} | {cpu:.2f} | {wall:.2f} | {count / cpu:.0f} | {peak / 1024:.1f} |", flush=True)
    model = str(ROOT / "examples/checkpoints/llava-1.5-7b-hf")
    times = sorted(run([binary, "lint", model]) for _ in range(41))
    cpus = sorted(t[1] for t in times)
    print(f"\nOne directory, a whole process, 41 runs: wall {times[0][0] * 1e3:.1f} ms least, {times[20][0] * 1e3:.1f} ms "
          f"median; processor time {cpus[20] * 1e3:.1f} ms median.")


if __name__ == "__main__":
    main()
