"""docs/boards.md has the program's answers, and all boards of a chip answer the same."""

from tools import ports_page as tool

from axiometer.platform import Platform


def test_the_page_is_of_today():
    text = tool.PAGE.read_text(encoding="utf-8")
    assert tool.marks.section(text, tool.COMMAND) == tool.page()


def test_boards_of_a_chip_answer_alike():
    """Each board beyond the first is asked for one master at each port."""
    for names in tool.boards().values():
        first = tool.answers(Platform.load(names[0]))
        masters = list(dict.fromkeys(master for _, where, master in first if where == "alone"))
        for number, name in enumerate(names[1:]):
            platform, master = Platform.load(name), masters[number % len(masters)]
            assert set(platform.ports) == {port for port, *_ in first}
            for port in platform.ports:
                wanted = first.get((port, "alone", master))
                if wanted is not None:
                    assert (not tool.alone(platform, port, master)) == (not wanted), (name, port)
