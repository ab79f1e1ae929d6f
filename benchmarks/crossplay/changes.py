"""Where two runs of cross-play differ, in the words of the command line. Own design, as `benchmarks.differences`.

What follows from another difference is left out: the pairs follow from agents and conditions, the starts from games.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflictbench.benchmarks.crossplay.plan import CrossplayIdentity
from conflictbench.benchmarks.differences import asked, changed, changed_scenarios


def differences(there: CrossplayIdentity, here: CrossplayIdentity) -> list[str]:
    """One string a difference: "--seeds 1 -> 2"; what is there stands first."""
    return list(_differences(there, here))


def _differences(there: CrossplayIdentity, here: CrossplayIdentity) -> Iterator[str]:
    yield from changed({"agents": " ".join(there.agents)}, {"agents": " ".join(here.agents)})
    for name in sorted(there.inputs.keys() & here.inputs.keys()):
        if there.inputs[name] != here.inputs[name]:
            yield f"the file of {name} has another content"
    yield from changed(_conditions(there), _conditions(here))
    if there.model is not None and here.model is not None:
        yield from changed(asked(there.model), asked(here.model))
    if there.solo == here.solo and there.protocol_id and here.protocol_id and there.protocol_id != here.protocol_id:
        yield f"words that models are sent: {there.protocol_id} -> {here.protocol_id}"
    yield from changed_scenarios(there.scenarios, here.scenarios)
    if there.agents == here.agents and _roles(there) != _roles(here):
        yield "a policy sits in other chairs"


def _conditions(identity: CrossplayIdentity) -> dict[str, object]:
    return {"talk": identity.talk, "solo": "yes" if identity.solo else "no", "seeds": identity.seeds}


def _roles(identity: CrossplayIdentity) -> tuple[frozenset[str], frozenset[str]]:
    """Who among the policies sits where."""
    incumbents = frozenset(one for one, _, _ in identity.pairs if one.startswith("sb3:"))
    return incumbents, frozenset(one for _, one, _ in identity.pairs if one.startswith("sb3:"))
