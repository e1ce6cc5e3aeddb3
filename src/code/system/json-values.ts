/** Values that JSON represents faithfully, so that they can be copied. Runs inside realms. */

/** Describes and locates a value that JSON would omit or change; undefined: none. Undefined fields count as absent. */
export function nonJsonIn(value: unknown, path = "", above: readonly unknown[] = []): string | undefined {
  const what = unsayable(value, above);
  if (what !== undefined) return path === "" ? what : `${what} at ${path}`; // sound: test/code/system/json-values.test.ts
  if (typeof value !== "object" || value === null) return undefined;
  if (hasOwnWords(value)) return JSON.stringify(value) === undefined ? "nothing" : undefined; // sound: test/code/system/json-values.test.ts
  const inside = [...above, value];
  const fields = Array.isArray(value)
    ? Array.from(value, (held: unknown, place) => [`[${place}]`, held] as const)
    : Object.entries(value).flatMap(([key, held]) =>
        held === undefined ? [] : [[`.${key}`, held] as const],
      );
  for (const [step, held] of fields) {
    const found = nonJsonIn(held, path + step, inside);
    if (found !== undefined) return found; // sound: test/code/system/json-values.test.ts
  }
  return undefined;
}

function unsayable(value: unknown, above: readonly unknown[]): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      if (Object.is(value, -0)) return "-0"; // sound: test/code/system/json-values.test.ts
      return Number.isFinite(value) ? undefined : String(value); // sound: test/code/system/json-values.test.ts
    case "undefined":
      return "undefined";
    case "object":
      if (value === null) return undefined;
      return above.includes(value) ? "a cycle" : foreign(value); // sound: test/code/system/json-values.test.ts
    default:
      return `a ${typeof value}`;
  }
}

/** Maps, dates, bytes and similar objects are more than their fields; so are objects with symbol keys. */
function foreign(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag !== "Object" && tag !== "Array") return `a ${tag}`; // sound: test/code/system/json-values.test.ts
  return Object.getOwnPropertySymbols(value).length > 0 ? "a key that is a symbol" : undefined; // sound: test/code/system/json-values.test.ts
}

const hasOwnWords = (value: object): boolean => "toJSON" in value && typeof value.toJSON === "function";
