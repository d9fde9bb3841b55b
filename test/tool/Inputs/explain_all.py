"""Compares what `OPSIG explain` prints of every check with the pages in FOLDER; usage: OPSIG FOLDER.

The ids are those of `--list --format json`; each has a page, and each page an id. A list in which a check
stands twice, or none, is a mistake. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import subprocess
import sys
from pathlib import Path

opsig, folder = sys.argv[1], Path(sys.argv[2])


def output(*words):
    return subprocess.run([opsig, "explain", *words], check=True, stdout=subprocess.PIPE).stdout


rows = [json.loads(line) for line in output("--list", "--format", "json").splitlines()]
ids = [row["id"].removeprefix("opsig-") for row in rows]
pages = {page.stem: page.read_bytes() for page in folder.glob("*.md") if page.name != "README.md"}
assert len(ids) == len(set(ids)) > 200, len(ids)
assert set(ids) == set(pages), set(ids) ^ set(pages)
# All at once: a page ends with a line break, and an empty line stands between two.
assert output(*ids) == b"\n".join(pages[name] for name in ids)
for row in rows:
    said = pages[row["id"].removeprefix("opsig-")].decode()
    assert row["fix"] == ("--fix" in said), row
    assert row["summary"] in " ".join(said.split()), row
