/** Files that the page offers for download. */
import type { RunView } from "../../../src/explorer/protocol.js";
import { api } from "../api.js";
import type { Explorer } from "../state.js";

/** Downloads the self-contained page of a run. */
export async function shareReport({ id }: RunView, explorer: Explorer): Promise<void> {
  try {
    const { html } = await api.report(id);
    if (html === null) return explorer.complain("The report of this run is gone: run it again.");
    const name = explorer.project.file.split(/[/\\]/).at(-1)!;
    download(`${name}.html`, "text/html", html);
  } catch (error) {
    explorer.complain((error as Error).message);
  }
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
