"""`.gitattributes` marks exactly the generated files, and no text has a refused phrase."""

import re
import subprocess

import kit
import plain_words

# What the first lines of a file that a tool writes say.
NOTICE = re.compile(
    r"changes here are lost|do not edit it|change that, not this|by `make lock`|^Made by `tools/",
    re.I,
)
LINES = 8
# Files of formats that have no place for a notice, and pages whose notice is at their end.
WITHOUT_NOTICE = re.compile(
    r"\.(csv|ipynb|json)$|^(docs/boards|tests/pictures)/|/results\.md$|/licences\.md$"
)


def marked() -> dict[str, bool]:
    """Every file under version control: whether it is marked as generated."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=kit.ROOT, capture_output=True, check=True
    )
    asked = subprocess.run(
        ["git", "check-attr", "-z", "--stdin", "linguist-generated"],
        cwd=kit.ROOT, input=listed.stdout, capture_output=True, check=True,
    )  # fmt: skip
    words = asked.stdout.decode().split("\0")
    return dict(zip(words[0::3], (word == "set" for word in words[2::3]), strict=False))


def noticed(name: str) -> bool:
    with (kit.ROOT / name).open(encoding="utf-8", errors="replace") as file:
        return any(NOTICE.search(line) for line, _ in zip(file, range(LINES), strict=False))


def test_generated_files_are_marked():
    wrong = {
        name: found
        for name, found in marked().items()
        if found != noticed(name) and not (found and WITHOUT_NOTICE.search(name))
    }
    assert wrong.keys() <= {"tests/test_generated_files.py"}, wrong


def test_a_notice_is_found():
    assert noticed("regs/generated/dma.h") and noticed("boards/zybo-z7.toml")
    assert not noticed("boards/zybo.toml") and not noticed("regs/README.md")


def test_pages_and_texts_are_plain():
    assert list(plain_words.everywhere()) == []


def test_a_phrase_is_found_at_its_place(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("About 5.\nWhat limits: where buffers lie.\n")
    first, second = plain_words.found([page], plain_words.phrases())
    assert first.startswith(f"{page}:2: 'What limits: ': write Limit")
    assert "DRAM bank conflicts" in second


def test_pages_have_a_list_of_their_own(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("The rate hangs on the clock.\n")
    (line,) = plain_words.found([page], plain_words.phrases(plain_words.WORDS_OF_PAGES))
    assert line.endswith("'hangs on': write depends on")
