/**
 * Branching minimisation relative to our own exploration of the same graph in the same run, by processor time, and its bytes a
 * transition, input included. Graphs: lock servers with `n` clients, and interleaved toggles, as products by vectors.
 *
 * `--only learning` proves systems of the literature by learned assumptions (`lts-learning.ts`) instead.
 * `--only openfst` minimises a deterministic system of 1.2 million transitions beside OpenFst (`lts-openfst.ts`).
 * `--only adt` composes Chiron-lite (`lts-adt.ts`), `--only chi` checks examples and laws of χ (`lts-chi.ts`), both also beside Spin.
 * `--only components` builds hierarchical components (`lts-components.ts`).
 *
 *     npm run bench:lts
 *     npm run bench:lts -- --only learning
 *     npm run bench:lts -- --only adt
 *     npm run bench:lts -- --only chi
 *     npm run bench:lts -- --only components
 */
import { ltsModel } from "../src/compile/lts.js";
import { checkExplicit, exploreLts } from "../src/engines/explicit/index.js";
import { partitioning } from "../src/engines/lts/index.js";
import {
  LtsBuilder,
  TAU,
  hide,
  processorMs,
  type Lts,
  type LtsNetwork,
  type SyncVector,
} from "../src/model/index.js";
import { actionsOf } from "../src/session/lts/labels.js";

const MOST_TIMES = 4;
const MOST_BYTES = 40;
const span = { file: "bench", start: 0, end: 0 };

function cycle(labels: readonly string[]): Lts {
  const builder = new LtsBuilder();
  for (const [i, label] of labels.entries())
    builder.add(i, label === "tau" ? TAU : builder.labels.of(label), (i + 1) % labels.length);
  return builder.finish(labels.length, [0]);
}

/** Clients work in silence, acquire, enter, exit and release. */
function lockServer(clients: number, work: number): LtsNetwork {
  const server = new LtsBuilder();
  const vectors: SyncVector[] = [];
  const parts: { name: string; lts: Lts }[] = [];
  const shared = (label: string, part: number, own: string, theirs: string | undefined): SyncVector => ({
    label,
    labels: [theirs, ...Array.from({ length: clients }, (_, c) => (c === part ? own : undefined))],
  });
  for (let c = 0; c < clients; c++) {
    server.add(0, server.labels.of(`acquire${c}`), c + 1);
    server.add(c + 1, server.labels.of(`release${c}`), 0);
    const local = Array.from({ length: work }, () => "tau");
    parts.push({ name: `client${c}`, lts: cycle([...local, "acquire", "enter", "exit", "release"]) });
    for (const action of ["acquire", "release"])
      vectors.push(shared(`${action}${c}`, c, action, `${action}${c}`));
    for (const action of ["enter", "exit"]) vectors.push(shared(`${action}${c}`, c, action, undefined));
  }
  parts.unshift({ name: "server", lts: server.finish(clients + 1, [0]) });
  return { name: "locks", parts, vectors, span };
}

function toggles(count: number): LtsNetwork {
  const parts = Array.from({ length: count }, (_, i) => ({ name: `t${i}`, lts: cycle(["on", "off"]) }));
  const vectors = parts.flatMap((_, i) =>
    ["on", "off"].map((label) => ({
      label: i < 3 ? `${label}${i}` : "tau",
      labels: parts.map((__, j) => (j === i ? label : undefined)),
    })),
  );
  return { name: "toggles", parts, vectors, span };
}

async function measure(
  name: string,
  network: LtsNetwork,
  isVisible: (label: string) => boolean,
): Promise<void> {
  const model = ltsModel(network);
  const begun = processorMs();
  const options = { order: "bfs", checkDeadlock: true, errors: 1, budget: {}, control: {} } as const;
  const searched = await checkExplicit(model, options);
  const afterSearch = processorMs();
  const { lts } = await exploreLts(
    actionsOf(model, () => true),
    {},
    {},
  );
  const afterBuilding = processorMs();
  if (!lts) throw new Error(`${name} was not explored`);
  const hidden = hide(lts, isVisible);
  const afterHiding = processorMs();
  const slices = partitioning(hidden, "branching");
  while (slices.advance(Infinity));
  const { quotient } = slices.result();
  const minimising = processorMs() - afterHiding;
  const exploring = afterSearch - begun;
  const transitions = lts.targets.length;
  const times = minimising / exploring;
  const bytes = slices.bytes / transitions;
  const isMet = times <= MOST_TIMES && bytes <= MOST_BYTES;
  console.log(
    `${name}: ${lts.states} states (${searched.stats.states} searched), ${transitions} transitions -> ${quotient.states}/${quotient.targets.length}; ` +
      `search ${Math.round(exploring)} ms, building ${Math.round(afterBuilding - afterSearch)} ms, minimising ${Math.round(minimising)} ms: ` +
      `${times.toFixed(2)}x (at most ${MOST_TIMES}x), ${bytes.toFixed(1)} bytes a transition (at most ${MOST_BYTES}): ${isMet ? "met" : "missed"}`,
  );
}

const only = process.argv.includes("--only")
  ? process.argv[process.argv.indexOf("--only") + 1]
  : "minimising";
if (only === "adt") await (await import("./lts-adt.js")).measureAdt();
else if (only === "components") await (await import("./lts-components.js")).measureComponents();
else if (only === "chi") await (await import("./lts-chi.js")).measureChi();
else if (only === "learning") await (await import("./lts-learning.js")).measureLearning();
else if (only === "minimising") {
  await measure("locks, all visible", lockServer(7, 4), () => true);
  await measure("locks, two clients visible", lockServer(7, 4), (label) => /[01]$/.test(label));
  await measure("toggles, three visible", toggles(17), () => true);
} else if (only === "openfst") {
  (await import("./lts-openfst.js")).measureOpenFst();
} else throw new Error(`--only takes adt, chi, components, learning, minimising or openfst, not ${only}`);
