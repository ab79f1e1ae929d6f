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
from conflictbench.types import Decision, EpisodeRecord, Status

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
        self._models = ModelWatch()
        for record in directory.records:
            for model in record.models:
                self._models.see(model)
        self._given_up = ""
        self._written = 0  # records since the last tick
        self._seconds: list[float] = []

    @property
    def seconds(self) -> tuple[float, ...]:
        """Wall time of each episode that has ended."""
        return tuple(self._seconds)

    @property
    def limit_reached(self) -> str:
        """Which limit of the run is reached, in words; "" while none is."""
        return self._spending.spent

    @property
    def given_up(self) -> str:
        """Why the model was given up, in words; "" if it was not."""
        return self._given_up

    def begin_episode(self) -> EpisodeMeter:
        """A meter for an episode that begins."""
        return self._spending.begin_episode()

    def decided(self, decision: Decision) -> None:
        """Look at the model that decided."""
        self._models.see(decision.model)

    def ended(self, record: EpisodeRecord, meter: EpisodeMeter) -> None:
        """Note how long it took; and where the model's own budget ended it, that it would end every other too."""
        self._seconds.append(meter.seconds())
        run = self._spending.limits
        limited = (run.max_cost_usd, run.max_total_tokens) != (None, None)
        if limited and record.status is Status.BUDGET and not meter.ended_it:
            self._spending.close(str(record.error).removeprefix("BudgetExceeded: "))

    def go_on(self) -> bool:
        """False where a limit of the run is reached or its model answers nobody, and no further episode is begun."""
        self._given_up = self._given_up or self.cast.given_up()
        return not (self._given_up or self._spending.spent)

    def write(self, records: Sequence[EpisodeRecord]) -> None:
        """Keep records: on disk when this returns, and before them the calls that they tell of."""
        if self._ledger is not None:
            self._ledger.sync()
        self._directory.append(*records)
        self._written += len(records)

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
        lines = map(Redactor().clean, (*self._models.changes(), *self.cast.notes()))
        fresh = [line for line in lines if line not in self._directory.notes]
        for line in fresh:
            self.progress.say(f"note: {line}")
        self._directory.add_note(*fresh)


class ModelWatch:
    """Notices that a provider answers with another model than before. Safe to use from several threads."""

    def __init__(self) -> None:
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
        return (f"{shout}; its episodes may not be comparable",)
