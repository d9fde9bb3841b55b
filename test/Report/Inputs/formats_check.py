"""formats_check.py JSONL GITHUB GITLAB JUNIT: whether all four hold the same findings, each by the rules of its reader.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import re
import sys
import xml.etree.ElementTree


def of_json(path):
    for line in open(path, encoding="utf-8"):
        finding = json.loads(line)
        if finding["id"] != "opsig-run":
            yield finding["file"], finding["line"], finding["id"], finding["level"], finding["message"]


def unescaped(text, is_property):
    """As the runner of GitHub reads data of a command."""
    codes = {"%0D": "\r", "%0A": "\n", "%25": "%", **({"%3A": ":", "%2C": ","} if is_property else {})}
    known = "|".join(code[1:] for code in codes)
    assert not re.search(f"%(?!{known})", text), f"a raw '%' in {text}"
    return re.sub("|".join(codes), lambda code: codes[code[0]], text)


def of_github(path):
    for line in open(path, encoding="utf-8", newline="\n"):
        command, properties, message = re.fullmatch(r"::(\w+) ([^:]*)::(.*)\n", line).groups()
        values = dict(part.split("=", 1) for part in properties.split(","))
        values = {key: unescaped(value, True) for key, value in values.items()}
        assert set(values) <= {"file", "line", "col", "endColumn", "title"}, values
        if command == "notice":
            continue
        assert int(values["col"]) <= int(values["endColumn"])
        message = unescaped(message, False).split("\n")[0]
        yield values["file"], int(values["line"]), values["title"], command, message


def of_gitlab(path):
    issues = json.load(open(path, encoding="utf-8"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues), "a fingerprint is there twice"
    for issue in issues:
        level = {"major": "error", "minor": "warning"}[issue["severity"]]
        assert not issue["location"]["path"].startswith(("/", "./"))
        place = issue["location"]["path"], issue["location"]["lines"]["begin"]
        yield *place, issue["check_name"], level, issue["description"]


def of_junit(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    suites = root.findall("testsuite")
    assert root.tag == "testsuites" and int(root.get("failures")) == len(root.findall(".//failure"))
    assert int(root.get("tests")) == len(root.findall(".//testcase"))
    for suite in suites:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        for case in cases:
            check, line, _ = case.get("name").rsplit(":", 2)
            failure = case.find("failure")
            yield suite.get("name"), int(line), check, failure.get("type"), failure.get("message")


def main():
    readers = (of_json, of_github, of_gitlab, of_junit)
    found = [sorted(reader(path)) for reader, path in zip(readers, sys.argv[1:])]
    for reader, other in zip(readers[1:], found[1:]):
        assert other == found[0], f"{reader.__name__}: {other}\nexpected: {found[0]}"
    print(f"{len(found[0])} findings, the same in all formats")
    for file, line, check, level, _ in found[0]:
        print(f"{file}:{line} {check} {level}")


main()
