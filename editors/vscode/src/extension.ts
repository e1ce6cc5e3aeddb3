/** The extension: starts the language server, and runs checks for the commands above properties and tests. */
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { check, commandIn, type Checked } from "./checking.js";

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("everypath.check", checkCommand),
    vscode.commands.registerCommand("everypath.explore", exploreCommand),
  );
  const command = everypath();
  client = new LanguageClient(
    "everypath",
    "Everypath",
    { command, args: ["lsp", "--stdio"] },
    { documentSelector: languages(context).map((language) => ({ scheme: "file", language })) },
  );
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(
      `Everypath: ${command} lsp does not start: ${(error as Error).message}`,
    );
  }
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

/** Languages of the manifest, and those of editors that everypath also reads. */
function languages({ extension }: vscode.ExtensionContext): string[] {
  const { contributes } = extension.packageJSON as { contributes: { languages: { id: string }[] } };
  return [...contributes.languages.map(({ id }) => id), "typescript", "javascript", "c"];
}

function everypath(): string {
  const configured = vscode.workspace.getConfiguration("everypath").get<string>("command") ?? "";
  return commandIn(
    configured,
    (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  );
}

/** Of a lens, or of the open file. */
function fileOf(uri: unknown): string | undefined {
  if (typeof uri === "string") return vscode.Uri.parse(uri).fsPath;
  return vscode.window.activeTextEditor?.document.uri.fsPath;
}

async function checkCommand(uri?: unknown, property?: unknown): Promise<Checked | undefined> {
  const file = fileOf(uri);
  if (file === undefined) return undefined;
  await vscode.workspace.saveAll(false);
  const options = vscode.workspace.getConfiguration("everypath").get<string[]>("arguments") ?? [];
  const request = {
    command: everypath(),
    file,
    folder: folderOf(file),
    property: typeof property === "string" ? property : undefined,
    options,
  };
  const title = `Everypath: checking ${request.property ?? "everything"}`;
  const where = { location: vscode.ProgressLocation.Notification, title };
  try {
    const checked = await vscode.window.withProgress(where, () => check(request));
    tell(checked);
    return checked;
  } catch (error) {
    void vscode.window.showErrorMessage(`Everypath: ${(error as Error).message}`);
    return undefined;
  }
}

/** A violation opens its trace. */
function tell({ verdict, sentence, html }: Checked): void {
  if (verdict === "violated" && html !== undefined) show(sentence, html);
  if (verdict === "holds") void vscode.window.showInformationMessage(sentence);
  else if (verdict === "refused") void vscode.window.showErrorMessage(sentence);
  else void vscode.window.showWarningMessage(sentence);
}

function show(title: string, html: string): void {
  panel ??= vscode.window.createWebviewPanel("everypath.trace", "Trace", vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [],
  });
  panel.onDidDispose(() => (panel = undefined));
  panel.title = title.slice(0, 40);
  panel.webview.html = html;
  panel.reveal(vscode.ViewColumn.Beside, true);
}

function exploreCommand(uri?: unknown): void {
  const file = fileOf(uri);
  if (file === undefined) return;
  const terminal = vscode.window.createTerminal({
    name: "Everypath",
    cwd: folderOf(file),
    shellPath: everypath(),
    shellArgs: ["explore", file],
  });
  terminal.show(true);
}

const folderOf = (file: string): string =>
  vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath ?? dirname(file);
