/** Validates outputs of `--json` against the strict schema: undeclared fields are problems. */
import { Ajv, type ValidateFunction } from "ajv";
import schema from "../../src/cli/schema.json" with { type: "json" };

let validate: ValidateFunction | undefined;

/** Undeclared fields first: alternatives of other commands also report all missing fields. */
export function problemsIn(output: unknown): readonly string[] {
  validate ??= new Ajv({ strict: false, allErrors: true }).compile(schema);
  if (validate(output)) return [];
  const errors = validate.errors ?? [];
  const undeclared = errors.filter(({ keyword }) => keyword === "additionalProperties");
  return (undeclared.length > 0 ? undeclared : errors)
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`);
}
