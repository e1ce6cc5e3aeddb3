/**
 * Finds the objects of XState's own modules, which belong to no state: caches, constants, logic with functions that close over variables. Imported
 * before XState; `loaded.ts` follows it. The user's modules are loaded after that, so their objects are state. Runs inside realms.
 */
const original = globalThis.WeakMap;

/** Bindings of modules are global names. */
const objects = (): Map<string, object> =>
  new Map(
    Object.getOwnPropertyNames(globalThis).flatMap((name): [string, object][] => {
      const { value } = (Object.getOwnPropertyDescriptor(globalThis, name) ?? {}) as {
        readonly value?: unknown;
      };
      return typeof value === "object" && value !== null && value !== globalThis ? [[name, value]] : [];
    }),
  );

const before = objects();

export const ofXState: object[] = [];

export function endLoading(): void {
  globalThis.WeakMap = original;
  for (const [name, value] of objects()) if (before.get(name) !== value) ofXState.push(value);
}

// Weak maps in closures have no global name.
globalThis.WeakMap = function recording(entries?: readonly (readonly [object, unknown])[]) {
  const made = new original(entries ?? []);
  ofXState.push(made);
  return made;
} as unknown as WeakMapConstructor;
