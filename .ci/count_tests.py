"""Fails unless a pytest result file shows that tests ran, and none was skipped. Own design."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

LEAST = 200  # far below what the suite holds; a collection gone wrong falls below it


def main(results: Path) -> str | None:
    """Return what is wrong with the result file, or None."""
    cases = ElementTree.parse(results).getroot().findall(".//testcase")
    skipped = {case: (node.get("message") or "") for case in cases if (node := case.find("skipped")) is not None}
    ran = len(cases) - len(skipped)
    print(f"{ran} tests ran, {len(skipped)} skipped")
    if ran < LEAST:
        return f"only {ran} tests ran, fewer than {LEAST}: {results}"
    if skipped:
        return "skipped: " + "; ".join(f"{c.get('classname')}.{c.get('name')} ({why})" for c, why in skipped.items())
    return None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
