// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSarif, utf16Offset } from "../../src/sarif";

const at = (uri: string, region: object) => ({ artifactLocation: { uri, uriBaseId: "SRCROOT" }, region });
const log = (run: object) => JSON.stringify({ version: "2.1.0", runs: [run] });
const bases = { SRCROOT: { uri: "file:///a%20b/" } };

test("findings with notes and fixes; paths are decoded", () => {
  const report = readSarif(
    log({
      columnKind: "unicodeCodePoints",
      originalUriBaseIds: bases,
      invocations: [{ toolExecutionNotifications: [{ message: { text: "1 file" } }] }],
      results: [
        {
          ruleId: "opsig-kernel-signature",
          level: "error",
          message: { text: "wrong" },
          locations: [{ physicalLocation: at("k%C3%A9.cpp", { startLine: 5, startColumn: 3, endColumn: 8 }) }],
          relatedLocations: [{ message: { text: "here" }, physicalLocation: at("d.yaml", { startLine: 2 }) }],
          fixes: [
            {
              artifactChanges: [
                {
                  artifactLocation: { uri: "k.h", uriBaseId: "SRCROOT" },
                  replacements: [
                    {
                      deletedRegion: { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 },
                      insertedContent: { text: "x" },
                    },
                    { deletedRegion: { startLine: 9, startColumn: 1, endColumn: 1 } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    }),
  );
  assert.deepEqual(report.notes, ["1 file"]);
  const [finding] = report.findings;
  assert.equal(finding.file, "/a b/ké.cpp");
  assert.equal(finding.level, "error");
  assert.deepEqual(finding.region, { startLine: 5, startColumn: 3, endLine: 5, endColumn: 8 });
  assert.equal(finding.notes[0].file, "/a b/d.yaml");
  assert.equal(finding.notes[0].message, "here");
  assert.deepEqual(finding.edits[0], {
    file: "/a b/k.h",
    region: { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 },
    text: "x",
  });
  assert.equal(finding.edits[1].text, "");
});

test("what is suppressed, or has no place, is not shown", () => {
  const message = { text: "m" };
  const locations = [{ physicalLocation: at("a.cpp", { startLine: 1 }) }];
  const results = [
    { ruleId: "opsig-a", message, locations, suppressions: [{ kind: "inSource" }] },
    { ruleId: "opsig-b", message, locations: [] },
    { ruleId: "opsig-c", message, locations, suppressions: [] },
  ];
  const { findings } = readSarif(log({ originalUriBaseIds: bases, results }));
  assert.deepEqual(findings.map((each) => each.id), ["opsig-c"]);
  assert.equal(findings[0].level, "warning");
});

test("what is not such a log is refused", () => {
  assert.throws(() => readSarif("opsig: error"));
  assert.throws(() => readSarif("{}"), /not a SARIF 2.1.0 log/);
  assert.throws(() => readSarif("null"), /not a SARIF 2.1.0 log/);
  // Columns of another kind would put fixes into the wrong place.
  assert.throws(() => readSarif(log({ columnKind: "utf16CodeUnits" })), /expected 'unicodeCodePoints'/);
});

test("columns of code points become offsets of UTF-16", () => {
  const line = "é𝄞x";
  assert.deepEqual([1, 2, 3, 4, 5, 99].map((column) => utf16Offset(line, column)), [0, 1, 3, 4, 4, 4]);
  assert.equal(utf16Offset("", 7), 0);
});
