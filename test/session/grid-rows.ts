/** A small input for every row of the grid, with its properties. `grid-cells.ts` uses them. */
import {
  allPackets,
  checkNetwork,
  defineNetwork,
  type CheckOptions,
  type CheckReport,
  type Input,
} from "../../src/index.js";
import { checkInput, readInput, registry, type Registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

export interface GridSample {
  /** Holds, unless `verdict` is set. Has finitely many states, and more than 1,000 if its model has the facet `threads`. */
  readonly file: string;
  /** Replaces the text of the file. */
  readonly text?: string;
  /** For a language outside the registry. */
  readonly registry?: Registry;
  readonly options?: CheckOptions;
  readonly verdict?: "holds" | "violated";
  /** Replaces the check of the file. */
  readonly check?: (options: CheckOptions) => Promise<CheckReport>;
  /** A true one and a false one; likewise formulas. */
  readonly invariants?: readonly [string, string];
  readonly formulas?: readonly [string, string];
  /** The kind of `formulas`; absent: `ltl`. */
  readonly formulaKind?: string;
  /** Has a deadlock. A part with a file replaces file and options. */
  readonly deadlock?: Asked;
  /** Violated without fairness, holds with it. */
  readonly unfair?: Asked;
  /** Violated, with a replayable trace. */
  readonly broken?: Asked;
  /** Text of an unreachable part of `file`, as reports print it. */
  readonly unreached?: string;
  /** Input on which every declared reduction has an effect; absent: `file`. */
  readonly reduced?: Pick<GridSample, "file" | "text" | "check">;
  /** Prerequisites of the reductions. */
  readonly together?: CheckOptions["reductions"];
  /** An input for an engine that does not decide all properties of `file`. */
  readonly engines?: Readonly<Record<string, Asked>>;
  /** Engines that take other inputs of the language than `file`. */
  readonly otherEngines?: readonly string[];
}

interface Asked extends Pick<GridSample, "check"> {
  readonly file?: string;
  readonly text?: string;
  readonly options: CheckOptions;
}

// Longer names first: they are removed from lists.
const TASK_ENGINES = ["bbs-sequential", "bbs-all", "bbs"];

const here = (name: string): string => inRepository(`test/fixtures/grid/${name}`);
const example = (name: string): string => inRepository(`examples/${name}`);

export const inputOf = ({ file, text }: GridSample): Input =>
  text === undefined ? (readInput(file) as Input) : { file, text };

export const registryOf = (sample: GridSample): Registry => sample.registry ?? registry;

/** Runs the check of the command line in this process. */
export const checked = async (sample: GridSample, options: CheckOptions): Promise<CheckReport> =>
  sample.check
    ? sample.check(options)
    : (await checkInput(inputOf(sample), { ...options, isolation: "none" }, registryOf(sample))).report;

const fields = { kind: ["a", "b"] } as const;

const described = (sendLimit: number | undefined) =>
  defineNetwork({
    name: "described",
    switches: { s: 2 },
    clients: { c: { sends: allPackets(fields) }, d: { sends: [] } },
    links: [
      ["c:1", "s:1"],
      ["s:2", "d:1"],
    ],
    packet: fields,
    ...(sendLimit === undefined ? {} : { sendLimit }),
    controller: {
      initial: null,
      sendsNoBarriers: true,
      packetIn: ({ port }) => ({
        commands: { s: [{ add: { priority: 1, port, ports: [3 - port] } }] },
        ports: [3 - port],
      }),
    },
    properties: [{ name: "known", at: "clients", everyPacket: ({ packet }) => packet.kind !== undefined }],
  });

/** A client that takes no packet. */
const refusing = {
  clients: { c: { sends: allPackets(fields) }, d: { sends: [], receive: () => [] } },
};

/** An event that can happen forever, while a packet waits. */
const again = {
  events: [{ name: "again", run: () => [{}] }],
  properties: [
    {
      name: "served",
      ltl: "G (waiting -> F !waiting)",
      propositions: {
        waiting: ({ packets }: { readonly packets: readonly unknown[] }) => packets.length > 0,
      },
    },
  ],
};

const net = {
  invariants: ["here + there == 2", "there < 2"],
  formulas: ['G "here + there == 2"', 'F "there == 2"'],
  broken: { options: { invariants: ["there < 2"] } },
} as const;
const unfairNet = { file: here("spinning.spec"), options: { ltl: ["F b"], properties: ["F b"] } };
const deadNet = { file: example("nets/philosophers.spec"), options: { deadlock: "stuck" } } as const;

const questions = {
  invariants: ["there + back < 2", "A.v != N"],
  formulas: ['F "A.end"', 'G "A.v != N"'],
} as const;

export const samples: Readonly<Record<string, GridSample>> = {
  promela: {
    file: here("counters.pml"),
    invariants: ["x[0] <= TOP", "x[0] < TOP"],
    formulas: ["<> (x[0] == TOP)", "[] (x[0] < TOP)"],
    deadlock: { file: here("stuck.pml"), options: {} },
    unfair: { file: here("turns.pml"), options: { ltl: ["<> done"] } },
    reduced: { file: example("models/interchangeable-processes.pml") },
    broken: { options: { invariants: ["x[0] < 3"] } },
    unreached: "x[0] = 0",
  },
  "promela: policies about provenance": {
    file: here("policies.pml"),
    ...questions,
    deadlock: { file: here("stuck-messages.pml"), options: { deadlock: "stuck" } },
    unfair: { file: here("waiting.pml"), options: { ltl: ['F "A.end"'], properties: ['F "A.end"'] } },
    broken: { file: here("leaking.pml"), options: {} },
  },
  "promela: components": {
    file: example("lts/split-server.pml"),
    formulas: ['G ("z!b" || "w!b" || "x!a" || "x!c" || "x!d" || "y!a" || "y!c" || "y!d")', 'G F "z!b"'],
    formulaKind: "actions",
    engines: {
      learning: { file: here("asserting-components.pml"), options: { properties: ["error state"] } },
    },
    deadlock: { file: here("stuck-components.pml"), options: {} },
    broken: { file: here("stuck-components.pml"), options: {} },
  },
  mpp: {
    file: here("forwarding.mpp"),
    ...questions,
    deadlock: { file: here("stuck.mpp"), options: { deadlock: "stuck" } },
    unfair: { file: here("waiting.mpp"), options: { ltl: ['F "A.end"'], properties: ['F "A.end"'] } },
    broken: { file: example("messages/medical-mutant.mpp"), options: {} },
  },
  webextension: {
    file: example("extensions/1-price-history/manifest.json"),
    verdict: "violated",
    broken: { options: {} },
  },
  mist: {
    file: here("spinning.spec"),
    invariants: ["a + b == 1", "b == 0"],
    formulas: ['G "a + b == 1"', "F b"],
    deadlock: deadNet,
    unfair: unfairNet,
    broken: { options: { invariants: ["b == 0"] } },
    unreached: "t3",
  },
  pnml: {
    file: here("turn.pnml"),
    options: { targets: ["gone >= 1"] },
    ...net,
    deadlock: deadNet,
    unfair: unfairNet,
    unreached: "leave",
  },
  bvas: { file: here("turn.bvas"), ...net, deadlock: deadNet, unfair: unfairNet, unreached: "unary 3" },
  "bvas: branching": { file: example("nets/pairing.bvas"), verdict: "violated" },
  gcl: {
    file: here("counters.gcl"),
    broken: { file: example("guarded/lock.gcl"), options: {} },
    unreached: "never: done == 1 -> skip",
  },
  "gcl: with unbounded integers": {
    file: example("guarded/ticket.gcl"),
    broken: { file: example("guarded/hurry.gcl"), options: {} },
  },
  ndlog: {
    file: example("declarative/routes.ndlog"),
    broken: { file: example("declarative/balancer.ndlog"), options: {} },
  },
  bp: {
    file: here("counters.bp"),
    reduced: { file: here("workers.bp") },
    broken: { file: example("booleans/stop-race.bp"), options: {} },
    unreached: "b0 = 0",
  },
  c: {
    engines: Object.fromEntries(TASK_ENGINES.map((name) => [name, { options: { tasks: ["plain"] } }])),
    otherEngines: TASK_ENGINES,
    file: example("c/parity.c"),
    broken: { file: example("c/midpoint.c"), options: {} },
  },
  rpp: { file: example("nets/web-twice.rpp"), verdict: "violated" },
  fsp: {
    file: here("lock.fsp"),
    formulas: ['G ("u.1.enter" -> X "u.1.exit")', 'F "u.1.enter"'],
    formulaKind: "actions",
    deadlock: { file: example("lts/philosophers.fsp"), options: {} },
    engines: { learning: { options: { properties: ["ONE"] } } },
    broken: { options: { defines: ["PERMITS=2"] } },
  },
  fractal: {
    file: example("components/Logger.fractal"),
    options: { defines: ["control=free"] },
    formulas: ['G !("Logger.start" && "Logger.stop")', 'G !"Logger.start"'],
    formulaKind: "actions",
    deadlock: { file: here("stuck.fractal"), options: {} },
    engines: {
      learning: { options: { defines: ["control=free"], properties: ["no unbound call"] } },
    },
    broken: { file: example("components/C-started.fractal"), options: {} },
  },
  compose: {
    file: example("compose/mended/compose.yaml"),
    formulas: ['F "start db"', 'G !"start db"'],
    formulaKind: "actions",
    deadlock: { file: here("stuck/compose.yaml"), options: {} },
    engines: { learning: { options: { properties: ["no call before ready"] } } },
    broken: { file: example("compose/racing/compose.yaml"), options: {} },
  },
  chi: {
    file: inRepository("test/fixtures/options/relay.chi"),
    deadlock: { file: example("chi/guard.chi"), options: {} },
    broken: { file: example("chi/buffers.chi"), options: { defines: ["FAST=1"] } },
    invariants: ["x < 3", "x < 1"],
    formulas: ['G F "y = 1"', 'G "x = 0"'],
    unfair: { file: here("unfair.chi"), options: {} },
  },
  lts: {
    file: example("lts/as-built.vectors"),
    formulas: ['G ("z!b" || "w!b")', 'G F "z!b"'],
    formulaKind: "actions",
    deadlock: { file: here("stuck.aut"), options: {} },
    engines: { learning: { file: here("safe.aut"), options: { properties: ["error state"] } } },
    broken: { file: here("stuck.aut"), options: {} },
  },
  typescript: {
    file: here("nodes.ts"),
    deadlock: { options: { defines: ["WAITING"] } },
    unfair: { options: { defines: ["LIVE"] } },
    broken: { options: { defines: ["EARLY"] } },
  },
  machines: {
    file: here("machines/counting.ts"),
    deadlock: { file: example("machines/cart-and-payment.ts"), options: {} },
    unfair: { file: here("machines/live.ts"), options: {} },
    broken: { file: here("machines/early.ts"), options: {} },
  },
  schedules: { file: inRepository("test/fixtures/options/pair.test-file.ts"), verdict: "violated" },
  murphi: {
    file: here("elements.m"),
    reduced: { file: here("apart.m") },
    invariants: ["forall i: Id do n[i] < 14 end", "forall i: Id do n[i] < 12 end"],
    formulas: ["[] forall i: Id do n[i] < 14 end", "[] forall i: Id do n[i] < 12 end"],
    deadlock: { file: here("stuck.m"), options: {} },
    unfair: { file: here("idle.m"), options: { ltl: ["<> done"], properties: ["<> done"] } },
    broken: { options: { invariants: ["forall i: Id do n[i] < 3 end"] } },
    unreached: "never",
  },
  sdn: {
    file: here("hosts.sdn"),
    reduced: { file: inRepository("test/fixtures/options/one-switch.sdn") },
    together: ["counter", "barrier"],
    invariants: ["forall p: packets at clients . p.dest != p.src", "!(exists p: packets at clients . true)"],
    formulas: ['G "forall p: packets . p.dest != p.src"', 'G !"exists p: packets at clients . true"'],
    deadlock: { file: here("stuck.sdn"), options: { deadlock: "stuck" } },
    unfair: { file: here("again.sdn"), options: {} },
    broken: { file: example("networks/learning.sdn"), options: {} },
  },
  "sdn: described in TypeScript": {
    file: "described",
    check: (options) => checkNetwork(described(1), options),
    reduced: { file: "described", check: (options) => checkNetwork(described(undefined), options) },
    together: ["counter", "barrier"],
    deadlock: {
      check: (options) => checkNetwork({ ...described(1), ...refusing }, { ...options, deadlock: "stuck" }),
      options: {},
    },
    unfair: { check: (options) => checkNetwork({ ...described(1), ...again }, options), options: {} },
  },
};
