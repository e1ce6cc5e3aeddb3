/** Parameterised tests: `each([[1, 2], …])("adds %i and %i", …)`. Used inside realms and by the adapters. */
import { format } from "../world/inspect.js";

export interface Row {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** `table`: arguments of `each`, an array or the parts of a template with a heading. */
export function rowsOf(name: string, [table, ...values]: readonly unknown[]): readonly Row[] {
  const rows = isTemplate(table) ? rowsOfTemplate(table, values) : (table as readonly unknown[]);
  return rows.map((row, index) => {
    const args = Array.isArray(row) ? (row as unknown[]) : [row];
    return { name: rowName(name, args, index), args };
  });
}

const isTemplate = (table: unknown): table is TemplateStringsArray =>
  Array.isArray(table) && Array.isArray((table as { raw?: unknown }).raw);

/** The first line names the columns. */
function rowsOfTemplate(table: TemplateStringsArray, values: readonly unknown[]): Record<string, unknown>[] {
  const heading = (table[0] ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
  const keys = heading.split("|").map((key) => key.trim());
  return Array.from({ length: Math.floor(values.length / keys.length) }, (_, row) =>
    Object.fromEntries(keys.map((key, column) => [key, values[row * keys.length + column]])),
  );
}

/** `%s`, `%i`, `%#`, `$property`. */
export function rowName(name: string, args: readonly unknown[], index: number): string {
  const numbered = name.replaceAll("%#", String(index)).replaceAll("%$", String(index + 1));
  const [first] = args;
  const filled = numbered.replace(/\$([\w.]+)/g, (all, path: string) => {
    const value = path.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], first);
    return value === undefined ? all : String(value);
  });
  const wanted = (filled.match(/%[sdifjoO]/g) ?? []).length;
  return format([filled, ...args.slice(0, wanted)]);
}
