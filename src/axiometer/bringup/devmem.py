"""Words of physical memory on a board's Linux: busybox's `devmem`, or python3 in its place.

Debian's busybox has no devmem.
"""

PROGRAM = """\
import ctypes, mmap, os, sys
at, page = int(sys.argv[2], 0), mmap.PAGESIZE
file = os.open(sys.argv[1], os.O_RDWR | os.O_SYNC)
word = ctypes.c_uint32.from_buffer(mmap.mmap(file, page, offset=at // page * page), at % page)
if len(sys.argv) > 4:
    word.value = int(sys.argv[4], 0)
else:
    print("0x%08X" % word.value)
"""
"""For python3, with the words FILE ADDRESS 32 [VALUE], FILE being MEM: reads or writes one word. A
process of its own: if nothing answers, only that ends."""
MEM = "/dev/mem"

SHELL = f"""\
if ! command -v devmem > /dev/null && command -v python3 > /dev/null; then
devmem() {{
python3 -c '{PROGRAM}' "${{AXM_MEM:-{MEM}}}" "$@"
}}
fi
"""
"""Lines of a POSIX shell that define `devmem` where there is none."""
LACKING = "devmem is missing, and python3, which can do the same: install python3"
