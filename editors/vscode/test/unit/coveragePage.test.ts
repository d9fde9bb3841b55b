// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkTarget, withPolicy } from "../../src/coveragePage";

const page =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<style>\na {}\n</style>\n</head>\n<body>\n' +
  "<td>&lt;script&gt;</td>\n<script>\nconst a = '$&';\n</script>\n</body>\n</html>\n";

test("only what has the nonce runs", () => {
  const shown = withPolicy(page, "n0nce");
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(shown)![1];
  assert.ok(policy.startsWith("default-src 'none';"));
  assert.ok(!/unsafe|\*|http|data:/.test(policy));
  // The policy stands before the first thing that it is about.
  assert.ok(shown.indexOf("Content-Security-Policy") < shown.indexOf("<style"));
  for (const [tag] of shown.matchAll(/<(script|style)[^>]*>/g)) assert.match(tag, / nonce="n0nce">$/);
  assert.ok(shown.includes("const a = '$&';"));
});

test("a page with more scripts or styles than opsig writes is refused", () => {
  for (const more of ["<script>x</script>", "<SCRIPT src=x></SCRIPT>", "<style></style>", '<meta charset="utf-8">']) {
    assert.throws(() => withPolicy(page.replace("<td>", () => `<td>${more}`), "n"), /not of the expected form/);
  }
  assert.throws(() => withPolicy("<html></html>", "n"));
});

test("links lead to lines of files and nowhere else", () => {
  assert.deepEqual(linkTarget("file:///a%20b/k.cpp#L13"), { uri: "file:///a%20b/k.cpp", line: 13 });
  assert.deepEqual(linkTarget("file:///k.cpp"), { uri: "file:///k.cpp", line: 1 });
  assert.deepEqual(linkTarget("file:///k.cpp#L0"), { uri: "file:///k.cpp", line: 1 });
  for (const wrong of ["https://example.org", "command:workbench.action.quit", "file://host/a", "javascript:1", 7, undefined]) {
    assert.equal(linkTarget(wrong), undefined);
  }
});
