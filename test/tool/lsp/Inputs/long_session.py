"""Edits many documents for long: each request is answered, the last findings are right, and no memory is lost.

  long_session.py KIND DOCUMENTS EDITS SERVER...

KIND is a folder's kind of document, below. Each document is opened, edited EDITS times, asked about, waited for, and closed;
the last one keeps an error, which must be its only finding. Memory is compared between the first third and the end.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import sys
from pathlib import Path

sys.path.insert(0, os.environ["OPSIG_UTILS"])
from lsp_lib.client import Server  # noqa: E402

YAML = "backend: PrivateUse1\ncpp_namespace: demo\nsupported:\n- @WORD@\n- relu\n"
CPP = """#include <torch/library.h>
static at::Tensor k(const at::Tensor &a, @WORD@ b) { return a.clone(); }
TORCH_LIBRARY(lib@NUMBER@, m) { m.def("f(Tensor a, int b) -> Tensor", &k); }
"""
KINDS = {
    # The text around what is edited, the right words, wrong ones (with a number, because clangd says nothing of a text that it
    # has read already), the finding, a word to hover over.
    "yaml": (YAML, "add.Tensor # {}", "add.Tensro # {}", "opsig-backend-unknown-op", "relu"),
    "cpp": (CPP, "int64_t /*{}*/", "int32_t /*{}*/", "opsig-registered-kernel-type", "TORCH_LIBRARY"),
}


def resident(server):
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


def position(text, offset):
    before = text[:offset].split("\n")
    return {"line": len(before) - 1, "character": len(before[-1])}


class Document:
    def __init__(self, server, kind, number):
        self.server = server
        self.around, self.right, self.wrong, self.code, self.hovered = KINDS[kind]
        self.uri = (Path.cwd() / f"d{number}.{kind}").as_uri()
        self.number, self.word, self.version = number, self.right.format(0), 1
        server.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri, "languageId": kind, "version": 1, "text": self.text()}})

    def text(self):
        return self.around.replace("@WORD@", self.word).replace("@NUMBER@", str(self.number))

    def write(self, word):
        """A character at a time would do as well; a word is what differs."""
        begin = self.text().index(self.word)
        change = {"range": {"start": position(self.text(), begin), "end": position(self.text(), begin + len(self.word))},
                  "text": word}
        self.word, self.version = word, self.version + 1
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]})

    def hover(self):
        at = position(self.text(), self.text().index(self.hovered) + 1)
        return self.server.request("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": at})

    def findings(self):
        def is_last(message):
            params = message.get("params", {})
            return (message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self.uri
                    and params.get("version", self.version) == self.version)
        found = self.server.next(is_last, f"findings of version {self.version} of {self.uri}")
        # clangd has others of its own, for instance that an include is not used.
        return [(each["range"]["start"]["line"], each["code"]) for each in found["params"]["diagnostics"]
                if str(each.get("code")).startswith("opsig-")]

    def close(self):
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})


def main():
    kind, documents, edits = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    server = Server(sys.argv[4:], 120)
    server.request("initialize", {"processId": None, "rootUri": Path.cwd().as_uri(), "capabilities": {
        "textDocument": {"publishDiagnostics": {"versionSupport": True}}}})
    server.notify("initialized", {})
    early = 0
    for number in range(documents):
        document = Document(server, kind, number)
        for edit in range(edits):
            is_wrong = (edit + number) % 2 == 1
            document.write((document.wrong if is_wrong else document.right).format(edit + 1))
            if edit % 5 == 2:
                assert document.hover(), f"nothing is known of {document.hovered}"
        found = document.findings()
        line = document.text()[:document.text().index(document.word)].count("\n")
        wanted = [(line, document.code)] if is_wrong else []
        assert found == wanted, (document.text(), found, wanted)
        document.close()
        if number == documents // 3:
            early = resident(server)
    late = resident(server)
    assert late < early * 1.1, f"{early} KiB after a third, {late} KiB at the end"
    assert server.stop() == 0
    print(f"{documents} documents, {documents * edits} edits: right", file=sys.stdout)
    print(f"{early} KiB, {late} KiB", file=sys.stderr)


main()
