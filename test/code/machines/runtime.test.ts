/** XState machines: each fixture states its verdict. Machines run in this process. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput, readInput, registry, replayInput, type Input } from "../../../src/session/index.js";
import { firstViolated, overallVerdict } from "../../../src/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/machines");

describe("machines", () => {
  for (const name of readdirSync(folder))
    test(name, async () => {
      const file = `${folder}/${name}`;
      const [, kind, rest] = /^\/\/ expect: (\w+)(?:[:,] (.*))?$/m.exec(readFileSync(file, "utf8"))!;
      const input = readInput(file) as Input;
      const { report } = await checkInput(input, { isPlain: true }, registry);
      const { diagnostics, properties, stats } = report;
      if (kind === "error") {
        const [error] = diagnostics;
        const { file: place, start } = error!.span;
        const { line, column } = report.sources.position(place, start);
        expect(`${error!.code} ${line}:${column}`).toBe(rest);
        return;
      }
      const found = [...properties.map(({ reason }) => reason), ...diagnostics.map(({ message }) => message)];
      const reasons = found.join("; ");
      expect(overallVerdict(report), reasons).toBe(kind);
      if (kind === "holds") expect(`${stats.states} states`).toBe(rest);
      if (kind === "unknown") expect(reasons).toContain(rest);
      if (kind !== "violated") return;
      const violated = firstViolated(report)!;
      expect(violated.property.name).toBe(rest);
      const schedule = violated.trace!.schedule;
      const again = await replayInput(input, { schedule }, {}, registry);
      expect(again.outcome).toBe("failed");
    });
});
