"""Takes the structures out of a register file that regblock wrote.

Old tools refuse unpacked structures, and structures as ports: docs/rtl-results.md. Here each member
becomes a signal of its own: `hwif_in.CAPS.DEPTH.next` is port `hwif_in_CAPS_DEPTH`, and
`hwif_out.WR.DONE.CODE.swacc` is port `hwif_out_WR_DONE_CODE_swacc`. The logic stays as it is.
"""

from __future__ import annotations

import re

PORTS = ("hwif_in", "hwif_out")
LOCAL = ("decoded_reg_strb", "field_combo", "field_storage")
_TOKEN = re.compile(r"\w+|\[[^\]]*\]|[{};]")


def flatten(block: str, module: str, package: str) -> tuple[str, str]:
    """Both files without structures; ValueError if regblock writes what is not known here."""
    types = _typedefs(package)
    members = {}
    for port in PORTS:
        found = re.search(rf"\b(input|output) {block}_regs_pkg::(\w+) {port}\b", module)
        if found is None:
            continue
        direction, name = found.groups()
        members[port] = list(_leaves(types[name], types))
        ports = (f"{direction} {kind} {_name(port, path)}" for kind, path in members[port])
        module = module.replace(found[0], ",\n        ".join(ports))
    for signal in LOCAL:
        found = re.search(rf"typedef struct (\{{.*?\n    \}}) {signal}_t;", module, re.S)
        if found is None:
            continue
        members[signal] = list(_leaves(_members(found[1]), {}))
        lines = "\n    ".join(f"{kind} {_name(signal, path)};" for kind, path in members[signal])
        module = module.replace(found[0], lines).replace(f"    {signal}_t {signal};\n", "")
    for signal, leaves in members.items():
        names = [_name(signal, path) for _, path in leaves]
        if len(set(names)) != len(names):
            raise ValueError(f"{block}: two members of {signal} have one name when flat")
        known = {signal + "".join(f".{part}" for part in path): _name(signal, path)
                 for _, path in leaves}  # fmt: skip
        module = re.sub(rf"\b{signal}(\.\w+)+", lambda m, known=known: known[m[0]], module)
    module = _named_blocks(module)
    module = re.sub(r"\w+: assert\(", "assert (", module)  # Icarus takes no label there
    # Quartus does not define SYNTHESIS; what it goes by is this comment.
    module = re.sub(
        r"( *)(`ifndef SYNTHESIS\n.*?`endif)",
        r"\1// synthesis translate_off\n\1\2\n\1// synthesis translate_on",
        module,
        flags=re.S,
    )
    package = re.sub(r"\n    typedef struct .*?\n    \} \w+;\n", "", package, flags=re.S)
    package = _constants(package)
    for text in (module, package):
        left = re.search(r".*\b(struct|automatic|enum|typedef)\b.*", text)
        if left:
            raise ValueError(f"{block}: regblock has changed: {left[0].strip()!r}")
    return module, package


def _name(signal: str, path: tuple[str, ...]) -> str:
    """The name of a member as a signal; `next` and `value` are what a member is by default."""
    if signal != "field_combo" and path[-1] in ("next", "value"):
        path = path[:-1]
    return "_".join((signal, *path))


def _typedefs(package: str) -> dict[str, object]:
    """Structures by name: the members, or for a packed one the vector that it is."""
    types: dict[str, object] = {}
    for packed, body, name in re.findall(
        r"typedef struct (packed )?(\{.*?\n    \}) (\w+);", package, re.S
    ):
        types[name] = f"logic [{_bits(body) - 1}:0]" if packed else _members(body)
    return types


def _bits(body: str) -> int:
    """Width of a packed structure of vectors."""
    return sum(
        int(kind[kind.index("[") + 1 : kind.index(":")]) + 1 if "[" in kind else 1
        for kind in _members(body).values()
    )


def _members(body: str) -> dict[str, object]:
    """Members of a structure: name -> type as it is written, or the members of one inside."""
    tokens = _TOKEN.findall(body)

    def read(at: int) -> tuple[dict, int]:
        members: dict[str, object] = {}
        while tokens[at] != "}":
            if tokens[at] == "struct":
                inside, at = read(at + 2)
                members[tokens[at]] = inside
            else:
                start = at
                while tokens[at + 1] != ";":
                    at += 1
                members[tokens[at]] = " ".join(tokens[start:at])
            if tokens[at + 1] != ";":
                raise ValueError(f"an array of structures in {body!r}")
            at += 2
        return members, at + 1

    return read(1)[0]


def _leaves(members: dict, types: dict, path: tuple[str, ...] = ()):
    for name, kind in members.items():
        if isinstance(kind, str):
            kind = types.get(kind, kind)
        if isinstance(kind, dict):
            yield from _leaves(kind, types, (*path, name))
        else:
            yield kind, (*path, name)


def _named_blocks(module: str) -> str:
    """Variables of a block in a block with a name, and without `automatic`."""
    count = 0

    def named(found: re.Match) -> str:
        nonlocal count
        count += 1
        return f"always_comb begin : comb_{count}\n{found[1].replace('automatic ', '')}"

    return re.sub(r"always_comb begin\n((?: *automatic [^\n]*\n)+)", named, module)


def _constants(package: str) -> str:
    """An enumeration as constants of its width."""

    def constants(found: re.Match) -> str:
        high, body = int(found[1]), found[2]
        values = re.findall(r"(\w+) = 'h([0-9a-f]+)", body)
        lines = (f"localparam logic [{high}:0] {name} = {high + 1}'h{value};"
                 for name, value in values)  # fmt: skip
        return "\n    ".join(lines)

    return re.sub(r"typedef enum logic \[(\d+):0\] \{(.*?)\} \w+;", constants, package, flags=re.S)
