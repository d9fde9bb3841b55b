// What package.json promises: to users, and to whoever opens a workspace that is not trusted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

// The script that runs the tests says where the sources are; by hand the tests run in their folder.
const folder = process.env.OPSIG_VSCODE_SOURCE ?? process.cwd();
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const { commands, configuration, problemMatchers } = manifest.contributes;
const settings: [string, any][] = Object.entries(configuration.properties);
const sources = fs.readdirSync(path.join(folder, "src")).map((file) => fs.readFileSync(path.join(folder, "src", file), "utf8"));

test("each command is there, and only those", () => {
  const registered = sources.flatMap((text) => [...text.matchAll(/\bcommand\("(\w+)"/g)].map((each) => `opsig.${each[1]}`));
  assert.deepEqual(registered.sort(), commands.map((each: any) => each.command).sort());
  for (const each of commands) assert.ok(each.title && each.category === "opsig", each.command);
});

test("each setting has a description, a default and a reader", () => {
  for (const [name, setting] of settings) {
    assert.ok(setting.description ?? setting.markdownDescription, name);
    assert.notEqual(setting.default, undefined, name);
    if (setting.enum) assert.ok(setting.enumDescriptions?.length === setting.enum.length || name.endsWith(".trace.server"), name);
    // vscode-languageclient reads those by the id of the server.
    const isTrace = name.endsWith(".trace.server");
    const isRead = sources.some((text) => text.includes(`"${name}"`) || text.includes(`"${name.replace(/^opsig\./, "")}"`));
    assert.ok(isTrace || isRead, `${name} is not read`);
  }
});

test("a workspace names no program to start, and no arguments of one", () => {
  for (const name of ["opsig.path", "opsig.clangd.path", "opsig.clangd.arguments"]) {
    const setting = configuration.properties[name];
    // VS Code takes settings of this scope from the user alone.
    assert.equal(setting.scope, "machine", name);
  }
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  for (const [name] of settings) {
    const decides = /path|arguments|torchRoot/i.test(name);
    assert.equal(restrictedConfigurations.includes(name), decides, name);
  }
});

test("the problem matcher reads findings of opsig, and not their notes", () => {
  const { regexp, ...parts } = problemMatchers[0].pattern;
  const match = (line: string) => new RegExp(regexp).exec(line);
  const found = match("csrc/a b.cpp:5:89: error: parameter 'alpha' of 'add' is 'float' [opsig-kernel-signature]")!;
  assert.equal(found[parts.file], "csrc/a b.cpp");
  assert.deepEqual([found[parts.line], found[parts.column]], ["5", "89"]);
  assert.equal(found[parts.severity], "error");
  assert.equal(found[parts.message], "parameter 'alpha' of 'add' is 'float'");
  assert.equal(found[parts.code], "opsig-kernel-signature");
  assert.equal(match("demo.yaml:5:3: note: PrivateUse1 kernel for 'add.Tensor' listed here"), null);
  assert.equal(match("opsig: 1 file, 1 operator, 1 kernel compared; 3 errors"), null);
});

test("the documents for users name what is there", () => {
  const readme = fs.readFileSync(path.join(folder, "README.md"), "utf8");
  for (const each of commands) {
    if (each.command !== "opsig.showMenu") assert.ok(readme.includes(`opsig: ${each.title}`), each.title);
  }
  for (const [name] of settings) assert.ok(readme.includes(`\`${name}\``), name);
});
