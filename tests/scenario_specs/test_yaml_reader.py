"""The YAML subset: what is read, and that everything else is refused with its file, line and key."""

from __future__ import annotations

import tracemalloc

import pytest

from conflictbench.scenario_specs.yaml_reader import MAX_BYTES, read_yaml

BROKEN = {
    "duplicate key": ("id: a\nseed: b\nid: c\n", 3, "id", "second time; the first is in line 1"),
    "duplicate key in a flow block": ("a: {x: 1, x: 2}\n", 1, "a.x", "second time"),
    "tag": ("a: 1\nb: !!python/object:os.system {}\n", 2, "b", "tag tag:yaml.org,2002:python/object:os.system"),
    "local tag": ("a: !include other.yaml\n", 1, "a", "tag !include is refused"),
    "anchor": ("a: &x {b: 1}\n", 1, "a", "anchor &x is refused"),
    "alias": ("a: &x 1\nb: *x\n", 2, "b", "alias *x is refused"),
    "alias as a key": ("a: &x b\n*x : 1\n", 2, "", "alias stands where a key is wanted"),
    "merge key": ("a: {b: 1}\n<<: {c: 2}\n", 2, "<<", "merge key << is refused"),
    "date": ("setting:\n  time: 2041-11-09\n", 2, "setting.time", "is a date to YAML"),
    "date and time": ("t: 2041-11-09T22:52:00\n", 1, "t", "is a date to YAML"),
    "yes": ("state:\n  mist:\n    bool: yes\n", 3, "state.mist.bool", "valid: true, false"),
    "off in a list": ("words: [off, running]\n", 1, "words.1", "valid: true, false"),
    "TRUE": ("a: TRUE\n", 1, "a", "valid: true, false"),
    "on as a key": ("map: {on: 1, going: 0}\n", 1, "map.on", "valid: true, false"),
    "octal": ("a: 0o17\n", 1, "a", "not a plain decimal"),
    "leading zero": ("a: 017\n", 1, "a", "not a plain decimal"),
    "hexadecimal": ("a: 0x1F\n", 1, "a", "not a plain decimal"),
    "sexagesimal": ("a: 22:52\n", 1, "a", "not a plain decimal"),
    "exponent": ("a: 1e5\n", 1, "a", "not a plain decimal"),
    "underscores": ("a: 1_000\n", 1, "a", "not a plain decimal"),
    "null word": ("a: null\n", 1, "a", "is a null"),
    "tilde": ("a: ~\n", 1, "a", "is a null"),
    "no value": ("a:\nb: 1\n", 1, "a", "has no value (null)"),
    "unquoted comma": ("s: {label: Fire, and smoke, unit: MW}\n", 1, "s.and smoke", "unquoted comma"),
    "infinity": ("a: .inf\n", 1, "a", "not a number that a scenario can hold"),
    "not a number": ("a: [.nan]\n", 1, "a.1", "not a number that a scenario can hold"),
    "huge integer": ("a: 1000001\n", 1, "a", "+-1,000,000"),
    "huge fraction": ("a: 1000000.5\n", 1, "a", "+-1,000,000"),
    "number as a key": ("a: {48: 1}\n", 1, "a.48", "keys are names"),
    "list as a key": ("? [a, b]\n: 1\n", 1, "", "a key must be a single word"),
    "two documents": ("a: 1\n---\nb: 2\n", 2, "", "second document"),
    "directive": ("%YAML 1.1\n---\na: 1\n", 1, "", "a % directive has no place"),
    "directive with a bomb of digits": (
        "%YAML 1." + "1" * 5_000 + "\n---\na: 1\n",
        1,
        "",
        "a % directive has no place",
    ),
    "unknown directive": ("# first\n%FOO bar\n---\na: 1\n", 2, "", "a % directive has no place"),
    "tag directive": ("%TAG !e! tag:%ff\n---\na: 1\n", 1, "", "a % directive has no place"),
    "escape past the last character": ('a: 1\nb: "\\U00110000"\n', 2, "", "the last one is \\U0010FFFF"),
    "escape past every integer": ('a: 1\nb: "x\n  \\UFFFFFFFF"\n', 3, "", "the last one is \\U0010FFFF"),
    "half of a character": ('a: 1\nb: "\\uD83D"\n', 2, "", "U+D83D is half of a character"),
    "half of a character in a key": ('a: 1\n"\\uDFFF": 2\n', 2, "", "U+DFFF is half of a character"),
    "tab": ("a: 1\nb:\t2\n", 2, "", "a tab has no place"),
    "byte order mark": ("\ufeffa: 1\n", 1, "", "a byte order mark has no place"),
    "control character": ("a: 1\nb: \x07\n", 2, "", "U+0007 has no place"),
    "unclosed bracket": ("a: 1\nb: [1, 2\n", 3, "", "not YAML"),
    "colon in prose": ("a: 1\nhelp: this: that\n", 2, "", "not YAML"),
    "a list": ("- a\n- b\n", 1, "", "a block of `key: value` lines"),
    "a word": ("hello\n", 1, "", "a block of `key: value` lines"),
}


@pytest.mark.parametrize(("text", "line", "key", "words"), BROKEN.values(), ids=BROKEN)
def test_read__names_file_line_key_and_what_is_valid(text: str, line: int, key: str, words: str) -> None:
    faults = read_yaml(text.encode(), "broken.yaml").faults

    found = [fault for fault in faults if words in fault.message or words in fault.fix]
    assert found, [str(fault) for fault in faults]
    assert (found[0].file, found[0].line, found[0].key, found[0].rule) == ("broken.yaml", line, key, "yaml")


