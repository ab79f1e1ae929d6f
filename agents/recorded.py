"""Finished episodes read from a file, and the one that belongs to a task. Own design."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from conflictbench.errors import AgentError
from conflictbench.seeds import agent_seed
from conflictbench.types import EpisodeKey, EpisodeRecord, Task

EPISODES_FILE = "episodes.jsonl"


class RecordedEpisodes:
    """Records by episode key; of several attempts at one episode the last stands, as in the tables of a run."""

    def __init__(self, records: Iterable[EpisodeRecord], *, origin: str = "these records") -> None:
        """Index the records; `origin` names them in messages."""
        self._by_key: dict[EpisodeKey, EpisodeRecord] = {record.key: record for record in records}
        self._origin = origin

    @classmethod
    def read(cls, path: Path | str) -> RecordedEpisodes:
        """Read an `episodes.jsonl`, or the one inside a run directory.

        Raises:
            AgentError: the file cannot be read, or a line is not a record; names the file and the line.
        """
        file = Path(path)
        if file.is_dir():
            file = file / EPISODES_FILE
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(f"cannot read recorded episodes from {file}: {error}") from error
        records = []
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                records.append(EpisodeRecord.model_validate_json(line))
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                place = ".".join(str(part) for part in first["loc"]) or "the line as a whole"
                raise AgentError(f"{file}:{number}: not an episode record ({place}: {first['msg']})") from error
        return cls(records, origin=str(file))

    def __len__(self) -> int:
        """Count the episodes, attempts at the same one counted once."""
        return len(self._by_key)

    @property
    def protocol(self) -> str:
        """Id of the prompt protocol in which the replies were given, "" for none.

        Raises:
            AgentError: there are several, and a run has one.
        """
        ids = sorted({record.protocol for record in self._by_key.values() if record.steps})
        if len(ids) > 1:
            names = ", ".join(name or "none" for name in ids)
            raise AgentError(
                f"{self._origin} holds episodes of several prompt protocols ({names}): replay one at a time"
            )
        return ids[0] if ids else ""

    def find(self, task: Task) -> EpisodeRecord:
        """Return the record with the task's scenario and variant, whose seed and epoch give the task's seed.

        Raises:
            AgentError: none or several fit; the message lists what there is.
        """
        wanted = (task.scenario, task.variant, task.seed)
        fitting = [
            record
            for key, record in self._by_key.items()
            if (key.scenario, key.variant, agent_seed(key.seed, key.epoch)) == wanted
        ]
        if len(fitting) == 1:
            return fitting[0]
        asked = f"{task.scenario} ({task.variant}), seed {task.seed}"
        if fitting:
            keys = "; ".join(sorted(_in_words(record.key) for record in fitting))
            raise AgentError(f"{self._origin}: {len(fitting)} episodes fit {asked}: {keys}. Hand over one of them.")
        keys = "; ".join(sorted(_in_words(key) for key in self._by_key)[:20]) or "nothing"
        raise AgentError(f"{self._origin} holds no episode of {asked}; it holds: {keys}")


def _in_words(key: EpisodeKey) -> str:
    return f"{key.scenario} ({key.variant}), seed {key.seed}, agent {key.agent}, epoch {key.epoch}, env {key.env_hash}"
