/** Watched expressions, shared by all views of the tab. */
import { useSyncExternalStore } from "react";

const KEPT = "everypath-watches";
let watches: readonly string[] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[];
const listeners = new Set<() => void>();

export interface Watches {
  readonly expressions: readonly string[];
  toggle(expression: string): void;
}

export function useWatches(): Watches {
  const expressions = useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => watches,
  );
  return { expressions, toggle };
}

function toggle(expression: string): void {
  watches = watches.includes(expression)
    ? watches.filter((other) => other !== expression)
    : [...watches, expression];
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(watches));
  } catch {
    // The tab's storage is full: the watches last until a reload.
  }
  for (const listen of listeners) listen();
}
