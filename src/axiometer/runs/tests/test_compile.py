"""Objects that programs share: what their names depend on, and that each is made once."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs.cosim.compile import Object, Pool, kept, tree


def sources(folder, text="int one(void) { return 1; }\n"):
    room = folder / "room"
    room.mkdir(parents=True)
    (room / "one.c").write_text(text)
    (room / "two.c").write_text("int one(void);\nint two(void) { return 2 * one(); }\n")
    return room


def named(tmp_path, room, flags=()):
    files = sorted(room.glob("*.c"))
    return kept(tmp_path / "objects", "both", ["cc"], flags, [room], files, tree(room))


def test_checkouts_share_objects_and_a_change_has_its_own(tmp_path):
    here, there = sources(tmp_path / "a"), sources(tmp_path / "b")
    changed = sources(tmp_path / "c", "int one(void) { return 3; }\n")
    name = named(tmp_path, here).target
    assert named(tmp_path, there).target == name
    assert named(tmp_path, changed).target != name
    assert named(tmp_path, here, ["-O2"]).target != name


def test_an_object_is_made_once(tmp_path):
    one = named(tmp_path, sources(tmp_path / "a"))
    with Pool() as pool:
        first, second = pool.start([one, one])
        made = first.result()
        assert second is first
    when = made.stat().st_mtime_ns
    assert one.make() == made
    assert made.stat().st_mtime_ns == when


def test_a_compiler_that_fails_leaves_no_object(tmp_path, capfd):
    room = sources(tmp_path / "a", "no C\n")
    broken = Object(["cc"], (), [], [room / "one.c"], tmp_path / "one.o")
    with pytest.raises(AxiometerError, match="the compiler failed: cc ended with status 1"):
        broken.make()
    assert not broken.target.exists()
    assert "error" in capfd.readouterr().err
