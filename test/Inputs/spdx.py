"""Checks NAME.spdx.json of each package against the demands of SPDX 2.3, and prints what each contains and needs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import hashlib
import json
import re
import sys

LICENCE = re.compile(r"(?:[A-Za-z0-9.-]+(?: WITH [A-Za-z0-9.-]+)?)(?: OR [A-Za-z0-9.-]+)*|NOASSERTION")
for name in sys.argv[1:]:
    document = json.load(open(name + ".spdx.json"))
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    assert re.fullmatch(r"https?://[^#]+", document["documentNamespace"])
    packages = {p["SPDXID"]: p for p in document["packages"]}
    assert len(packages) == len(document["packages"]), "an id is there twice"
    for package in packages.values():
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]), package["SPDXID"]
        assert re.match("Organization: .|NOASSERTION$", package["supplier"])
        assert package["downloadLocation"] and package["filesAnalyzed"] is False
        assert LICENCE.fullmatch(package["licenseDeclared"]), package["licenseDeclared"]
    kinds = {}
    for relation in document["relationships"]:
        assert relation["spdxElementId"] in packages or relation["spdxElementId"] == document["SPDXID"]
        kinds.setdefault(relation["relationshipType"], []).append(packages[relation["relatedSpdxElement"]])
    (own,) = kinds["DESCRIBES"]
    digest = hashlib.sha256(open(name, "rb").read()).hexdigest()
    assert own["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}], name
    held = kinds.get("STATIC_LINK", []) + kinds.get("CONTAINS", [])
    assert all(p["versionInfo"] and p["licenseDeclared"] != "NOASSERTION" for p in held)
    needed = " ".join(sorted(p["name"] for p in kinds.get("DEPENDS_ON", []))) or "nothing"
    print(f"{name}: {' '.join(sorted(p['name'] for p in held))}; depends on {needed}")
