"""Results that are kept: of the same inputs once, and of anything else anew."""

import pytest
from flow import kept


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Makes a result of its inputs; `make.calls` says how often anything was made."""
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "a.sv"
    source.write_text("module a;")

    def asked(*inputs, good=bool):
        def work():
            asked.calls += 1
            return [source.read_text(), *inputs]

        return kept.result(inputs, [source], work, good)

    asked.calls, asked.source = 0, source
    return asked


def test_the_same_is_made_once(make):
    assert make(1) == make(1) == ["module a;", 1]
    assert make.calls == 1


def test_a_changed_source_is_made_anew(make):
    """As a mutant is."""
    make(1)
    make.source.write_text("module b;")
    assert make(1) == ["module b;", 1]
    assert make.calls == 2


def test_another_setting_tool_or_header_is_made_anew(make, monkeypatch):
    make(1)
    assert make(2)[1] == 2
    monkeypatch.setattr(kept, "_tools", lambda: ("another version",))
    make(1)
    monkeypatch.setattr(kept, "_included", lambda: (("axm.svh", "another"),))
    make(1)
    assert make.calls == 4


def test_what_is_not_good_or_damaged_is_not_kept(make):
    make(1, good=lambda result: False)
    make(1)
    for path in kept.home().iterdir():
        path.write_text('["modu')
    assert make(1) == ["module a;", 1]
    assert make.calls == 3
