// The language servers: `opsig lsp` for YAML and Python files, opsig-clangd for C++ and CUDA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";
import { chooseClangd, ClangdChoice } from "./clangdChoice";
import { folders, Host } from "./host";
import { idOf } from "./findings";
import { explainUri } from "./pages";

const ClangdExtension = "llvm-vs-code-extensions.vscode-clangd";
const CppToolsExtension = "ms-vscode.cpptools";
const ClangdLanguages = ["c", "cpp", "cuda-cpp", "objective-cpp"];
/** What `opsig lsp` serves. */
function opsigLanguages(): string[] {
  const isPythonOn = vscode.workspace.getConfiguration("opsig").get("python.enable", true);
  return isPythonOn ? ["yaml", "python"] : ["yaml"];
}
const ClangdOffered = "opsig.clangdOffered";
const CppToolsOffered = "opsig.cppToolsOffered";

interface ServerPlan {
  id: string;
  name: string;
  program: string;
  args: string[];
  languages: string[];
}

/** One server: started when the first file of its languages is open, and again when its program is another one. */
class Server {
  private client: LanguageClient | undefined;
  private key = "";
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly host: Host) {}

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  /** Makes what runs agree with `plan`; undefined for nothing. Calls are done one after the other. */
  update(plan: ServerPlan | undefined, isForced = false): Promise<void> {
    this.queue = this.queue.then(() => this.change(plan, isForced)).catch((error) => this.host.log(`opsig: ${error}`));
    return this.queue;
  }

  private async change(plan: ServerPlan | undefined, isForced: boolean): Promise<void> {
    const environment = this.host.environment();
    const key = plan ? JSON.stringify([plan.program, plan.args, environment]) : "";
    if (key === this.key && !isForced) return;
    this.key = key;
    const old = this.client;
    this.client = undefined;
    await old?.dispose().catch(() => undefined);
    if (!plan) return;
    this.host.log(`starting ${[plan.program, ...plan.args].join(" ")}`);
    this.client = new LanguageClient(plan.id, plan.name, this.serverOptions(plan, environment), this.clientOptions(plan));
    await this.client.start();
  }

  private serverOptions(plan: ServerPlan, environment: Record<string, string>): ServerOptions {
    const cwd = folders()[0]?.uri.fsPath;
    return { command: plan.program, args: plan.args, options: { cwd, env: { ...process.env, ...environment }, shell: false } };
  }

  private clientOptions(plan: ServerPlan): LanguageClientOptions {
    return {
      documentSelector: plan.languages.map((language) => ({ scheme: "file", language })),
      outputChannel: this.host.output,
      middleware: {
        // The page of a check comes from the program itself, so it is that of its version.
        handleDiagnostics: (uri, diagnostics, next) => {
          for (const each of diagnostics) {
            const id = idOf(each);
            if (id.startsWith("opsig-")) each.code = { value: id, target: explainUri(id) };
          }
          next(uri, diagnostics);
        },
      },
    };
  }
}

export class Servers implements vscode.Disposable {
  private readonly opsig: Server;
  private readonly clangd: Server;
  private readonly disposables: vscode.Disposable[] = [];
  private isMissingTold = false;

