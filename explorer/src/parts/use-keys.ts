/** Keys that work anywhere except in text fields. The keyboard help lists the keys of the mounted views. */
import { useEffect, useRef } from "react";

export interface KeyNote {
  /** As `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  readonly does: string;
}

export interface Binding extends KeyNote {
  readonly act: () => void;
}

export function useKeys(bindings: readonly Binding[]): void {
  const current = useRef(bindings);
  useEffect(() => {
    current.current = bindings;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const binding = current.current.find(({ keys }) => keys.includes(event.key));
      if (!binding) return;
      event.preventDefault();
      binding.act();
    };
    const list = (): readonly KeyNote[] => current.current;
    lists.add(list);
    document.addEventListener("keydown", onKey);
    return () => {
      lists.delete(list);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
}

/** Tells the keyboard help of keys that an element handles while it has the focus. */
export function useKeyNotes(notes: readonly KeyNote[]): void {
  useEffect(() => {
    const list = (): readonly KeyNote[] => notes;
    lists.add(list);
    return () => void lists.delete(list);
  }, [notes]);
}

/** Every key that works now. */
export const activeKeys = (): readonly KeyNote[] => [...lists].flatMap((list) => list());

const lists = new Set<() => readonly KeyNote[]>();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, select, textarea, [contenteditable=true], summary, [role=menu]") !== null;
