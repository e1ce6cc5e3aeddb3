/** XState machines end to end, in a separate process: the examples, comparisons, and unsupported code met while exploring. */
import { describe, expect, test } from "vitest";
import {
  check,
  compare,
  firstViolated,
  overallVerdict,
  readInput,
  replay,
  toLts,
  type Input,
} from "../../src/index.js";
import { inRepository } from "../repository.js";

const example = (name: string): Input => readInput(inRepository(`examples/machines/${name}.ts`)) as Input;
const fixture = (name: string): Input =>
  readInput(inRepository(`test/fixtures/machines/${name}.ts`)) as Input;

describe("the checkout", () => {
  test("and its rewrite differ by CANCEL while paying", async () => {
    const { comparison } = await compare(example("checkout"), example("checkout-rewrite"), "branching");
    expect(comparison?.isRelated).toBe(false);
    expect(JSON.stringify(comparison?.evidence)).toContain("CANCEL");
  });

  test("and the mended rewrite are alike", async () => {
    for (const relation of ["strong", "branching", "trace"] as const) {
      const { comparison } = await compare(example("checkout"), example("checkout-mended"), relation);
      expect(comparison?.isRelated, relation).toBe(true);
    }
  });
});

describe("cart and payment", () => {
  test("wait for each other, and the trace replays", async () => {
    const input = example("cart-and-payment");
    const report = await check(input);
    const violated = firstViolated(report)!;
    expect(violated.property.kind).toBe("deadlock");
    expect((await replay(input, { schedule: violated.trace!.schedule })).outcome).toBe("failed");
  });

  test("end when mended", async () => {
    expect(overallVerdict(await check(example("cart-and-payment-mended")))).toBe("holds");
  });
});

describe("lts", () => {
  test("has the steps that change nothing", async () => {
    const { lts } = await toLts(fixture("declared-payload"));
    expect(lts?.labels).toContain('UP({"by":1})');
    // Three values, two events in each state.
    expect(lts?.targets.length).toBe(6);
  });

  test.each(["growing-field", "reads-payload", "closure"])("is unknown: %s", async (name) => {
    const { lts, diagnostics } = await toLts(fixture(name));
    expect(lts).toBeUndefined();
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning code/not-supported",
    ]);
  });

  test("reports errors of the file", async () => {
    const { diagnostics } = await toLts(fixture("callback"));
    expect(diagnostics.map(({ code }) => code)).toEqual(["machines/open-actor"]);
  });
});
