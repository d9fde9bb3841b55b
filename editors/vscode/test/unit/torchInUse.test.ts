// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig, statusText, statusTooltip } from "../../src/torchInUse";

const printed = [
  '{"from":"the system","setting":"torch-root","value":"/usr/lib/python3/dist-packages"}',
  '{"from":"the torch root","setting":"torch","value":"1.13.0a0 (dialect 1.13, measured)"}',
  '{"from":"","setting":"backend","value":""}',
  "opsig: something else",
  "{broken",
].join("\n");

test("the release that files are checked against", () => {
  const settings = readConfig(printed);
  assert.equal(settings.size, 3);
  assert.equal(statusText(settings), "opsig: PyTorch 1.13.0a0");
  const tooltip = statusTooltip(settings, "/usr/bin/opsig", "PATH");
  assert.match(tooltip, /^\/usr\/bin\/opsig \(PATH\)$/m);
  assert.match(tooltip, /^torch root: \/usr\/lib\/python3\/dist-packages \(the system\)$/m);
  assert.doesNotMatch(tooltip, /backend/);
});

test("no PyTorch is told", () => {
  assert.equal(statusText(readConfig("")), "opsig: no PyTorch");
});
