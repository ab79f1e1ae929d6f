"""What is opened with `with` and let go of by `close`. Own design."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """A `with` block ends in `close`, whatever ended the block."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