  constructor(
    private readonly host: Host,
    private readonly memory: vscode.Memento,
  ) {
    this.opsig = new Server(host);
    this.clangd = new Server(host);
    this.disposables.push(
      host.onDidChange(() => void this.update()),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (this.isFor(document, [...ClangdLanguages, ...opsigLanguages()])) void this.update();
      }),
    );
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  async stop(): Promise<void> {
    await Promise.all([this.opsig.update(undefined), this.clangd.update(undefined)]);
  }

  async update(isForced = false): Promise<void> {
    await Promise.all([this.updateOpsig(isForced), this.updateClangd(isForced)]);
  }

  private isFor(document: vscode.TextDocument, languages: string[]): boolean {
    return document.uri.scheme === "file" && languages.includes(document.languageId);
  }

  private hasOpen(languages: string[]): boolean {
    return vscode.workspace.textDocuments.some((each) => this.isFor(each, languages));
  }

  private async updateOpsig(isForced: boolean): Promise<void> {
    const languages = opsigLanguages();
    if (!this.hasOpen(languages)) return;
    const found = this.host.program("opsig");
    if (!found.program) {
      await this.opsig.update(undefined);
      await this.tellMissingOnce();
      return;
    }
    const args = ["lsp", ...this.host.schemaArguments()];
    const plan = { id: "opsig", name: "opsig lsp", program: found.program, args, languages };
    await this.opsig.update(plan, isForced);
  }

  /** Only a project that has settings for opsig expects it. */
  private async tellMissingOnce(): Promise<void> {
    if (this.isMissingTold) return;
    this.isMissingTold = true;
    const isThere = (folder: vscode.WorkspaceFolder) =>
      vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, ".opsig.yaml")).then(
        () => true,
        () => false,
      );
    const settings = await Promise.all(folders().map(isThere));
    if (settings.includes(true)) void this.host.reportMissing(this.host.program("opsig"));
  }

  clangdChoice(): ClangdChoice {
    const clangd = vscode.workspace.getConfiguration("clangd");
    return chooseClangd({
      mode: vscode.workspace.getConfiguration("opsig").get("clangd.mode", "auto"),
      hasClangdExtension: vscode.extensions.getExtension(ClangdExtension) !== undefined,
      isClangdEnabled: clangd.get("enable", true),
      clangdPath: clangd.get("path", "clangd"),
      opsigClangd: this.host.program("opsig-clangd").program,
    });
  }

  private async updateClangd(isForced: boolean): Promise<void> {
    const choice = this.clangdChoice();
    if (choice.kind !== "own") await this.clangd.update(undefined);
    if (!this.hasOpen(ClangdLanguages)) return;
    switch (choice.kind) {
      case "own": {
        // The user's own: a workspace does not say what a program is started with.
        const args = vscode.workspace.getConfiguration("opsig").inspect<string[]>("clangd.arguments")?.globalValue ?? [];
        const plan = { id: "opsig.clangd", name: "opsig-clangd", program: choice.program, args, languages: ClangdLanguages };
        await this.clangd.update(plan, isForced);
        await this.offerCppTools();
        break;
      }
      case "offer":
        await this.offerClangd(choice.program);
        break;
      case "none":
        this.host.log(`opsig-clangd is not started: ${choice.why}`);
        break;
      case "beside":
        break;
    }
  }

  /** Asks once. The command is there for those who answered something else. */
  private async offerClangd(program: string): Promise<void> {
    if (this.memory.get(ClangdOffered)) return;
    await this.memory.update(ClangdOffered, true);
    const answer = await vscode.window.showInformationMessage(
      `The clangd extension serves C++ here. opsig-clangd is a complete clangd with opsig's checks inside. Set 'clangd.path' to it?`,
      "Use opsig-clangd",
      "Not Now",
    );
    if (answer === "Use opsig-clangd") await this.useOpsigClangd(program);
  }

  /** Sets the user's clangd.path. */
  async useOpsigClangd(program = this.host.program("opsig-clangd").program): Promise<void> {
    if (!vscode.extensions.getExtension(ClangdExtension)) {
      void vscode.window.showInformationMessage("opsig: the clangd extension is not enabled; this extension starts opsig-clangd itself.");
      return;
    }
    if (!program) {
      await this.host.reportMissing(this.host.program("opsig-clangd"));
      return;
    }
    await vscode.workspace.getConfiguration("clangd").update("path", program, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("clangd.restart").then(undefined, (error) => this.host.log(`clangd.restart: ${error}`));
  }

  /** The C/C++ extension's IntelliSense and clangd answer the same questions. */
  private async offerCppTools(): Promise<void> {
    const settings = vscode.workspace.getConfiguration("C_Cpp");
    if (!vscode.extensions.getExtension(CppToolsExtension) || settings.get("intelliSenseEngine") === "disabled") return;
    if (this.memory.get(CppToolsOffered)) return;
    await this.memory.update(CppToolsOffered, true);
    const answer = await vscode.window.showInformationMessage(
      "The C/C++ extension and opsig-clangd both complete and show C++. Turn off the IntelliSense of the C/C++ extension in this workspace?",
      "Turn Off",
      "Keep Both",
    );
    if (answer === "Turn Off") await settings.update("intelliSenseEngine", "disabled", vscode.ConfigurationTarget.Workspace);
  }

  restart(): Promise<void> {
    return this.update(true);
  }
}
