// Writes src/cli/schema.json: the JSON Schema of all outputs of commands with --json, from the types of the outputs.
// The file forbids other fields, as tests need it; `everypath schema` allows them, since later versions may add some.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { createGenerator } from "ts-json-schema-generator";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The text of the file. */
export async function schemaText() {
  const generator = createGenerator({
    path: `${root}src/cli/outputs.ts`,
    tsconfig: `${root}tsconfig.json`,
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: false,
  });
  const schema = generator.createSchema("JsonOutput");
  return format(JSON.stringify(schema), { parser: "json", printWidth: 110 });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(`${root}src/cli/schema.json`, await schemaText());
