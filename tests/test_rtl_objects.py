"""Objects of the RTL backend that are made once, whoever asks for them."""

from concurrent.futures import ThreadPoolExecutor

from axiometer.runs.cosim import compile


def test_a_lock_has_one_holder_and_leaves_nothing(tmp_path):
    inside = []
    most = []

    def enter(_):
        with compile.locked(tmp_path / "lock"):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    with ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(enter, range(400)))
    assert set(most) == {1} and len(most) == 400
    assert not list(tmp_path.iterdir())


def test_an_object_that_many_want_is_compiled_once(tmp_path):
    compiler = tmp_path / "compiler"
    compiler.write_text(f"""#!/bin/sh
echo once >> {tmp_path}/calls
sleep 0.1
while [ "$1" != -o ]; do shift; done
touch "$2"
""")
    compiler.chmod(0o755)
    source = tmp_path / "any.c"
    one = compile.kept(tmp_path / "objects", "any", [str(compiler)], (), (), [source], "mark")
    with ThreadPoolExecutor(max_workers=4) as pool:
        made = set(pool.map(lambda _: one.make(), range(4)))
    assert made == {one.target} and one.target.is_file()
    assert (tmp_path / "calls").read_text() == "once\n"
    assert [path.suffix for path in (tmp_path / "objects").iterdir()] == [".o"]