@pytest.mark.parametrize("raw", [b"", b"\n  \n", b"# only a comment\n"], ids=["nothing", "blanks", "comment"])
def test_read__empty_file_is_refused(raw: bytes) -> None:
    (fault,) = read_yaml(raw, "empty.yaml").faults
    assert fault.file == "empty.yaml"
    assert "id: EP1-001" in fault.fix


def test_read__bytes_that_are_not_utf_8_are_named_with_their_line() -> None:
    (fault,) = read_yaml(b"a: 1\nb: \xff\n", "latin.yaml").faults
    assert (fault.line, fault.message) == (2, "byte 0xff is not UTF-8")


def test_read__a_file_of_more_than_256_kib_is_refused_before_it_is_parsed() -> None:
    (fault,) = read_yaml(b"a: [" + b"1," * MAX_BYTES, "big.yaml").faults
    assert fault.message == "the file is larger than 256 KiB"


def test_read__reports_every_odd_value_of_a_file_at_once() -> None:
    faults = read_yaml(b"a: yes\nb: [1, ~, 0x1]\nc: {d: 2041-01-01}\n", "f").faults
    assert [fault.key for fault in faults] == ["a", "b.2", "b.3", "c.d"]


@pytest.mark.parametrize("opened", ["[", "{a: ", "- "], ids=["lists", "blocks", "items"])
def test_read__five_thousand_levels_are_refused_without_recursion(opened: str) -> None:
    text = "a:\n" + "".join(f"{' ' * n}{opened}\n" for n in range(600)) if opened == "- " else f"a: {opened * 5000}"
    (fault,) = read_yaml(text.encode(), "deep.yaml").faults
    assert fault.message == "nested more than 24 deep"


def test_read__an_alias_bomb_is_not_expanded() -> None:
    # Nine levels of nine aliases each would be 9 ** 9 = 387,420,489 words.
    lines = ["a0: &a0 [lol]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    tracemalloc.start()
    document = read_yaml("\n".join(lines).encode(), "bomb.yaml")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum("alias" in fault.message for fault in document.faults) == 81
    assert peak < 20_000_000
    assert document.data["a9"] == [""] * 9


@pytest.mark.parametrize("digits", [9, 5_000, 200_000])
def test_read__a_bomb_of_digits_is_refused_and_not_converted(digits: int) -> None:
    (fault,) = read_yaml(f"a: {'9' * digits}\n".encode(), "digits.yaml").faults
    assert fault.key == "a"
    assert "too large" in fault.message
    assert len(str(fault)) < 200


@pytest.mark.parametrize("word", ["1" * 200_000 + "x", "0x" + "f" * 200_000, "a" * 200_000], ids=["1", "f", "a"])
def test_read__words_of_two_hundred_thousand_characters_are_read_in_one_pass(word: str) -> None:
    # With a backtracking pattern this would not come back: 200,000 squared.
    assert read_yaml(f"a: {word}\n".encode(), "f").data == {"a": word}


def test_read__plain_values_have_their_types() -> None:
    text = 'i: -12\nf: 0.25\nt: true\no: false\ns: West shaft\nq: "12"\nb: |\n  two\n  lines\nm: {false: 0, true: 1}\n'
    document = read_yaml(text.encode(), "f")
    assert document.faults == ()
    assert document.data == {
        "i": -12,
        "f": 0.25,
        "t": True,
        "o": False,
        "s": "West shaft",
        "q": "12",
        "b": "two\nlines\n",
        "m": {"false": 0, "true": 1},
    }
    assert document.plain == {"s"}


def test_read__lines_are_those_of_the_keys_and_paths_use_ids() -> None:
    text = "a: 1\nactions:\n  - id: open\n    needs:\n      - {when: x}\n      - {when: y}\n  - id: close\n"
    document = read_yaml(text.encode(), "f")
    assert document.lines["actions"] == 2
    assert document.lines["actions.open.needs"] == 4
    assert document.lines["actions.open.needs.2.when"] == 6
    assert document.lines["actions.close"] == 7
    assert document.paths["actions", 0, "needs", 1, "when"] == "actions.open.needs.2.when"


@pytest.mark.parametrize("word", ["3d", "v2", "12 minutes", "no reply", "on the roof", "on-call", "eastward", "1.2.3"])
def test_read__words_that_only_begin_like_something_odd_are_text(word: str) -> None:
    document = read_yaml(f"a: {word}\nb: [x]\n".encode(), "f")
    assert document.faults == ()
    assert document.data["a"] == word


def test_read__a_percent_sign_inside_a_text_is_no_directive() -> None:
    document = read_yaml(b'a: |\n  %FOO\n  %YAML 1.1\nb: "x\n%y"\n', "f")
    assert document.faults == ()
    assert document.data == {"a": "%FOO\n%YAML 1.1\n", "b": "x %y"}


def test_read__more_keys_and_values_than_any_story_has_are_refused_where_they_pass_the_limit() -> None:
    # Each line is a key and a value; the document itself is one more: line 5,000 holds numbers 10,000 and 10,001.
    document = read_yaml(b"".join(b"k%d: 1\n" % n for n in range(20_000)), "f")
    (fault,) = document.faults
    assert (fault.line, fault.message) == (5_000, "more than 10,000 keys and values")
    assert read_yaml(b"".join(b"k%d: 1\n" % n for n in range(4_999)), "f").faults == ()
