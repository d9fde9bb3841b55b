"""Says what is in a package, in SPDX 2.3 as JSON: `sbom.py BUILD PACKAGE` writes PACKAGE.spdx.json.

The libraries that are linked in are read off the build's link commands (components.py), what a Debian package needs besides
off the package, and the npm packages of the extension of VS Code off the notices in it. The same package gives the same bytes.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import hashlib
import json
import os
import re
import sys
import time
import zipfile
from pathlib import Path

import components

OPSIG = "Apache-2.0 WITH LLVM-exception"
DISTRIBUTION = ["distribution/opsig", "bin/opsig-clangd", "lib/OpsigTidy.so", "lib/OpsigPlugin.so"]
NONE = "NOASSERTION"
DEVELOPERS, DEBIAN = "Organization: The opsig developers", "Organization: Debian"
NOTICES = "extension/dist/ThirdPartyNotices.txt"


def cached(build, name):
    """A variable of the build's CMakeCache.txt."""
    return re.search(rf"^{name}:\w+=(.*)$", (Path(build) / "CMakeCache.txt").read_text(), re.M)[1]


def spdx_id(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def package(name, version, licence, home=NONE, **more):
    entry = {
        "SPDXID": spdx_id(name),
        "name": name,
        "downloadLocation": NONE,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": NONE,
        **more,
    }
    if version:
        entry["versionInfo"] = version
    if home != NONE:
        entry["homepage"] = home
    return entry


def described(build, artefact):
    """The package itself."""
    version, site = cached(build, "CMAKE_PROJECT_VERSION"), cached(build, "OPSIG_SITE_URL")
    return package(
        "opsig",
        version,
        OPSIG,
        site or NONE,
        supplier=DEVELOPERS,
        packageFileName=artefact.name,
        primaryPackagePurpose="APPLICATION",
        checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(artefact.read_bytes()).hexdigest()}],
    )


def held(component):
    """A component that is part of the package, and how."""
    purl = f"pkg:deb/debian/{component.package}@{component.version}"
    entry = package(
        component.name,
        component.version,
        component.licence,
        component.home,
        supplier=DEBIAN,
        comment=f"as Debian's package {component.package} has it",
        externalRefs=[
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
        ],
    )
    return entry, "STATIC_LINK" if component.targets else "CONTAINS"


def bundled(artefact):
    """The npm packages that the extension of VS Code contains, by the titles of its notices."""
    notices = zipfile.ZipFile(artefact).read(NOTICES).decode()
    # The texts are separated by a line of this length; a title follows the introduction and each such line.
    titles = [part.strip().splitlines()[0] for part in re.split(r"^={78}$", notices.split("\n\n", 1)[1], flags=re.M)]
    found = []
    for title in titles:
        name, version, licence = re.fullmatch(r"(\S+) (\S+) \((.+)\)", title).groups()
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
        found.append(package(name, version, licence, supplier=NONE, externalRefs=[reference]))
    return found


def needed(artefact):
    """What a Debian package depends on: [(name, version or "")]."""
    depends = components.output("dpkg-deb", "-f", str(artefact), "Depends")
    found = []
    for dependency in filter(None, re.split(r",\s*", depends)):
        name, version = re.fullmatch(r"(\S+)(?: \((.*)\))?", dependency).groups()
        found.append((name, version or ""))
    return found


def contents(build, artefact):
    """([package, ...], [relationship, ...]) without those of the document itself."""
    is_debian = artefact.suffix == ".deb"
    packages, relations = [], []

    def add(entry, relation):
        packages.append(entry)
        relations.append(
            {"spdxElementId": spdx_id("opsig"), "relationshipType": relation, "relatedSpdxElement": entry["SPDXID"]}
        )

    if artefact.suffix == ".vsix":
        for entry in bundled(artefact):
            add(entry, "CONTAINS")
        return packages, relations
    targets = DISTRIBUTION if is_debian else []
    for component in components.components(build, targets, headers=not is_debian):
        add(*held(component))
    for name, version in needed(artefact) if is_debian else []:
        note = {"comment": f"needed version: {version}"} if version else {}
        add(package(f"debian-{name}", "", NONE, supplier=DEBIAN, **note), "DEPENDS_ON")
    return packages, relations


def document(build, artefact):
    own = described(build, artefact)
    packages, relations = contents(build, artefact)
    digest = own["checksums"][0]["checksumValue"]
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    about = {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": artefact.name,
        # The form that the specification proposes to those who have no site for it.
        "documentNamespace": f"https://spdx.org/spdxdocs/{artefact.name}-{digest}",
        "creationInfo": {"created": created, "creators": ["Tool: opsig-utils-package"]},
        "packages": [own, *packages],
        "relationships": [about, *relations],
    }


def main():
    build, artefact = sys.argv[1], Path(sys.argv[2])
    text = json.dumps(document(build, artefact), indent=2) + "\n"
    artefact.with_name(artefact.name + ".spdx.json").write_text(text)


main()
