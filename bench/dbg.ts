import { readFileSync } from "node:fs";
import { openClDevices } from "../src/devices/koffi.js";
import { load, registry } from "../src/session/index.js";
import { search } from "../src/engines/explicit/index.js";
import { searchOnDevice } from "../src/engines/gpu/index.js";
import { LayoutExceeded } from "../src/model/index.js";
const file = process.argv[2]!;
const device = (await openClDevices()).open(undefined);
const loaded = await load({ file, text: readFileSync(file, "utf8") }, { isSearched: true }, registry);
let model = loaded.model!;
const options = (m: typeof model) => ({ order: "bfs", store: "flat", usesStep: false, budget: {}, control: {}, maxErrors: Infinity, checksDeadlock: true, checksSite: m.sites.map(() => true), invariants: [] }) as const;
const t = await search(model, { ...options(model), budget: { maxStates: 200 } });
model = model.compact!((i) => t.store.numbered(i + 1, t.store.width), t.store.count);
for (let d = 1; d < 60; d++) {
  for (;;) try {
    const a = await search(model, { ...options(model), budget: { maxDepth: d } });
    const b = await searchOnDevice(model, { ...options(model), budget: { maxDepth: d } }, device, { memoryBytes: 2 ** 26 });
    console.log(d, a.stats.states, a.stats.transitions, b.stats.states, b.stats.transitions, JSON.stringify(b.violations.length), b.stop, b.stats.depth, b.stats.device.launches, model.system.width);
    if (a.stats.transitions !== b.stats.transitions) process.exit(0);
    break;
  } catch (e) { if (!(e instanceof LayoutExceeded)) throw e; console.log("layout"); model = e.retry(); }
}
