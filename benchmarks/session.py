"""One call of a run while it plays: what it keeps, counts, watches and says. Own design."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from conflictbench.agents.models.keys import Redactor
from conflictbench.benchmarks.call_ledger import CallLedger
from conflictbench.benchmarks.cast import Cast
from conflictbench.benchmarks.limits import EpisodeMeter, Spending
from conflictbench.benchmarks.progress import Progress
from conflictbench.benchmarks.records import RunDirectory
from conflictbench.benchmarks.units import Unit
from conflictbench.types import Decision, EpisodeRecord, Status, Usage

MANY_MODELS = 10  # ids; more are not named one by one


class Session:
    """Stands between the players, which may be on threads of their own, and the run's directory.

    It is the players' `Watcher`. `write` and `tick` are the driver's; nothing is said or noted but in `tick`.
    """

    def __init__(
        self,
        directory: RunDirectory,
        cast: Cast,
        spending: Spending,
        progress: Progress,
        ledger: CallLedger | None = None,
    ) -> None:
        """Take what a run is made of; `ledger` where it asks a language model."""
        self.cast, self.progress = cast, progress
        self._directory, self._spending, self._ledger = directory, spending, ledger
        self._counting = threading.Lock()
        self._models = ModelWatch()
        for record in directory.records:
            for model in record.models:
                self._models.see(model)
        self._given_up, self._held_back = "", ""
        self._written = 0  # records since the last tick
        self._kept, self._begun = 0, 0  # episodes
        self._cut_off, self._cut_off_usage = 0, Usage()
        self._dropped_before = self._lost()
        self._said: list[str] = []
        self._seconds: list[float] = []

    @property
    def seconds(self) -> tuple[float, ...]:
        """Wall time of each episode that has ended."""
        return tuple(self._seconds)

    @property
    def limit_reached(self) -> str:
        """Which limit of the run is reached, or left too little for the next episode, in words; "" while none does."""
        return self._spending.spent or self._held_back

    @property
    def said(self) -> tuple[str, ...]:
        """The notes that were shown at once, but for a change of the model, which cannot be said too often."""
        return tuple(self._said)

    @property
    def cut_off(self) -> tuple[int, Usage]:
        """How many episodes a limit of the run has cut off in the middle, and what they had used."""
        return self._cut_off, self._cut_off_usage

    @property
    def dropped(self) -> tuple[int, int]:
        """How many episodes were begun and left without a record, and requests to a model for them."""
        episodes = self._begun - self._kept
        return episodes, (self._lost() - self._dropped_before) if episodes else 0

    def _lost(self) -> int:
        """Requests that no record tells of."""
        return self._ledger.dropped(self._directory.records).calls if self._ledger is not None else 0

    def begin_episode(self, unit: Unit) -> EpisodeMeter:
        """A meter for an episode that begins."""
        with self._counting:
            self._begun += 1
        return self._spending.begin_episode(unit.key.scenario)

    def decided(self, decision: Decision) -> None:
        """Look at the model that decided."""
        self._models.see(decision.model)

    def ended(self, record: EpisodeRecord, meter: EpisodeMeter) -> None:
        """Note how long it took; and where the model's own budget ended it, that it would end every other too."""
        self._seconds.append(meter.seconds())
        self._spending.end_episode(meter, record)
        if record.status is Status.BUDGET and not meter.by_own_limit:
            with self._counting:
                self._cut_off, self._cut_off_usage = self._cut_off + 1, self._cut_off_usage + record.usage
        run = self._spending.limits
        limited = (run.max_cost_usd, run.max_total_tokens) != (None, None)
        if limited and record.status is Status.BUDGET and not meter.ended_it:
            self._spending.close(str(record.error).removeprefix("BudgetExceeded: "))

    def go_on(self, unit: Unit) -> bool:
        """False where this episode is not to be begun: a limit of the run is near, or its model answers nobody.

        Where it is True, the episode is begun at once.
        """
        self._given_up = self._given_up or self.cast.given_up()
        self._held_back = self._spending.too_little(unit.key.scenario)
        if self._given_up or self.limit_reached:
            return False
        self._spending.expect(unit.key.scenario)
        return True

    def write(self, records: Sequence[EpisodeRecord]) -> None:
        """Keep records: on disk when this returns, and before them the calls that they tell of."""
        if self._ledger is not None:
            self._ledger.sync()
        self._directory.append(*records)
        self._written += len(records)
        self._kept += len(records)

    def tick(self) -> None:
        """Move the progress, and say what there is to say: on the screen at once, and in the manifest.

        Raises:
            RunError: a call could not be kept.
        """
        if self._ledger is not None:
            self._ledger.check()
        written, self._written = self._written, 0
        if written:
            self.progress.advance(written)
        self.progress.tick()
        changes = [Redactor().clean(line) for line in self._models.changes()]
        fresh = [
            line for line in (*changes, *map(Redactor().clean, self.cast.notes())) if line not in self._directory.notes
        ]
        for line in fresh:
            self.progress.say(f"note: {line}")
        self._said += (line for line in fresh if line not in changes)
        self._directory.add_note(*fresh)


class ModelWatch:
    """Notices that a provider answers with another model than before. Safe to use from several threads."""

    def __init__(self, what: str = "episodes") -> None:
        """Begin with none; `what` the model takes part in."""
        self._what = what
        self._seen: dict[str, None] = {}
        self._lock = threading.Lock()

    def see(self, model: str) -> None:
        """Look at the id that came back with an answer, "" for none."""
        if model and model not in self._seen:
            with self._lock:
                self._seen.setdefault(model)

    def changes(self) -> tuple[str, ...]:
        """What to say of it: nothing, or one line. No id is called the first: that is another one in every rerun."""
        with self._lock:
            seen = sorted(self._seen)
        if len(seen) < 2:
            return ()
        some = f"more than {MANY_MODELS} ids" if len(seen) > MANY_MODELS else " and as ".join(map(repr, seen))
        shout = f"THE MODEL CHANGED inside this run: the provider answered as {some}"
        return (f"{shout}; its {self._what} may not be comparable",)
