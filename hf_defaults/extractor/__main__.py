"""Command line of the extractor; see ../README.md."""
from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
from pathlib import Path

from . import agreement, coverage, overlay, ports, ports_eval, ports_report, tables, wheels

HERE = Path(__file__).resolve().parent.parent


def cmd_fetch(args) -> int:
    for version in args.version or wheels.TRANSFORMERS:
        print(wheels.fetch("transformers", version).name)
    if not args.version:
        for package, version in wheels.PORTS.items():
            print(wheels.fetch(package, version).name)
    return 0


def cmd_tables(args) -> int:
    folder = args.out
    folder.mkdir(parents=True, exist_ok=True)
    newer = None
    versions = wheels.TRANSFORMERS[:1] if args.newest else wheels.TRANSFORMERS
    for version in versions:
        wheels.open_wheel("transformers", version)  # all present before the long part
    with multiprocessing.Pool(min(args.jobs, len(versions)), maxtasksperchild=1) as pool:
        documents = pool.imap(_document, versions, chunksize=1)
        for version in versions:
            newer = _write_table(folder, version, next(documents), newer)
    return 0


def _document(version: str) -> dict:
    return tables.Extraction(wheels.open_wheel("transformers", version), version).document()


def _write_table(folder: Path, version: str, document: dict, newer: dict | None) -> dict:
    target = tables.path_of(folder, version, newer is None)
    target.write_text(tables.dump(document if newer is None else tables.diff_document(newer, document)),
                      encoding="utf-8")
    print(f"{target.name}: {len(document['model_types'])} model types, {len(document['configs'])} classes, "
          f"{sum(len(c.get('slots', ())) for c in document['configs'].values())} slots, "
          f"{target.stat().st_size} bytes", flush=True)
    return document


def cmd_reports(args) -> int:
    version = wheels.TRANSFORMERS[0]
    extraction = tables.Extraction(wheels.open_wheel("transformers", version), version)
    text = coverage.markdown(extraction, extraction.document())
    (HERE / "reports" / "coverage.md").write_text(text, encoding="utf-8")
    print("\n".join(line for line in text.splitlines() if line.startswith("| ")))
    return 0


def cmd_agreement(args) -> int:
    results = []
    for version in args.version or wheels.TRANSFORMERS:
        python = _environment(args.environments / f"transformers-{version}", version)
        result = agreement.compare(tables.load(HERE / "tables", version), python)
        print(f"{version}: {result.equal} of {result.keys} keys, {result.subs_equal} of {result.subs} "
              f"sub-configurations, {len(result.errors)} classes not built", flush=True)
        results.append(result)
    if not args.version:
        (HERE / "reports" / "agreement.md").write_text(agreement.markdown(results), encoding="utf-8")
    return 0


def cmd_ports(args) -> int:
    documents = []
    for package, version in wheels.PORTS.items():
        port = ports.Port(package, version, wheels.open_wheel(package, version))
        rows = port.rows()
        ports_eval.resolve(port, rows, args.python)
        document = ports.document(port, rows, "python3 -m hf_defaults.extractor ports")
        (HERE / "ports" / f"{package}.json").write_text(tables.dump(document), encoding="utf-8")
        print(f"{package} {version}: {len(rows)} rows, {len({r.model_type for r in rows})} model types, "
              f"{sum(r.known_by == 'evaluated' for r in rows)} evaluated", flush=True)
        documents.append(document)
    newest = overlay.with_families(tables.load(HERE / "tables", wheels.TRANSFORMERS[0]), HERE / "overlay")
    (HERE / "reports" / "ports.md").write_text(ports_report.markdown(newest, documents), encoding="utf-8")
    return 0


def _environment(folder: Path, version: str) -> Path:
    """A virtual environment with that release (and what it needs, but no torch)."""
    python = folder / "bin" / "python"
    if not python.exists():
        wheel = wheels.fetch("transformers", version)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    return python


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m hf_defaults.extractor")
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("fetch", help="download the pinned wheels into the cache")
    p.add_argument("version", nargs="*")
    p.set_defaults(run=cmd_fetch)
    p = sub.add_parser("tables", help="write the tables of the pinned releases")
    p.add_argument("--out", type=Path, default=HERE / "tables")
    p.add_argument("--newest", action="store_true", help="the newest release only")
    p.add_argument("-j", "--jobs", type=int, default=2, help="releases read at a time, about 1 GiB each (default 2)")
    p.set_defaults(run=cmd_tables)
    p = sub.add_parser("reports", help="write reports/coverage.md for the newest release")
    p.set_defaults(run=cmd_reports)
    p = sub.add_parser("agreement", help="compare the tables with the instantiated classes of each release")
    p.add_argument("environments", type=Path, help="folder for one virtual environment per release")
    p.add_argument("version", nargs="*")
    p.set_defaults(run=cmd_agreement)
    p = sub.add_parser("ports", help="write ports/*.json and reports/ports.md")
    p.add_argument("--python", type=Path, help="an interpreter with mlx (and the ports) installed; without it "
                                               "every row is read, none evaluated")
    p.set_defaults(run=cmd_ports)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except wheels.WheelMissing as e:
        print(f"error: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
