// Makes the pictures of an editor in README.md; usage: picture.mjs MODULES VSIX PROGRAMS PROJECT WORK.
// They show PROJECT/csrc/ops.cpp with its findings in VS Code, in WORK/shots/editor-light.png and editor-dark.png.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs";
import * as path from "node:path";
import { Code } from "./code.mjs";

const [modules, vsix, programs, project, work] = process.argv.slice(2).map((each) => path.resolve(each));
fs.mkdirSync(work, { recursive: true });
const code = new Code(modules, work, programs);
const themes = { light: "Default Light Modern", dark: "Default Dark Modern" };

try {
  for (const [name, theme] of Object.entries(themes)) {
    code.settings({
      "workbench.startupEditor": "none",
      "workbench.colorTheme": theme,
      "editor.minimap.enabled": false,
      "git.enabled": false,
      "security.workspace.trust.startupPrompt": "never",
    });
    if (name === "light") console.log(code.install(vsix));
    await code.start(project, "--disable-workspace-trust");
    await code.page.setViewportSize({ width: 1120, height: 640 });
    // A folder in the explorer opens by a click.
    await code.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "csrc" }).first().click();
    await code.open("ops.cpp", 4, 66);
    await code.command("Problems: Focus on Problems View");
    console.log(await code.problem("of 'muladd_cpu'"));
    await code.open("ops.cpp", 4, 66);
    await code.command("View: Toggle Primary Side Bar Visibility");
    await code.page.locator(".editor-instance .view-lines").first().click({ position: { x: 5, y: 5 } });
    await code.press("Control+G");
    await code.page.locator(".quick-input-widget input.input").fill(":4:66");
    await code.press("Enter");
    const fix = code.page.locator(".action-widget .monaco-list-row.action").first();
    // The server may still read the file again.
    await code.until(async () => {
      await code.press("Escape", "Control+.");
      return fix.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    }, "no quick fix is offered");
    await code.shot(`editor-${name}`);
    await code.stop();
  }
} catch (error) {
  if (code.page) await code.shot("failed");
  throw error;
} finally {
  await code.end();
}
