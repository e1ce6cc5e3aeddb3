/** A text editor with underlined diagnostics, or a read-only view with marked lines. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  WidgetType,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { DiagnosticView } from "../../../src/explorer/protocol.js";
import type { Highlighting } from "../../../src/session/languages/highlighting.js";
import { highlight } from "./highlight.js";

/** A line to mark: of a step, or of processes' locations. */
export interface Mark {
  readonly line: number;
  readonly isStep: boolean;
  /** Declares the property that is violated. */
  readonly isViolated: boolean;
  readonly processes: readonly string[];
}

export interface EditorProps {
  readonly text: string;
  readonly label: string;
  readonly highlighting: Highlighting | null;
  readonly diagnostics?: readonly DiagnosticView[];
  readonly marks?: readonly Mark[];
  /** Absent: read-only. */
  readonly onEdit?: (text: string) => void;
  readonly onSave?: () => void;
  /** A line to scroll to, once for each new value. */
  readonly reveal?: { readonly line: number } | null;
}

export function Editor(props: EditorProps) {
  const { text, label, highlighting, diagnostics, marks, reveal } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const handlers = useRef(props);
  useEffect(() => {
    handlers.current = props;
  });

  useEffect(() => {
    const isEditable = handlers.current.onEdit !== undefined;
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          highlight(highlighting),
          bracketMatching(),
          drawSelection(),
          highlightSelectionMatches(),
          markField,
          theme,
          EditorView.contentAttributes.of({ "aria-label": label }),
          isEditable ? editing(handlers) : reading,
        ],
      }),
    });
    // Readers who do not edit scroll by keys.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
    // A new language or purpose needs a new editor; the effect below follows the text.
  }, [highlighting, label]);

  useEffect(() => {
    const editor = view.current!;
    const before = editor.state.doc.toString();
    if (before !== text) editor.dispatch({ changes: { from: 0, to: before.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current!;
    const { length } = editor.state.doc;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        (diagnostics ?? []).map((d) => underlined(d, length)),
      ),
    );
  }, [diagnostics, text]);

  useEffect(() => {
    const editor = view.current!;
    editor.dispatch({ effects: setMarks.of(marks ?? []) });
    const first = marks?.find(({ isStep }) => isStep) ?? marks?.[0];
    if (first) scrollTo(editor, first.line);
  }, [marks, text]);

  useEffect(() => {
    if (!reveal) return;
    const editor = view.current!;
    scrollTo(editor, reveal.line);
    const line = lineAt(editor.state.doc, reveal.line);
    editor.dispatch({ selection: { anchor: line.from } });
    editor.focus();
  }, [reveal]);

  return <div className="editor" ref={place} />;
}

const editing = (handlers: { readonly current: EditorProps }): Extension => [
  history(),
  highlightActiveLine(),
  lintGutter(),
  keymap.of([
    { key: "Mod-s", preventDefault: true, run: () => (handlers.current.onSave?.(), true) },
    // Tab indents; Escape, then Tab, leaves the editor (CodeMirror's behaviour).
    indentWithTab,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) handlers.current.onEdit?.(update.state.doc.toString());
  }),
];

const reading: Extension = [
  // Process names follow their line; a long line must not hide them.
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: "0" }),
];

const underlined = (
  { start, end, severity, message, hint, code }: DiagnosticView,
  length: number,
): Diagnostic => {
  const from = Math.min(start, length);
  return {
    from,
    to: Math.min(length, Math.max(end, from + 1)),
    severity: severity === "note" ? "info" : severity,
    message: [message, hint ? `hint: ${hint}` : "", `[${code}]`].filter(Boolean).join("\n"),
  };
};

// ---- marks ---------------------------------------------------------------------------------------

const setMarks = StateEffect.define<readonly Mark[]>();

const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    let next = decorations.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) next = decorate(transaction.newDoc, effect.value);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate(doc: Text, marks: readonly Mark[]): DecorationSet {
  const sorted = [...marks].filter(({ line }) => line <= doc.lines).sort((a, b) => a.line - b.line);
  return Decoration.set(
    sorted.flatMap(({ line, isStep, isViolated, processes }) => {
      const { from, to } = lineAt(doc, line);
      const kind = isViolated ? "cm-violated" : isStep ? "cm-step" : "cm-stand";
      const band = Decoration.line({ class: kind }).range(from);
      const names = [...(isViolated ? ["violated"] : []), ...processes];
      if (names.length === 0) return [band];
      return [band, Decoration.widget({ widget: new Names(names), side: 1 }).range(to)];
    }),
    true,
  );
}

class Names extends WidgetType {
  readonly #processes: readonly string[];

  constructor(processes: readonly string[]) {
    super();
    this.#processes = processes;
  }

  override eq(other: Names): boolean {
    return other.#processes.join() === this.#processes.join();
  }

  toDOM(): HTMLElement {
    const span = document.createElement("span");
    span.className = "cm-names";
    span.textContent = this.#processes.join(" ");
    return span;
  }
}

const lineAt = (doc: Text, line: number): { from: number; to: number } =>
  doc.line(Math.max(1, Math.min(line, doc.lines)));

function scrollTo(editor: EditorView, line: number): void {
  const { from } = lineAt(editor.state.doc, line);
  editor.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 }) });
}

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--code)", color: "var(--faint)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--select) !important",
  },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-panels": { backgroundColor: "var(--code)", color: "var(--ink)" },
});
