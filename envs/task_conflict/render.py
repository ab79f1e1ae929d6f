"""What an onlooker of a two-party game sees, 80 columns wide; private things are shown too. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from conflictbench.envs.fiction.render import WIDTH
from conflictbench.envs.task_conflict.playing import Playing
from conflictbench.envs.task_conflict.result import cell_of, ending_text
from conflictbench.envs.task_conflict.seat import Phase, Said, Turn
from conflictbench.envs.task_conflict.words import status_line
from conflictbench.scenario_specs.parties.block import ROLES


def screen(game: Playing, state: int, phase: Phase, turns: Sequence[Turn], said: tuple[Said, Said] | None) -> str:
    """Title, place in the game, last moves, what was said and the status line, as lines of at most 80 characters."""
    tables, window, turn = game.tables, game.game.window, int(game.tables.turn[state])
    first = ROLES[int(tables.first[state])]
    place = "over" if phase == "over" else f"{first} served first, {'talk' if phase == 'talk' else 'moves'} next"
    lines = [*wrap(game.game.spec.title, WIDTH), f"turn {turn} of {window}, {place}", "-" * WIDTH]
    if turns:
        last = turns[-1]
        for party in (last.first, 1 - last.first):
            move = last.moves[party]
            words = game.command(party, move) if move < tables.n_moves[party] else f"action {move}"
            lines += _line(f"{ROLES[party]}> {words} ({last.events[party].name.lower()})")
    if said is not None:
        for party in (0, 1):
            told = said[party].signal.told(game.commands(party), game.commands(1 - party))
            quoted = f' "{said[party].message}"' if said[party].message else ""
            lines += _line(f"{ROLES[party]} said: {told}{quoted}")
    shown = [v for v in range(len(game.game.machine.variables)) if v in {*game.seen[0], *game.seen[1]}]
    lines += ["", *wrap(status_line(game, state, shown), WIDTH)]
    if tables.done[state]:
        human, task = (bool(latch) for latch in tables.latched[state])
        lines += ["", f"Ending: {cell_of(human, task)}", *wrap(ending_text(game, state), WIDTH)]
    return "\n".join(lines) + "\n"


def _line(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ")
