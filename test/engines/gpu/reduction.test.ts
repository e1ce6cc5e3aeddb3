/** Partial-order reduction on a device: against the obvious search under the same proviso. Skipped where OpenCL has no device. */
import { afterAll, describe, expect, it } from "vitest";
import type { CompiledModel } from "../../../src/compile/index.js";
import { openClDevices } from "../../../src/devices/koffi.js";
import { search } from "../../../src/engines/explicit/index.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { searchOnDevice, whyNotOnDevice, type DeviceResult } from "../../../src/engines/gpu/index.js";
import type { Device } from "../../../src/model/index.js";
import { whyNoCandidates } from "../../../src/session/engines/gpu.js";
import { obviousReduced } from "../../transforms/reduction/obvious.js";
import { load, plain, plainRandom } from "../../transforms/reduction/reducing.js";

const device = await openedDevice();
const describeOnDevice = device ? describe : describe.skip;

async function openedDevice(): Promise<Device | undefined> {
  try {
    return (await openClDevices()).open(undefined);
  } catch (error) {
    console.warn(`SKIPPED: reduction on a device (${(error as Error).message})`);
    return undefined;
  }
}

afterAll(() => device?.close());

const PROVISOS = [
  ["queue", "next-level"],
  ["none", "none"],
] as const;

describeOnDevice("partial-order reduction on a device", () => {
  it("explores what the obvious search explores", { timeout: 240_000 }, async () => {
    let [compared, rejected] = [0, 0];
    for (let seed = 1; compared < 8; seed++) {
      const model = plainRandom(seed);
      // The plain text of some random programs has questions that only the processor can answer.
      if (!model?.system.candidates || model.system.step?.text.includes("`")) continue;
      if (whyNotOnDevice(model, true) !== undefined) continue;
      const full = await search(model, { ...request(model), order: "bfs", budget: { maxStates: 1500 } });
      if (full.stop !== undefined) continue;
      for (const [proviso, known] of PROVISOS) {
        const obvious = obviousReduced(model.system, "bfs", known);
        const found = await onDevice(model, proviso);
        const { stats } = found;
        const { partialOrder } = stats;
        expect(
          [stats.states, stats.transitions + 1, partialOrder?.reduced, partialOrder?.rejected],
          `seed ${seed}, ${proviso}`,
        ).toEqual([obvious.states, obvious.transitions, obvious.reduced, obvious.rejected]);
        expect(partialOrder?.proviso).toBe(known);
        expect(errorsOf(found), `seed ${seed}, ${proviso}`).toEqual([...obvious.errors].sort());
        for (const violation of found.violations) traceTo(violation, model); // throws unless it replays
        rejected += partialOrder?.rejected ?? 0;
      }
      compared++;
    }
    expect(rejected).toBeGreaterThan(0);
  });

  /** The spinner alone could be explored forever: the assertion fails only if the other process is let in. */
  it("does not hide an error behind a process that goes round in circles", { timeout: 240_000 }, async () => {
    const model = plain(
      load(`byte seen;
active proctype other() { seen = 1; assert(seen == 0) }
active proctype spinner() { byte k; do :: k = 1 - k od }`),
    );
    for (const [proviso] of PROVISOS)
      expect(errorsOf(await onDevice(model, proviso))).toHaveLength(proviso === "none" ? 0 : 1);
  });
});

describe("a device", () => {
  it("refuses candidates that have no step code, or that can be revoked", () => {
    const asked = { reductions: ["por"] } as never;
    expect(whyNoCandidates(asked, false, undefined)).toMatch("no code");
    expect(whyNoCandidates(asked, false, { proposesInStepCode: true } as never)).toBeUndefined();
    expect(whyNoCandidates({} as never, false, { proposesInStepCode: true } as never)).toMatch("--reduction");
    const model = plain(load("byte x; active [2] proctype P() { byte k; k = 1; x = k }"));
    expect(whyNotOnDevice(model, true)).toBeUndefined();
    const candidates = { ...model.system.candidates!, isProvisional: true };
    const system = Object.assign(Object.create(model.system), { candidates }) as typeof model.system;
    expect(whyNotOnDevice({ ...model, system }, true)).toMatch("revoked");
  });
});

const request = (model: CompiledModel) => ({
  budget: {},
  control: {},
  maxErrors: Infinity,
  checksDeadlock: true,
  checksSite: model.sites.map(() => true),
  invariants: [],
});

const onDevice = (model: CompiledModel, proviso: "queue" | "none"): Promise<DeviceResult> =>
  searchOnDevice(model, { ...request(model), proviso }, device!, { memoryBytes: 2 ** 26, verifies: true });

const errorsOf = ({ violations }: DeviceResult): string[] =>
  [...new Set(violations.map(({ cause }) => (cause.kind === "fault" ? `${cause.site}` : cause.kind)))].sort();
