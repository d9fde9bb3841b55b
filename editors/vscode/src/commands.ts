// Commands that show something: the page of a check, an operator, coverage; and the tasks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { linkTarget, withPolicy } from "./coveragePage";
import { idOf } from "./findings";
import { currentFolder, Host } from "./host";
import { Pages } from "./pages";
import { errorOf, RunResult } from "./run";

/** Runs opsig for a command; an error is shown, and is undefined. */
async function ask(host: Host, title: string, args: string[]): Promise<RunResult | undefined> {
  const cwd = currentFolder()?.uri.fsPath ?? process.cwd();
  const options = { location: vscode.ProgressLocation.Window, title };
  try {
    return await vscode.window.withProgress(options, () => host.opsig(args, cwd));
  } catch (error) {
    void vscode.window.showErrorMessage(`opsig: ${error}`);
    return undefined;
  }
}

/** The findings of opsig at the cursor. */
function idsAtCursor(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const here = vscode.languages.getDiagnostics(editor.document.uri);
  const ids = here.filter((each) => each.range.intersection(editor.selection)).map(idOf);
  return [...new Set(ids.filter((id) => id.startsWith("opsig-")))];
}

export async function explain(host: Host, pages: Pages): Promise<void> {
  const [atCursor, ...others] = idsAtCursor();
  if (atCursor && others.length === 0) return pages.showExplanation(atCursor);
  const result = await ask(host, "opsig: listing checks", ["explain", "--list", "--format=json", "--color=never"]);
  if (!result) return;
  const items = result.stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .map((each) => ({ label: each.id as string, description: each.level as string, detail: each.summary as string }));
  const placeHolder = "Which check?";
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (chosen) await pages.showExplanation(chosen.label);
}

/** The name at the cursor, with namespace and overload. */
function operatorAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return "";
  if (!editor.selection.isEmpty) return editor.document.getText(editor.selection).split("\n")[0].trim();
  const range = editor.document.getWordRangeAtPosition(editor.selection.active, /[A-Za-z_][\w]*(::\w+)*(\.\w+)?/);
  return range ? editor.document.getText(range) : "";
}

export async function showOperator(host: Host, pages: Pages): Promise<void> {
  const name = await vscode.window.showInputBox({
    prompt: "Name of an operator of PyTorch, with or without its overload",
    placeHolder: "add.Tensor",
    value: operatorAtCursor().replace(/^(at|aten|torch)::/, ""),
    validateInput: (text) => (/^[\w:.]+$/.test(text.trim()) ? undefined : "a name, such as add.Tensor"),
  });
  if (!name) return;
  const scope = vscode.window.activeTextEditor?.document.uri;
  const args = ["show", "--color=never", ...host.schemaArguments(scope), "--", name.trim()];
  const result = await ask(host, `opsig: ${name}`, args);
  if (!result) return;
  if (result.status === 0) await pages.show(`${name.trim().replace(/::/g, ".")}.txt`, result.stdout);
  else void vscode.window.showErrorMessage(`opsig: ${errorOf(result)}`);
}

export class CoverageView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly host: Host) {}

  dispose(): void {
    this.panel?.dispose();
  }

  async show(): Promise<void> {
    const folder = currentFolder();
    if (!folder) {
      void vscode.window.showWarningMessage("opsig: open a folder to see its coverage.");
      return;
    }
    const args = ["coverage", "--format=html", "--color=never", ...this.host.schemaArguments(folder.uri), "."];
    const result = await ask(this.host, "opsig: reading kernels", args);
    if (!result) return;
    if (!result.stdout) {
      void vscode.window.showErrorMessage(`opsig: ${errorOf(result)}`);
      return;
    }
    try {
      this.open().webview.html = withPolicy(result.stdout, randomBytes(16).toString("base64url"));
    } catch (error) {
      void vscode.window.showErrorMessage(`opsig: ${error}`);
    }
  }

  private open(): vscode.WebviewPanel {
    if (this.panel) {
      this.panel.reveal();
      return this.panel;
    }
    const options = { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: false };
    this.panel = vscode.window.createWebviewPanel("opsig.coverage", "opsig coverage", vscode.ViewColumn.Active, options);
    this.panel.onDidDispose(() => (this.panel = undefined));
    this.panel.webview.onDidReceiveMessage(async (message) => {
      const target = linkTarget(message?.open);
      if (!target) return;
      const line = new vscode.Range(target.line - 1, 0, target.line - 1, 0);
      const column = vscode.ViewColumn.Beside;
      await vscode.window.showTextDocument(vscode.Uri.parse(target.uri, true), { selection: line, viewColumn: column }).then(undefined, (error) => {
        void vscode.window.showErrorMessage(`opsig: ${error}`);
      });
    });
    return this.panel;
  }
}

/** Tasks of the type "opsig": a subcommand in the workspace folder, whose findings the problem matcher reads. */
export class OpsigTasks implements vscode.TaskProvider {
  constructor(private readonly host: Host) {}

  provideTasks(): vscode.Task[] {
    const folder = currentFolder();
    const task = folder && this.make({ type: "opsig", command: "check" }, folder);
    return task ? [task] : [];
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const scope = typeof task.scope === "object" ? task.scope : currentFolder();
    return scope && this.make(task.definition, scope);
  }

  private make(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task | undefined {
    const { program } = this.host.program("opsig");
    const command = String(definition.command ?? "");
    if (!program || !/^[a-z]+$/.test(command)) return undefined;
    const more = Array.isArray(definition.arguments) ? definition.arguments.map(String) : [];
    const run = new vscode.ProcessExecution(program, [command, "--color=never", ...this.host.schemaArguments(folder.uri), ...more], {
      cwd: folder.uri.fsPath,
      env: this.host.environment(),
    });
    const task = new vscode.Task(definition, folder, command, "opsig", run, "$opsig");
    task.group = vscode.TaskGroup.Build;
    return task;
  }
}

export async function showMenu(): Promise<void> {
  const entries: [string, string][] = [
    ["Check Project", "opsig.checkProject"],
    ["Fix All in Project", "opsig.fixAll"],
    ["Show Coverage", "opsig.coverage"],
    ["Show Operator", "opsig.showOperator"],
    ["Explain a Check", "opsig.explain"],
    ["Restart Language Servers", "opsig.restart"],
    ["Show Output", "opsig.showOutput"],
  ];
  const items = entries.map(([label, command]) => ({ label, command }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "opsig" });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
