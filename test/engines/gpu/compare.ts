/** One model, searched breadth-first by the processor and by a device: figures, errors, lengths of paths and coverage must agree. */
import { search, type SearchOptions, type SearchResult } from "../../../src/engines/explicit/index.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { searchOnDevice, type DeviceResult, type DeviceSettings } from "../../../src/engines/gpu/index.js";
import { LayoutExceeded, type Device, type Model } from "../../../src/model/index.js";

export interface Comparison {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly errors: number;
  readonly deviceSeconds: number;
  readonly differences: readonly string[];
}

export interface ComparedOptions {
  readonly maxStates: number;
  /** States of the trial that decides the layout. */
  readonly trialStates?: number;
  readonly settings?: Partial<DeviceSettings>;
}

/** Undefined: the processor found more states than the limit. */
export async function compareOnDevice(
  whole: Model,
  device: Device,
  { maxStates, trialStates = 200, settings = {} }: ComparedOptions,
): Promise<Comparison | undefined> {
  const options = (model: Model): SearchOptions => ({
    order: "bfs",
    store: "flat",
    usesStep: false,
    budget: {},
    control: {},
    maxErrors: Infinity,
    checksDeadlock: true,
    checksSite: model.sites.map(() => true),
    invariants: model.invariants.flatMap(({ kind }, i) => (kind === "agef" ? [] : [i])),
  });
  const first = await compacted(whole, options(whole), trialStates);
  const ofProcessor = await fitting(whole, first, (model) =>
    search(model, { ...options(model), budget: { maxStates } }),
  );
  if (ofProcessor.found.stop) return undefined;
  const given = { memoryBytes: 2 ** 26, verifies: true, ...settings };
  const ofDevice = await fitting(whole, first, (model) =>
    searchOnDevice(model, options(model), device, given),
  );
  const [processor, other] = [seen(ofProcessor), seen(ofDevice)];
  const differences = Object.keys(processor)
    .filter((key) => JSON.stringify(processor[key]) !== JSON.stringify(other[key]))
    .map(
      (key) => `${key}: ${JSON.stringify(processor[key])} and ${JSON.stringify(other[key])} on the device`,
    );
  try {
    // Throws unless the trace replays.
    for (const violation of ofDevice.found.violations) traceTo(violation, ofDevice.model);
  } catch (error) {
    differences.push((error as Error).message);
  }
  const { states, transitions, depth, device: figures } = ofDevice.found.stats;
  const errors = ofDevice.found.violations.length;
  return { states, transitions, depth, errors, deviceSeconds: figures.deviceSeconds, differences };
}

async function compacted(model: Model, options: SearchOptions, maxStates: number): Promise<Model> {
  if (!model.compact) return model;
  const { store } = await search(model, { ...options, budget: { maxStates } });
  return model.compact((i) => store.numbered(i + 1, store.width), store.count);
}

interface Searched<R> {
  readonly model: Model;
  readonly found: R;
  readonly reached: readonly number[];
  readonly times: readonly number[];
}

async function fitting<R extends SearchResult | DeviceResult>(
  whole: Model,
  first: Model,
  run: (model: Model) => Promise<R>,
): Promise<Searched<R>> {
  for (let model = first; ;) {
    whole.coverage.reached.fill(0);
    whole.coverage.times?.fill(0);
    try {
      const found = await run(model);
      return { model, found, reached: [...whole.coverage.reached], times: [...(whole.coverage.times ?? [])] };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      model = error.retry();
    }
  }
}

function seen({ found, reached, times }: Searched<SearchResult | DeviceResult>): Record<string, unknown> {
  const { states, transitions, depth } = found.stats;
  const violations = found.violations
    .map(({ cause, path, occurrences }) => `${JSON.stringify(cause)} ${occurrences} ${path.length}`)
    .sort();
  return { states, transitions, depth, violations, reached, times };
}
