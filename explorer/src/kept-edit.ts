/** Keeps an unsaved edit in the tab, so that a reload does not lose it. */
import type { SourceView } from "../../src/explorer/protocol.js";

export interface KeptEdit {
  /** The text that the edit started from. */
  readonly base: SourceView;
  readonly text: string;
}

export function keepEdit(file: string, { base, text }: KeptEdit): void {
  try {
    if (text === base.text) sessionStorage.removeItem(keyOf(file));
    else sessionStorage.setItem(keyOf(file), JSON.stringify({ base, text } satisfies KeptEdit));
  } catch {
    // The tab's storage is full: leaving the page still asks.
  }
}

export function keptEdit(file: string): KeptEdit | null {
  const kept = sessionStorage.getItem(keyOf(file));
  return kept === null ? null : (JSON.parse(kept) as KeptEdit);
}

const keyOf = (file: string): string => `everypath-edit ${file}`;
