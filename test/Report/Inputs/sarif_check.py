"""Checks a SARIF log: sarif_check.py DIST_PACKAGES LOG [FOLDER]

First against the object model that Debian's python3-torch has, dataclasses that were generated from the
official JSON schema: every property exists there, every required one is there, and values have the declared
types. (The schema itself is in no Debian package.) Then what the schema and the standard say beyond that:
numbers, indices, unique values, URIs.

With FOLDER, the log's fixes are made in the files there. Prints how many objects and fixes there were.
"""
import dataclasses
import importlib
import json
import re
import sys
import types
import typing
import urllib.parse
from pathlib import Path

NAME = "torch.onnx._internal.diagnostics.infra.sarif"
objects = 0


def load_model(root):
    # Without PyTorch itself, which takes seconds to load.
    parts = NAME.split(".")
    for depth in range(1, len(parts)):
        package = types.ModuleType(".".join(parts[:depth]))
        package.__path__ = ["/".join([root] + parts[:depth])]
        sys.modules[package.__name__] = package
    return importlib.import_module(NAME + "._sarif_log")


def check_object(value, expected, at):
    global objects
    objects += 1
    assert isinstance(value, dict), f"{at}: no object"
    if expected.__name__ == "PropertyBag":
        return
    hints = typing.get_type_hints(expected)
    fields = {f.metadata["schema_property_name"]: f for f in dataclasses.fields(expected)}
    for key, item in value.items():
        assert key in fields, f"{at}: no property '{key}'"
        check(item, hints[fields[key].name], f"{at}.{key}")
    for key, field in fields.items():
        required = (
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        )
        assert not required or key in value, f"{at}: '{key}' is missing"


def check(value, expected, at):
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if expected is typing.Any:
        return
    if origin is typing.Union:
        (expected,) = [a for a in arguments if a is not type(None)]
        check(value, expected, at)
    elif origin is list:
        assert isinstance(value, list), f"{at}: no list"
        texts = [json.dumps(item, sort_keys=True) for item in value]
        assert len(set(texts)) == len(texts) or at.endswith(".results"), f"{at}: repeats"
        for index, item in enumerate(value):
            check(item, arguments[0], f"{at}[{index}]")
    elif dataclasses.is_dataclass(expected):
        check_object(value, expected, at)
    elif arguments:
        assert value in arguments, f"{at}: {value!r} is none of {arguments}"
    else:
        assert type(value) is expected, f"{at}: {value!r} is no {expected.__name__}"


def check_regions(value, at):
    """Every region lies in order, whatever holds it."""
    if isinstance(value, list):
        for item in value:
            check_regions(item, at)
    elif isinstance(value, dict):
        for key, item in value.items():
            check_regions(item, f"{at}.{key}")
        if "startLine" in value:
            line, column = value["startLine"], value.get("startColumn", 1)
            assert line >= 1 and column >= 1, at
            end = (value.get("endLine", line), value.get("endColumn", column))
            assert end >= (line, column), f"{at}: {value}"
        if "uri" in value:
            uri = value["uri"]
            assert re.fullmatch(r"(?:[A-Za-z0-9/._~:-]|%[0-9A-F]{2})+", uri), f"{at}: {uri}"
            assert uri.startswith("file:///") or not uri.startswith("/"), f"{at}: {uri}"


def check_standard(log):
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    prints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        prints.add(result["partialFingerprints"]["opsigFinding/v1"])
        for index, location in enumerate(result.get("relatedLocations", [])):
            assert location["id"] == index
    assert len(prints) == len(run["results"]), "fingerprints repeat"
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"].endswith("/")
    check_regions(run, "run")


def offset(lines, line, column):
    return sum(map(len, lines[: line - 1])) + column - 1


def make_fixes(run, folder):
    """Edits from the back, so that places stay good."""
    edits = set()
    for result in run["results"]:
        if result["suppressions"]:
            continue
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uriBaseId"] == "SRCROOT"
                name = urllib.parse.unquote(change["artifactLocation"]["uri"])
                for r in change["replacements"]:
                    d = r["deletedRegion"]
                    edits.add(
                        (name, d["startLine"], d["startColumn"], d["endLine"], d["endColumn"],
                         r["insertedContent"]["text"])
                    )
    for name, line, column, end_line, end_column, text in sorted(edits, reverse=True):
        # A byte order mark is not part of the text; line ends stay as they are.
        path = Path(folder, name)
        data = path.read_bytes().decode("utf-8")
        mark = "\ufeff" if data.startswith("\ufeff") else ""
        data = data[len(mark):]
        lines = data.splitlines(keepends=True)
        begin, end = offset(lines, line, column), offset(lines, end_line, end_column)
        path.write_bytes((mark + data[:begin] + text + data[end:]).encode("utf-8"))
    return len(edits)


def main():
    root, file, *folder = sys.argv[1:]
    log = json.loads(Path(file).read_text(encoding="utf-8"))
    check(log, load_model(root).SarifLog, "log")
    check_standard(log)
    fixes = make_fixes(log["runs"][0], folder[0]) if folder else 0
    print(f"{objects} objects, {fixes} edits")


main()
