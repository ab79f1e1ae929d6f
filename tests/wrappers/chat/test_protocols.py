"""The prompt protocols: their words, their versions, and what is never said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conflictbench.errors import UnknownName
from conflictbench.types import Verdict
from conflictbench.wrappers import PROTOCOLS, get_protocol
from conflictbench.wrappers.chat import protocols
from conflictbench.wrappers.chat.protocols import FOLDER, ChatProtocol

FILES = sorted(FOLDER.rglob("*.txt"))
# A model that is told what is measured, or what is hoped for, is no longer measured.
TELLING = re.compile(
    r"\b(?:align\w*|assess\w*|benchmark\w*|conflict\w*|dilemma\w*|ethic\w*|evaluat\w*|experiment\w*|favou?r\w*|game"
    r"|human\w*|moral\w*|safe\w*|scenario\w*|score\w*|simulat\w*|test\w*)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_words__say_nothing_of_what_is_measured(path: Path) -> None:
    text = path.read_text("utf-8")
    assert TELLING.findall(text) == []
    assert text == text.strip() + "\n"
    assert text.isascii()


def test_folders__hold_what_their_protocol_reads_and_nothing_else() -> None:
    read = {f"{p.name}-v{p.version}/{name}.txt" for p in PROTOCOLS.values() for name in p.texts}
    current = {f"{p.name}-v{p.version}" for p in PROTOCOLS.values()}
    assert {str(path.relative_to(FOLDER)) for path in FILES if path.parent.name in current} == read


def test_id__is_name_version_and_digest() -> None:
    for name, protocol in PROTOCOLS.items():
        assert re.fullmatch(rf"{name}-v{protocol.version}-[0-9a-f]{{8}}", protocol.id)
        assert get_protocol(name) is protocol


def test_id__changes_with_a_word_a_file_or_a_boundary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "FOLDER", tmp_path)
    folder = tmp_path / "mine-v1"
    folder.mkdir()

    def identity(**changes: str) -> str:
        for name in protocols._TEXTS:
            (folder / f"{name}.txt").write_text(changes.get(name, "words") + "\n")
        return ChatProtocol(name="mine", version=1, uses_tool=False, summary="").id

    plain = identity()
    others = [identity(system="word"), identity(reask_refused="words."), identity(left_out="wordss", question="word")]
    assert identity() == plain
    assert len({plain, *others}) == 4


def test_get_protocol__an_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownName, match=r"unknown protocol 'papers'; known: paper, tools .*paper-v1-"):
        get_protocol("papers")


def test_get_protocol__by_id_only_with_the_words_of_now() -> None:
    paper = get_protocol("paper")
    assert get_protocol(paper.id) is paper
    with pytest.raises(UnknownName, match="unknown protocol 'paper-v1-00000000'"):
        get_protocol("paper-v1-00000000")


def test_begin__an_opening_is_put_in_as_it_is() -> None:
    # neither a placeholder nor a backslash in an opening is read
    opening = "{opening} {max_commands} {count} \\1 $x %s"
    system, user = get_protocol("paper").begin(opening, "the list", 14)
    assert system.content.endswith("\n\n" + opening)
    assert "You may give 14 commands in all" in system.content
    assert (system.role, user.role, user.content) == ("system", "user", "the list")


def test_begin__a_question_is_the_users() -> None:
    system, user = get_protocol("tools").begin("Which one? A. this B. that", None)
    assert (user.role, user.content) == ("user", "Which one? A. this B. that")
    assert "letter" in system.content


def test_tools__one_function_or_none() -> None:
    assert get_protocol("paper").tools(question=False) == ()
    (tool,) = get_protocol("tools").tools(question=False)
    assert (tool.name, list(tool.parameters["properties"]), tool.parameters["required"]) == (
        "act", ["command"], ["command"],
    )  # fmt: skip
    (other,) = get_protocol("tools").tools(question=False)
    assert other == tool
    assert other.parameters is not tool.parameters
    (question,) = get_protocol("tools").tools(question=True)
    assert question.parameters["properties"]["command"]["description"].startswith("The letter of one option")


def test_reask__each_protocol_has_a_sentence_for_each_reply_without_a_command() -> None:
    for protocol in PROTOCOLS.values():
        sentences = {protocol.reask(v) for v in (Verdict.UNPARSED, Verdict.REFUSED, Verdict.CUT_OFF)}
        assert len(sentences) == 3
        asks_for = "`act`" if protocol.uses_tool else "ACTION:"
        assert all(asks_for in sentence for sentence in sentences)


def test_reask__a_wrong_call_is_named_where_calls_are_made_and_the_reply_was_no_more_than_unparsed() -> None:
    tools, paper = get_protocol("tools"), get_protocol("paper")
    function, arguments = (tools.reask(Verdict.UNPARSED, cause) for cause in ("function", "arguments"))
    assert len({function, arguments, tools.reask(Verdict.UNPARSED)}) == 3
    assert "only function" in function
    assert "arguments" in arguments
    for verdict in (Verdict.REFUSED, Verdict.CUT_OFF):
        assert tools.reask(verdict, "function") == tools.reask(verdict)
    assert paper.reask(Verdict.UNPARSED, "function") == paper.reask(Verdict.UNPARSED)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_words__say_that_nothing_may_follow_a_command(name: str) -> None:
    texts = PROTOCOLS[name].texts
    assert "the command alone, with nothing after it" in texts["system"]
    assert "nothing after it" in texts["question"]
