// `opsig check` for the project, and with --fix.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { FindingStore } from "./findings";
import { currentFolder, folders, Host } from "./host";
import { Pages } from "./pages";
import { errorOf, ExitClean, ExitFindings, RunResult, summaryOf } from "./run";
import { readSarif, Report } from "./sarif";

const CheckedLanguages = new Set(["c", "cpp", "cuda-cpp", "objective-cpp", "python", "yaml"]);
const SaveDelay = 300;

export class Checks implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private running: vscode.CancellationTokenSource | undefined;
  private saveTimer: NodeJS.Timeout | undefined;
  private readonly results = new vscode.EventEmitter<string>();
  /** The summary of each check of the project. */
  readonly onDidCheck = this.results.event;

  constructor(
    private readonly host: Host,
    private readonly store: FindingStore,
    private readonly pages: Pages,
  ) {
    this.disposables.push(
      this.results,
      vscode.workspace.onDidSaveTextDocument((document) => this.saved(document)),
    );
  }

  dispose(): void {
    clearTimeout(this.saveTimer);
    this.running?.cancel();
    for (const each of this.disposables) each.dispose();
  }

  private saved(document: vscode.TextDocument): void {
    const settings = vscode.workspace.getConfiguration("opsig", document.uri);
    if (settings.get("check.onSave") !== "project" || !CheckedLanguages.has(document.languageId)) return;
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.checkProject(true), SaveDelay);
  }

  /** Checks all folders of the workspace. */
  async checkProject(isQuiet = false): Promise<void> {
    if (folders().length === 0) {
      void vscode.window.showWarningMessage("opsig: open a folder to check its project.");
      return;
    }
    // A newer check replaces one that has not ended.
    this.running?.cancel();
    const mine = (this.running = new vscode.CancellationTokenSource());
    const location = isQuiet ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title: "opsig: checking the project", cancellable: true }, async (_, token) => {
      token.onCancellationRequested(() => mine.cancel());
      const reports: Report[] = [];
      const summaries: string[] = [];
      for (const folder of folders()) {
        const result = await this.checkFolder(folder, mine.token);
        if (!result || mine.token.isCancellationRequested) return;
        if (result.report) reports.push(result.report);
        summaries.push(folders().length > 1 ? `${folder.name}: ${result.summary}` : result.summary);
      }
      const found = reports.flatMap((each) => each.findings);
      const unsaved = this.store.unsavedFiles();
      // Their places are those of the files on disk.
      const shown = found.filter((each) => !unsaved.has(each.file));
      if (shown.length < found.length) summaries.push("findings of files with unsaved changes are not shown");
      await this.store.replace("project", shown);
      this.results.fire(summaries.join("\n"));
      if (!isQuiet) this.tell(summaries.join("; "));
    });
    if (this.running === mine) this.running = undefined;
  }

  private async checkFolder(folder: vscode.WorkspaceFolder, token: vscode.CancellationToken) {
    const args = ["check", "--format=sarif", "--color=never", ...this.host.schemaArguments(folder.uri)];
    let result: RunResult | undefined;
    try {
      result = await this.host.opsig(args, folder.uri.fsPath, token);
      if (!result) return undefined;
      const report = result.stdout ? readSarif(result.stdout) : undefined;
      const isDone = result.status === ExitClean || result.status === ExitFindings;
      const summary = isDone ? summaryOf(result) : `not checked completely: ${errorOf(result)}; ${summaryOf(result)}`;
      return { report, summary };
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      this.host.log(`opsig: ${error}`);
      return { report: undefined, summary: `not checked: ${error}` };
    }
  }

  private tell(summary: string): void {
    const show = /not checked/.test(summary) ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    void show(`opsig: ${summary}`, "Show Problems", "Show Output").then((answer) => {
      if (answer === "Show Problems") void vscode.commands.executeCommand("workbench.actions.view.problems");
      if (answer === "Show Output") this.host.output.show();
    });
  }

  /** Shows what --fix would change, and does it when the user agrees. */
  async fixAll(): Promise<void> {
    const folder = currentFolder();
    if (!folder) {
      void vscode.window.showWarningMessage("opsig: open a folder to fix its project.");
      return;
    }
    if (!(await this.saveFirst())) return;
    const args = ["check", "--fix", "--color=never", ...this.host.schemaArguments(folder.uri)];
    const cwd = folder.uri.fsPath;
    const tried = await this.withProgress("opsig: finding fixes", [...args, "--dry-run"], cwd);
    if (!tried) return;
    if (!tried.stdout.trim()) {
      void vscode.window.showInformationMessage(`opsig: nothing to fix. ${summaryOf(tried)}`);
      return;
    }
    await this.pages.show("fixes.diff", tried.stdout);
    const can = tried.stderr.split("\n").find((each) => each.startsWith("opsig: can fix")) ?? "opsig: can fix findings";
    const question = { modal: true, detail: "The editor behind this message shows the changes. They are written to disk." };
    if ((await vscode.window.showInformationMessage(`${can.split(";")[0]}.`, question, "Apply")) !== "Apply") return;
    const done = await this.withProgress("opsig: fixing", args, cwd);
    if (!done) return;
    await this.reloadChanged();
    this.tell(summaryOf(done));
    await this.checkProject(true);
  }

  /**
   * Shows what is on disk in the editors that are open, also where nothing watches the files, as on network file systems: writing
   * the same bytes again through VS Code makes it read them.
   */
  private async reloadChanged(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== "file" || document.isDirty || document.isClosed) continue;
      try {
        const bytes = await fs.readFile(document.uri.fsPath);
        const text = new TextDecoder().decode(bytes);
        if (text.replace(/\r\n/g, "\n") === document.getText().replace(/\r\n/g, "\n")) continue;
        await vscode.workspace.fs.writeFile(document.uri, bytes);
      } catch (error) {
        this.host.log(`opsig: '${document.uri.fsPath}' is not shown again: ${error}`);
      }
    }
  }

  private async withProgress(title: string, args: string[], cwd: string): Promise<RunResult | undefined> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_, token) => {
      try {
        return await this.host.opsig(args, cwd, token);
      } catch (error) {
        if (!token.isCancellationRequested) void vscode.window.showErrorMessage(`opsig: ${error}`);
        return undefined;
      }
    });
  }

  /** opsig reads and writes files on disk. */
  private async saveFirst(): Promise<boolean> {
    const unsaved = vscode.workspace.textDocuments.filter((each) => each.isDirty && each.uri.scheme === "file").length;
    if (unsaved === 0) return true;
    const files = unsaved === 1 ? "1 file has" : `${unsaved} files have`;
    const detail = "opsig reads and writes the files on disk.";
    const answer = await vscode.window.showWarningMessage(`${files} changes that are not saved.`, { modal: true, detail }, "Save All");
    return answer === "Save All" && (await vscode.workspace.saveAll(false));
  }
}
