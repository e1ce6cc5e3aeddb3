/** The trace for other tools: to the clipboard or as a file. */
import { useState } from "react";
import { renderMermaid } from "../../../src/report/mermaid.js";
import { renderShiviz } from "../../../src/report/shiviz.js";
import { narrativeOf, type Path } from "../path.js";
import { download } from "../run/share.js";
import { chartOf } from "./chart-pane.js";

interface Format {
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  text(path: Path, file: string): string;
}

const formats: readonly Format[] = [
  { name: "schedule", extension: "txt", type: "text/plain", text: (path) => path.view.schedule },
  {
    name: "command",
    extension: "txt",
    type: "text/plain",
    text: ({ view }, file) => `everypath explore '${file}' --at '${view.schedule}'`,
  },
  {
    name: "JSON",
    extension: "json",
    type: "application/json",
    text: ({ view }) => JSON.stringify(view, null, 1),
  },
  { name: "SVG", extension: "svg", type: "image/svg+xml", text: (path) => chartOf(path) },
  { name: "Mermaid", extension: "mmd", type: "text/plain", text: (path) => renderMermaid(narrativeOf(path)) },
  {
    name: "ShiViz log",
    extension: "log",
    type: "text/plain",
    text: (path) => renderShiviz(narrativeOf(path)),
  },
];

export function CopyMenu({ path, file }: { readonly path: Path; readonly file: string }) {
  const [said, setSaid] = useState("");
  const copy = async ({ name, text, extension, type }: Format): Promise<void> => {
    const content = text(path, file);
    try {
      await navigator.clipboard.writeText(content);
      setSaid(`${name} copied`);
    } catch {
      download(`trace.${extension}`, type, content);
      setSaid(`${name} saved as a file: the clipboard is closed`);
    }
  };
  return (
    <details className="menu">
      <summary>Copy as …</summary>
      <div>
        {formats.map((format) => (
          <span key={format.name} className="pair">
            <button onClick={() => void copy(format)}>{format.name}</button>
            <button
              className="link"
              aria-label={`save as a file: ${format.name}`}
              onClick={() => download(`trace.${format.extension}`, format.type, format.text(path, file))}
            >
              file
            </button>
          </span>
        ))}
        <p role="status" className="faint">
          {said}
        </p>
      </div>
    </details>
  );
}
