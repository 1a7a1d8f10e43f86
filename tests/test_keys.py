"""One visit of each configuration: every key that it names is read, printed and described; other
keys are refused, in every form of a configuration."""

import random
import subprocess
import sys

import pytest
from tools import keys_page, limits_page

import kit
from axiometer import _model as model
from axiometer.runs.cosim.process import flat
from axiometer.simulate.model_tables import Path
from law_cases import one_reader
from validate import marks

WAYS = {
    "chip": (model.describe, model.configuration),
    "processor": (model.describe_processor, model.processor_configuration),
}


def drawn(rows, rng, policy="usp-ddrc"):
    """A document with every key of `rows`, each with a value of its type."""
    lists = {"paths[]": 2, "ports[]": 3, "streams[]": 2}
    document = {name.removesuffix("[]"): [{} for _ in range(n)] for name, n in lists.items()}
    if not any(row["table"] in lists for row in rows):
        document = {}
    for row in rows:
        if row["only"] not in ("", policy):
            continue
        keys = [f"{row['key']}{way}" for way in (("_read", "_write") if row["pair"] else ("",))]
        for table in tables(document, row["table"]):
            table |= {key: value(row, rng) for key in keys}
    if "controller" in document:
        document["controller"]["policy"] = policy
    return document


def tables(document, name):
    if name.endswith("[]"):
        return document[name.removesuffix("[]")]
    for part in name.split(".") if name else ():
        document = document.setdefault(part, {})
    return [document]


def value(row, rng):
    # As large as any type of number holds, whatever is in bounds.
    least, most = max(row["least"], 0), min(row["most"], 2**31 - 1)
    return {
        "whole number": lambda: rng.randint(least, most),
        "number": lambda: rng.random(),
        "truth": lambda: rng.random() < 0.5,
        "text": lambda: rng.choice("abc"),
        "word": lambda: rng.choice(row["words"]),
        "list of whole numbers": lambda: [rng.randint(0, 39) for _ in range(rng.randint(1, 5))],
    }[row["type"]]()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("policy", ["usp-ddrc", "zynq-ddrc"])
def test_what_is_given_is_what_the_model_has(way, policy):
    describe, configuration = WAYS[way]
    for seed in range(50):
        document = drawn(describe(), random.Random(seed), policy)
        given = dict(flat(document))
        had = {name: text(x) for name, x in configuration(document).items()}
        assert had == given


def text(x):
    return str(x).lower() if isinstance(x, bool) else str(x)


def test_each_key_can_be_missing_or_has_its_default():
    for describe, configuration in WAYS.values():
        rows = describe()
        for row in rows:
            document = drawn(rows, random.Random(1), row["only"] or "usp-ddrc")
            keys = [row["key"] + way for way in (("_read", "_write") if row["pair"] else ("",))]
            if row["key"] == "policy":
                continue
            for table in tables(document, row["table"]):
                table.pop(keys[-1])
            name = row["table"].replace("[]", "[0]")
            full = f"{name}.{keys[-1]}" if name else keys[-1]
            if row["required"]:
                with pytest.raises(ValueError, match=f"^{pattern(full)}: is missing"):
                    configuration(document)
            elif row["type"] != "list of whole numbers":
                assert text(configuration(document)[full]) == row["default"]


def pattern(name):
    return name.replace("[", r"\[").replace("]", r"\]").replace(".", r"\.")


def test_a_key_is_described_once_with_what_it_means():
    for describe in (model.describe, model.describe_processor, model.describe_start):
        rows = describe()
        names = [(row["table"], row["key"], row["only"]) for row in rows]
        assert len(set(names)) == len(names)
        for row in rows:
            assert row["meaning"], row
            assert row["type"] != "whole number" or row["least"] < row["most"], row
    found = {(row["table"], row["key"]) for row in model.describe()}
    assert {("dram.timing", "tRFC"), ("controller", "starved_writes_turn")} <= found
    assert {("paths[]", "part_clocks"), ("ports[]", "qos"), ("streams[]", "base")} <= found


@pytest.mark.parametrize("key", ["request_clocks", "inflight"])
def test_one_value_is_for_both_directions(key):
    spec, _ = one_reader()
    path = spec["paths"][0]
    del path[f"{key}_read"], path[f"{key}_write"]
    path[key] = 7
    had = model.configuration(spec)
    assert had[f"paths[0].{key}_read"] == had[f"paths[0].{key}_write"] == 7
    path[f"{key}_read"] = 7
    with pytest.raises(ValueError, match=rf"paths\[0\]\.{key}_read: the model has no such key"):
        model.configuration(spec)


def test_a_key_of_another_policy_is_none():
    spec, _ = one_reader()
    spec["controller"]["dram_clocks"] = 2
    with pytest.raises(ValueError, match=r"^controller\.dram_clocks: the model has no such key"):
        model.Simulator(spec)
    spec["controller"]["policy"] = "usp-ddrc"
    with pytest.raises(ValueError, match=r"^controller\.low_latency_entries: is missing"):
        model.Simulator(spec)
    spec["controller"]["policy"] = "first-come"
    known = ", ".join(model.machine_parts())
    with pytest.raises(ValueError, match=rf"^controller\.policy: must be one of {known}, not"):
        model.Simulator(spec)


@pytest.mark.parametrize(
    ("tool", "files"),
    [
        ("platform_tables", [f"host/src/platform_{c}.c" for c in ("zynq7000", "zynqmp")]),
        ("chip_headers", [f"host/include/axm/{c}.h" for c in ("cyclone5", "zynq7000", "zynqmp")]),
        (
            "model_tables",
            ["src/axiometer/simulate/model_tables.py", "src/axiometer/platform/model_limits.py"],
        ),
        ("typed_keys", ["src/axiometer/api/typed_keys.py"]),
    ],
)
def test_pages_modules_and_headers_are_made_from_their_sources(tool, files):
    tool = kit.ROOT / "tools" / f"{tool}.py"
    made = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True)
    assert "".join((kit.ROOT / file).read_text() for file in files) == made.stdout


@pytest.mark.parametrize("tool", [keys_page, limits_page])
def test_the_page_is_made_from_the_model_and_from_the_table_of_limits(tool):
    page = (kit.ROOT / "docs" / "keys.md").read_text()
    assert marks.section(page, tool.COMMAND) == tool.page()


def test_a_table_has_the_models_keys_and_no_others():
    given = {"name": "a", "request_clocks": 7, "release_clocks": 0, "inflight": 4}
    path = Path.of(given | {"column_clocks": 0, "ordered": True})
    assert path.request_clocks_read == path.request_clocks_write == 7
    assert "queue_parts_read" not in path.document()  # of another policy
    with pytest.raises(ValueError, match=r"^paths\[\]\.speed: the model has no such key"):
        Path.of({"speed": 1})
    assert path.having({"inflight": lambda n: 2 * n, "queue_parts": lambda n: 2 * n}) == Path.of(
        {**vars(path), "inflight_read": 8, "inflight_write": 8}
    )
