"""Re-derives the newest table from its wheel and compares it with the stored file."""
import difflib
import sys

from support import ROOT, newest_wheel
from hf_defaults.extractor import tables

wheel, version = newest_wheel()
stored = tables.path_of(ROOT / "hf_defaults" / "tables", version, True).read_text(encoding="utf-8")
derived = tables.dump(tables.Extraction(wheel, version).document())
if derived == stored:
    print(f"1 passed, 0 failed: the table of transformers {version} is what the extractor makes of its wheel")
    sys.exit(0)
for line in list(difflib.unified_diff(stored.splitlines(), derived.splitlines(), "stored", "derived", lineterm="", n=0))[:40]:
    print(line[:300])
print("the stored table differs; run python3 -m hf_defaults.extractor tables")
sys.exit(1)
