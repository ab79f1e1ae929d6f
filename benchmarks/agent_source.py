"""The source of an agent or model of one's own: a run tells when it has changed under its hands. Own design.

No part of what makes the run: a comment corrected in the middle of an expensive run would begin another one unasked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from conflictbench.agents.registry import AGENTS
from conflictbench.benchmarks.manifest import file_digest

_NOT_ONES_OWN = frozenset({"conflictbench", *sys.stdlib_module_names})


def agent_sources(spec: str) -> dict[str, str]:
    """Digests by file, of the module named by a spec `module:Class` or `llm:module:Class` and of the class's bases.

    Files are named as their modules are imported, `my_agents.py` or `lab/agents/__init__.py`. Empty for agents of the
    package; to be asked when the agent has been made once.
    """
    head, _, rest = spec.partition(":")
    module, colon, name = rest.partition(":") if head in AGENTS else (head, ":" if rest else "", rest)
    if not colon or module not in sys.modules:
        return {}
    digests = {}
    for one in dict.fromkeys((module, *_bases(module, name))):
        file = getattr(sys.modules.get(one), "__file__", None)
        if file and one.partition(".")[0] not in _NOT_ONES_OWN and (digest := file_digest(file)):
            tail = "/__init__" if Path(file).stem == "__init__" else ""
            digests[f"{one.replace('.', '/')}{tail}.py"] = digest
    return dict(sorted(digests.items()))


def changed_sources(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """The files of a run that are not what they were when it began."""
    return sorted(name for name, digest in there.items() if here.get(name) != digest)


def _bases(module: str, name: str) -> Iterator[str]:
    """Modules of what the name stands for: of the class and its bases, or of a function."""
    found = getattr(sys.modules[module], name, None)
    for one in found.__mro__ if isinstance(found, type) else (found,):
        yield str(getattr(one, "__module__", module))
