// Bundles the extension into dist/extension.js and writes the licences of what it contains beside it;
// with --tests bundles each unit test into dist-test/ instead.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as esbuild from "esbuild";
import * as fs from "node:fs";
import * as path from "node:path";

const folder = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const shared = {
  absWorkingDir: folder,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  // node_modules may be a link; the text of the bundle must not depend on where it leads.
  preserveSymlinks: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** The packages that the bundle contains, with their licences. */
function thirdPartyNotices(metafile) {
  const packages = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const at = input.lastIndexOf("node_modules/");
    if (at < 0) continue;
    const words = input.slice(at + "node_modules/".length).split("/");
    const name = words[0].startsWith("@") ? words.slice(0, 2).join("/") : words[0];
    packages.add(`${input.slice(0, at)}node_modules/${name}`);
  }
  const texts = [...packages].sort().map((each) => {
    const at = path.join(folder, each);
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(at, "package.json"), "utf8"));
    const file = fs.readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(at, file), "utf8").trim()}\n`;
  });
  return `dist/extension.js contains these packages:\n\n${texts.join(`\n${"=".repeat(78)}\n\n`)}`;
}

if (process.argv.includes("--tests")) {
  const tests = fs.readdirSync(path.join(folder, "test/unit")).filter((file) => file.endsWith(".test.ts"));
  await esbuild.build({
    ...shared,
    entryPoints: tests.map((file) => `test/unit/${file}`),
    outdir: "dist-test",
    sourcemap: "inline",
  });
} else {
  const result = await esbuild.build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    metafile: true,
  });
  fs.writeFileSync(path.join(folder, "dist/ThirdPartyNotices.txt"), thirdPartyNotices(result.metafile));
}
