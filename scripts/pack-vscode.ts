/** Packs the extension for Visual Studio Code: `npm run vscode` writes `editors/vscode/out/everypath.vsix`. */
import { resolve } from "node:path";
import { packExtension } from "./vscode.js";

process.stdout.write(`${await packExtension(resolve("editors/vscode/out"))}\n`);
