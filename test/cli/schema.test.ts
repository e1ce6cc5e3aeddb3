/** `everypath schema`: generated from the types of the outputs; every result that tests read is validated against it. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { resultSchema } from "../../src/cli/schema.js";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";
import { failingTwice, holding } from "./models.js";
import { problemsIn } from "./valid-json.js";

const cli = useCli();

test("the schema is that of the types; npm run schema writes it anew", async () => {
  const { schemaText } = (await import(inRepository("scripts/schema.mjs"))) as {
    schemaText(): Promise<string>;
  };
  expect(readFileSync(inRepository("src/cli/schema.json"), "utf8")).toBe(await schemaText());
}, 240_000);

test("a consumer validates results with it, also those of a version with further fields", async () => {
  const { stdout } = await cli.run(["schema"]);
  expect(JSON.parse(stdout)).toEqual(resultSchema());
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(stdout) as object);
  const result = (await cli.run(["check", cli.write("m.pml", failingTwice), "--json"])).json();
  expect(isValid(result)).toBe(true);
  expect(isValid({ ...result, fresh: 1 })).toBe(true);
  expect(isValid({ ...result, verdict: "fine" })).toBe(false);
  const { stats: _, ...without } = result;
  expect(isValid(without)).toBe(false);
});

test("fields that no type declares are reported to tests", async () => {
  const result = (await cli.run(["check", cli.write("m.pml", holding), "--json"])).json();
  expect(problemsIn(result)).toEqual([]);
  expect(problemsIn({ ...result, fresh: 1 })).toContainEqual(expect.stringMatching(/fresh/));
});
