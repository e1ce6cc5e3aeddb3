/** Lists the keys of the current view; `?` and a button in the header open it. */
import { useEffect, useRef, useState } from "react";
import { activeKeys, useKeys, type KeyNote } from "./use-keys.js";

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [notes, setNotes] = useState<readonly KeyNote[] | null>(null);
  const open = (): void => setNotes(activeKeys());
  useKeys([{ keys: ["?"], does: "show these keys", act: open }]);
  useEffect(() => {
    if (notes && !dialog.current!.open) dialog.current!.showModal();
  }, [notes]);
  return (
    <>
      <button className="help" aria-label="keyboard help" title="keyboard help (?)" onClick={open}>
        ?
      </button>
      <dialog ref={dialog} aria-label="Keyboard help" onClose={() => setNotes(null)}>
        <div className="bar">
          <h2>Keys of this view</h2>
          <button onClick={() => dialog.current!.close()}>Close</button>
        </div>
        <table>
          <tbody>
            {notes?.map(({ keys, does }) => (
              <tr key={does}>
                <td>
                  {keys.map((key) => (
                    <kbd key={key}>{names[key] ?? key}</kbd>
                  ))}
                </td>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="faint">Letters work wherever you do not type.</p>
      </dialog>
    </>
  );
}

const names: Readonly<Record<string, string | undefined>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageDown: "Page Down",
  PageUp: "Page Up",
};
