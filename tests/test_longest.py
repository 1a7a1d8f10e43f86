"""The order in which workers take files of tests."""

import kit


def test_every_file_is_there():
    lines = (kit.ROOT / "tests" / "longest.txt").read_text(encoding="utf-8").splitlines()
    files = [line for line in lines if not line.startswith("#")]
    assert len(set(files)) == len(files) > 0
    assert [file for file in files if not (kit.ROOT / file).is_file()] == []


def test_the_longest_come_first(request):
    """Of those that this session runs."""
    lines = (kit.ROOT / "tests" / "longest.txt").read_text(encoding="utf-8").splitlines()
    seen = [item.path.relative_to(kit.ROOT).as_posix() for item in request.session.items]
    ran = list(dict.fromkeys(seen))
    listed = [line for line in lines if line in ran]
    assert ran[: len(listed)] == listed
