/** `everypath schema`: the JSON Schema of what commands print with `--json`. */
import type { Terminal } from "./terminal.js";
import strict from "./schema.json" with { type: "json" };

export function printSchema({ stdout }: Terminal): number {
  stdout.write(`${JSON.stringify(resultSchema(), null, 2)}\n`);
  return 0;
}

/** Allows further fields: later versions may add some, and never rename or remove one. */
export const resultSchema = (): object =>
  ({
    title: "Results of everypath, as --json prints them",
    ...(JSON.parse(
      JSON.stringify(strict, (key, value: unknown) =>
        key === "additionalProperties" && value === false ? undefined : value,
      ),
    ) as object),
  }) as const;
