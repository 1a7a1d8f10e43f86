"""The list of phrases that readers do not meet: it finds what it lists, and nothing is there."""

import sys

import kit

sys.path.insert(0, str(kit.ROOT / "tools"))
import plain_words


def test_pages_and_texts_are_plain():
    assert list(plain_words.everywhere()) == []


def test_a_phrase_is_found_where_it_stands(tmp_path):
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
