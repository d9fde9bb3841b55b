// What all parts of the extension share: the programs in use, the selected Python, and runs of opsig.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { findProgram, ProgramFound, ProgramName, pythonEnvironment } from "./program";
import { run, RunResult } from "./run";

interface PythonEnvironments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  resolveEnvironment(at: unknown): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

/** A setting as the user has it. What a workspace sets does not count. */
function userSetting(name: string): string {
  const [section, ...rest] = name.split(".");
  const found = vscode.workspace.getConfiguration(section).inspect<string>(rest.join("."));
  return typeof found?.globalValue === "string" ? found.globalValue.trim() : "";
}

export class Host implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("opsig");
  private interpreter: string | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  /** Programs, the interpreter or the workspace's trust may be others now. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[] = [this.output, this.changed];
  private isListeningToPython = false;

  async start(): Promise<void> {
    this.disposables.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()),
      vscode.extensions.onDidChange(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("opsig") || event.affectsConfiguration("clangd")) void this.refresh();
      }),
    );
    await this.askPython();
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  async refresh(): Promise<void> {
    await this.askPython();
    this.changed.fire();
  }

  log(text: string): void {
    this.output.appendLine(text);
  }

  program(name: ProgramName): ProgramFound {
    const opsig = name === "opsig-clangd" ? this.program("opsig").program : undefined;
    return findProgram({
      name,
      configured: userSetting(name === "opsig" ? "opsig.path" : "opsig.clangd.path"),
      pathVariable: process.env.PATH ?? "",
      home: os.homedir(),
      workspaceFolders: folders().map((each) => each.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      interpreter: this.interpreter,
      opsig,
    });
  }

  /** Variables for programs that are started. */
  environment(): Record<string, string> {
    return pythonEnvironment(this.interpreter);
  }

  /** --torch-root, where the user sets it; in a workspace that is not trusted the workspace's value does not count. */
  schemaArguments(scope?: vscode.Uri): string[] {
    const root = vscode.workspace.getConfiguration("opsig", scope).get<string>("torchRoot", "").trim();
    return root ? [`--torch-root=${root.replace(/^~(?=$|\/)/, os.homedir())}`] : [];
  }

  /** Runs a subcommand of opsig; undefined where there is no opsig, which the user is told then. */
  async opsig(args: readonly string[], cwd: string, token?: vscode.CancellationToken): Promise<RunResult | undefined> {
    const found = this.program("opsig");
    if (!found.program) {
      await this.reportMissing(found);
      return undefined;
    }
    const stop = new AbortController();
    const cancelled = token?.onCancellationRequested(() => stop.abort());
    this.log(`> ${[found.program, ...args].join(" ")}  (in ${cwd})`);
    try {
      const result = await run(found.program, args, { cwd, environment: this.environment(), signal: stop.signal });
      if (result.stderr) this.output.append(result.stderr);
      return result;
    } finally {
      cancelled?.dispose();
    }
  }

  async reportMissing(found: ProgramFound): Promise<void> {
    this.log([`opsig: ${found.problem}`, ...found.looked.map((each) => `  ${each}`)].join("\n"));
    const how = vscode.workspace.isTrusted
      ? "Install opsig's wheel in the selected Python environment, or another package of opsig, or set 'opsig.path'."
      : "The workspace is not trusted, so its own programs and its Python environment are not used.";
    const answer = await vscode.window.showErrorMessage(
      `opsig: ${found.problem}. ${how}`,
      "Open Settings",
      "Show Output",
    );
    if (answer === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "opsig.path");
    if (answer === "Show Output") this.output.show();
  }

  /** The interpreter that the Python extension has selected. In a workspace that is not trusted nobody asks it. */
  private async askPython(): Promise<void> {
    this.interpreter = undefined;
    if (!vscode.workspace.isTrusted) return;
    const extension = vscode.extensions.getExtension("ms-python.python");
    if (!extension) return;
    try {
      const exported = extension.isActive ? extension.exports : await extension.activate();
      const environments: PythonEnvironments | undefined = exported?.environments;
      if (!environments) return;
      if (!this.isListeningToPython) {
        this.isListeningToPython = true;
        this.disposables.push(environments.onDidChangeActiveEnvironmentPath(() => void this.refresh()));
      }
      const active = environments.getActiveEnvironmentPath(folders()[0]?.uri);
      const resolved = await environments.resolveEnvironment(active);
      const file = resolved?.executable.uri?.fsPath ?? active.path;
      this.interpreter = path.isAbsolute(file) ? file : undefined;
    } catch (error) {
      this.log(`opsig: the Python extension did not tell its interpreter: ${error}`);
    }
  }
}

/** Workspace folders on disk. */
export function folders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((each) => each.uri.scheme === "file");
}

/** The folder that a command is about: that of the open file, else the first one. */
export function currentFolder(): vscode.WorkspaceFolder | undefined {
  const open = vscode.window.activeTextEditor?.document.uri;
  const own = open?.scheme === "file" ? vscode.workspace.getWorkspaceFolder(open) : undefined;
  return own ?? folders()[0];
}
