/** Keys that work anywhere except in text fields. */
import { useEffect, useRef } from "react";

export type Keys = Readonly<Record<string, () => void>>;

export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, select, textarea, [contenteditable=true], summary, [role=menu]") !== null;
