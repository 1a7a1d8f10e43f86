"""Puts what regblock works out beside a register into the register's own clocked block.

The function is the same, and so are the flip-flops and their enables. A simulator then does little
for a register file in a clock without a write: regblock's form has it work out the next value of
each field in every clock. Reads stay as they are: in this form they take more LUT.
"""

from __future__ import annotations

import re

_DECODER = re.compile(
    r"(decoded_reg_strb_\w+) = cpuif_req_masked & \((cpuif_addr == \d+'h[0-9a-f]+)\)[^;]*;"
)
# One field: how its next value follows, and the register. Without a reset there is no `if(rst)`.
_FIELD = re.compile(
    r"    always_comb begin : comb_\d+\n"
    r"        logic \[[^\n]*\] next_c;\n        logic load_next_c;\n"
    r"        next_c = (?P<field>\w+);\n        load_next_c = '0;\n"
    r"(?P<body>.*?)"
    r"        (?P<next>field_combo_\w+_next) = next_c;\n"
    r"        (?P<load>field_combo_\w+_load_next) = load_next_c;\n    end\n"
    r"    always_ff @\(posedge clk\) begin\n"
    r"(?:        if\(rst\) begin\n            \w+ <= (?P<reset>[^;]*);\n        end else begin\n)?"
    r" *if\((?P=load)\) begin\n *(?P=field) <= (?P=next);\n *end\n"
    r"(?:        end\n)?    end\n",
    re.S,
)
_WRITE = re.compile(
    r"        if\((decoded_reg_strb_\w+) && decoded_req_is_wr\) begin // SW write\n"
    r" *next_c = ([^;]*);\n *load_next_c = '1;\n        end\n"
)


def clocked(module: str) -> str:
    """The same register file; ValueError if regblock writes what is not known here."""
    places = dict(_DECODER.findall(module))
    written: dict[str, list[str]] = {}
    resets: list[str] = []
    unused: list[str] = []

    def field(found: re.Match) -> str:
        unused.extend((found["next"], found["load"]))
        write = _WRITE.fullmatch(found["body"])
        if write and write[1] in places and found["reset"] is not None:
            written.setdefault(places[write[1]], []).append(f"{found['field']} <= {write[2]};")
            resets.append(f"{found['field']} <= {found['reset']};")
            return ""
        body = re.sub(r" *load_next_c = '1;\n", "", found["body"])
        body = body.replace("next_c = ", f"{found['field']} <= ")
        if found["reset"] is not None:
            body = (
                f"        if(rst) begin\n            {found['field']} <= {found['reset']};\n"
                f"        end else {body.lstrip()}"
            )
        return f"    always_ff @(posedge clk) begin\n{body}    end\n"

    module = _FIELD.sub(field, module)
    for name in unused:
        module = re.sub(rf"    logic (\[[^\n]*\] )?{name};\n", "", module)
    if "next_c" in module:
        raise ValueError("regblock has changed: a field's next value is not understood")
    if written:
        module = module.replace(_RESPONSE, _writes(written, resets) + _RESPONSE, 1)
    return module


_RESPONSE = f"    //{'-' * 74}\n    // Write response\n"


def _writes(written: dict[str, list[str]], resets: list[str]) -> str:
    """The fields that nothing but a write changes."""
    lines = ["always_ff @(posedge clk) begin", "    if(rst) begin"]
    lines += [f"        {reset}" for reset in resets]
    lines += ["    end else if(decoded_req && decoded_req_is_wr) begin"]
    for place, fields in written.items():
        lines += [
            f"        if({place}) begin",
            *(f"            {one}" for one in fields),
            "        end",
        ]
    lines += ["    end", "end", ""]
    return "".join(f"    {line}\n" if line else "\n" for line in lines)
