"""Writes bills of materials in CycloneDX JSON, for users and for development.

Usage: python tools/sbom.py [--output DIRECTORY]     (default: dist/)
Made from pyproject.toml, the lock files and requirements/licences.toml, reproducibly. Extras are
`optional`, packages only for builds and tests are `excluded`. The lock files have the hashes of
archives; they are not repeated, because a component may be any of several wheels.
"""

import argparse
import json
import sys
import tomllib
from pathlib import Path

from dependencies import Package, licence_of, licences, locked, pins, refused, required
from lock import ROOT, groups
from requirements import requirements

SPECIFICATION = "1.6"
BILLS = {"user": "axiometer.cdx.json", "development": "axiometer-development.cdx.json"}


def reference(package: Package) -> str:
    """The package URL of a package, which is also its name inside the document."""
    return f"pkg:pypi/{package.name}@{package.version}"


def component(package: Package, scope: str) -> dict:
    """A CycloneDX component."""
    purl = reference(package)
    item = {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "scope": scope,
        "licenses": [{"expression": licence_of(package.name)}],
        "purl": purl,
    }
    if package.marker:
        item["properties"] = [{"name": "axiometer:marker", "value": package.marker}]
    return item


def carried(packages: dict[str, Package]) -> list[dict]:
    """Third-party parts inside the package or in its outputs."""
    return [
        {
            "type": "library",
            "bom-ref": f"carried:{item['name']}",
            "name": item["name"],
            "description": item["where"],
            "licenses": [{"expression": item["licence"]}],
            "properties": [
                {"name": "axiometer:from", "value": reference(packages[item["package"]])}
            ],
        }
        for item in licences()["carried"]
    ]


def bill(audience: str) -> dict:
    """The CycloneDX document for `user` or `development`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [audience] if audience == "user" else list(groups())
    packages = {name: package for lock in names for name, package in locked(lock).items()}
    user, needed = set(locked("user")), required()
    scopes = {
        name: "required" if name in needed else "optional" if name in user else "excluded"
        for name in packages
    }
    inside = carried(locked("development"))
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    direct = {
        name for lock in names for group in groups()[lock] for name in pins(requirements(group))
    }
    depends = {own: [reference(packages[n]) for n in sorted(direct)]}
    depends[own] += [item["bom-ref"] for item in inside]
    depends |= {item["bom-ref"]: [] for item in inside}
    for name in sorted(packages):
        children = [reference(p) for _, p in sorted(packages.items()) if name in p.parents]
        depends[reference(packages[name])] = children
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
                "purl": own,
            }
        },
        "components": [component(packages[n], scopes[n]) for n in sorted(packages)] + inside,
        "dependencies": [{"ref": ref, "dependsOn": on} for ref, on in depends.items()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    options = parser.parse_args()
    if faults := refused():
        sys.exit("\n".join(faults))
    options.output.mkdir(parents=True, exist_ok=True)
    for audience, name in BILLS.items():
        file, document = options.output / name, bill(audience)
        file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        count = len(document["components"])
        print(f"{file}: {count} components, CycloneDX {SPECIFICATION}")


if __name__ == "__main__":
    main()
