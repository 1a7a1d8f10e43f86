"""Makes the page as a web site of static files, which answers in the browser itself: the package as
a wheel for Pyodide, with the model as WebAssembly, and the page of `axiometer serve`.

Usage: python tools/browser.py [--output DIRECTORY]    (`make browser`: dist/)

Writes DIRECTORY/browser/, and DIRECTORY/pyodide-VERSION/ beside it, which versions of the site
share. The wheel is what is installed here, with the model compiled by ziglang from the sources of
all wheels; it also installs in JupyterLite (`%pip install`, PEP 783). Needs headers of a CPython
3.12 or newer, for the stable ABI. Pyodide and Binaryen come from the npm registry: their versions
and hashes are in pyproject.toml.

ziglang has the headers of wasi-libc and of its own libc++, while Pyodide links Emscripten's: the
ABI is the same by luck, not by promise. tests/test_browser.py guards it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind
import playwright

from axiometer.base.processors import usable
from licences import notices
from requirements import project
from wheels import ROOT, TRIED, found

BUILD = ROOT / "build" / "browser"
PAGE = ROOT / "src" / "axiometer" / "serve" / "static"
SUPPLIES = project()["tool"]["axiometer"]["npm"]
FLAGS = {key: text.split() for key, text in project()["tool"]["axiometer"]["wasm"].items()}
PYODIDE = f"pyodide-{SUPPLIES['pyodide']['version']}"
# Of the ABI of Pyodide 314.
TAG = "cp312-abi3-pyemscripten_2026_0_wasm32"
# What needs a compiler or a board is left out.
SKIPPED = (
    *(f"data/{room}/" for room in ("rtl", "host", "cosim", "model", "regs")),
    *("bringup/", "serve/static/"),
)


def node() -> Path:
    """Node, which playwright carries."""
    return Path(playwright.__file__).parent / "driver" / "node"


def supply(name: str) -> Path:
    """The unpacked folder of an npm package."""
    version, integrity = SUPPLIES[name]["version"], SUPPLIES[name]["integrity"]
    folder = BUILD / "npm" / f"{name}-{version}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        archive = folder.with_suffix(".tgz")
        address = f"https://registry.npmjs.org/{name}/-/{name}-{version}.tgz"
        with urllib.request.urlopen(address, timeout=60) as source:
            archive.write_bytes(source.read())
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if f"sha512-{digest}" != integrity:
            sys.exit(f"{address} has another hash than pyproject.toml: {digest}")
        part = folder.with_suffix(".part")  # cut off here, it is begun anew
        shutil.rmtree(part, ignore_errors=True)
        with tarfile.open(archive) as packed:
            packed.extractall(part, filter="data")
        part.rename(folder)
    return folder / "package"


def headers() -> Path:
    """The headers of a CPython with the stable ABI that the wheel is for."""
    for version in TRIED[1:]:
        if python := found(version):
            ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('include'))"]
            place = Path(subprocess.check_output(ask, text=True).strip())
            if (place / "Python.h").is_file():
                return place
    sys.exit(f"no Python {' or '.join(TRIED[1:])} with headers: put one on PATH")


def model() -> Path:
    """The model as a WebAssembly module of Pyodide, compiled anew if a source has changed."""
    sources = sorted((ROOT / "model" / "src").rglob("*.cpp"))
    binding = sorted((ROOT / "model" / "binding").glob("*.cpp"))
    own = [*sorted((ROOT / "model").rglob("*.?pp")), Path(__file__), ROOT / "pyproject.toml"]
    made_of = hashlib.sha256(b"".join(path.read_bytes() for path in own)).hexdigest()
    module = BUILD / f"model-{made_of[:16]}.so"
    if module.is_file():
        return module
    work = BUILD / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "pyconfig.h").touch()
    ours = Path(nanobind.__file__).parent
    folders = [work, headers(), ours / "include", ours / "ext" / "robin_map" / "include"]
    folders += [ROOT / "model" / "include", ROOT / "model" / "binding"]
    zig, combined = [sys.executable, "-m", "ziglang"], ours / "src" / "nb_combined.cpp"

    def compiled(name: str, files: list[Path], *more: str) -> Path:
        whole = work / f"{name}.cpp"
        whole.write_text("".join(f'#include "{file}"\n' for file in files))
        command = [*zig, "c++", *FLAGS["compile"], *more, *(f"-I{folder}" for folder in folders)]
        subprocess.run([*command, "-c", whole, "-o", whole.with_suffix(".o")], check=True)
        return whole.with_suffix(".o")

    with ThreadPoolExecutor(usable()) as pool:
        pieces = [sources[at : at + 16] for at in range(0, len(sources), 16)]
        started = [pool.submit(compiled, f"model{n}", piece) for n, piece in enumerate(pieces)]
        started.append(pool.submit(compiled, "binding", binding))
        started.append(pool.submit(compiled, "nanobind", [combined], "-DNB_BUILD"))
        objects = [one.result() for one in started]
    linked = work / "model.so"
    subprocess.run([*zig, "wasm-ld", *FLAGS["link"], *objects, "-o", linked], check=True)
    optimiser = supply("binaryen") / "bin" / "wasm-opt"
    subprocess.run([node(), optimiser, *FLAGS["optimise"], linked, "-o", linked], check=True)
    return linked.replace(module)


def wheel(module: Path, folder: Path) -> Path:
    """The installed package with this model, as a wheel in `folder`."""
    installed = Path(sysconfig.get_path("platlib"))
    package, told = installed / "axiometer", importlib.metadata.distribution("axiometer")
    info = f"axiometer-{told.version}.dist-info"
    content = {
        f"axiometer/{name}": path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and path.suffix not in (".so", ".pyc", ".pyi", ".md")
        and not (name := path.relative_to(package).as_posix()).startswith(SKIPPED)
    } | {
        "axiometer/_model.abi3.so": module.read_bytes(),
        f"{info}/METADATA": (told.read_text("METADATA") or "").encode(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: axiometer\nRoot-Is-Purelib: false\n"
        f"Tag: {TAG}\n".encode(),
    }  # fmt: skip
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in content.items()]
    content[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    path = folder / f"axiometer-{told.version}-{TAG}.whl"
    with zipfile.ZipFile(path, "w", compresslevel=9) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def site(output: Path) -> Path:
    """The site in `output`/browser, with Pyodide beside it; its folder."""
    folder, beside = output / "browser", output / PYODIDE
    for place in (folder, beside):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    for name in SUPPLIES["pyodide"]["files"]:
        shutil.copyfile(supply("pyodide") / name, beside / name)
    names = {"WHEEL": wheel(model(), folder).name, "PYODIDE": f"../{PYODIDE}"}
    for path in sorted(PAGE.iterdir()):
        text = path.read_text(encoding="utf-8")
        for mark, name in names.items() if path.name in ("worker.js", "sw.js") else ():
            text = text.replace(f"{{{mark}}}", name)
        name = "index.html" if path.suffix == ".html" else path.name
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    (folder / "NOTICES.txt").write_text(notices(), encoding="utf-8")
    kept = sorted(path.name for path in folder.iterdir())
    version = _digest(b"".join((folder / name).read_bytes() for name in kept))
    keeper = folder / "sw.js"
    text = keeper.read_text().replace("{VERSION}", version[:12])
    kept += [f"../{PYODIDE}/{name}" for name in SUPPLIES["pyodide"]["files"]]
    keeper.write_text(text.replace("{FILES}", " ".join(kept)))
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    print(site(parser.parse_args().output.resolve()))


if __name__ == "__main__":
    main()
