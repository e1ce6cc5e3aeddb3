/**
 * Hierarchical components: sizes of controllers and composites, deployments, verdicts with their shortest diagnostics, and the states that an update keeps. Prints
 * expected and obtained.
 */
import { readFileSync } from "node:fs";
import { componentNetwork, type ComponentNetwork } from "../src/compile/components/index.js";
import { ltsModel } from "../src/compile/lts.js";
import { exploreLts } from "../src/engines/explicit/index.js";
import { StateFormulas, comparing, partitioning, type BasicEquivalence } from "../src/engines/lts/index.js";
import { loadAut, renderAut } from "../src/languages/aut/index.js";
import { loadVectors, renderVectors } from "../src/languages/aut/vectors.js";
import { loadFractal, type FractalOptions } from "../src/languages/fractal/index.js";
import { loadPlts } from "../src/languages/fractal/plts.js";
import {
  END_NAME,
  LtsBuilder,
  hide,
  processorMs,
  type Architecture,
  type Component,
  type ComponentPath,
  type ControlOperation,
  type ControlPlan,
  type Lts,
  type LtsNetwork,
} from "../src/model/index.js";
import { readBehaviour } from "../src/session/components/behaviours.js";
import { transferByActions } from "../src/session/components/transfer.js";
import { checkInput, readInput, registry } from "../src/session/index.js";
import { actionsOf } from "../src/session/lts/labels.js";
import { parseStateFormula } from "../src/transforms/actions/index.js";
import { tableOf } from "../test/compile/component-table.js";
import { report } from "./expected.js";

const FOLDER = "examples/components";

export async function measureComponents(): Promise<void> {
  await controllers();
  await composites();
  await deployments();
  await verdicts();
  await transfers();
  await management();
  languages();
  await roundTrips();
  await levels();
  buffers();
  await products();
  await copies();
}

/** CS-1, primitives; CS-3, their tables. */
async function controllers(): Promise<void> {
  for (const [name, size] of Object.entries({ A: "24/88", B: "16/56", B2: "24/84", Logger: "4/10" })) {
    const lts = await systemOf(read(name, { isFree: true }));
    report(`CS-1 controller of ${name}`, size, sizeOf(lts));
    report(
      `CS-3 ${name} is strongly bisimilar to its table`,
      true,
      isAlike(lts, tableOf(read(name, { isFree: true }))),
    );
  }
}

async function composites(): Promise<void> {
  const [withB, withB2] = [read("C", { isFree: true }), withPart(read("C", { isFree: true }), ["B"], "B2")];
  const sizes = [
    ["C with B", withB, "2560/25152", "640/3808"],
    ["C with B2", withB2, "4096/40496", "1024/6104"],
  ] as const;
  for (const [name, architecture, exposed, hidden] of sizes) {
    const open = { ...architecture, exposesSubcontrol: true };
    const [all, few] = [await systemOf(open), await systemOf(architecture)];
    report(`CS-1 ${name}, subcontrol exposed`, exposed, sizeOf(all));
    report(`CS-1 ${name}`, hidden, sizeOf(few));
    report(
      `CS-3 ${name}, subcontrol exposed, is strongly bisimilar to its table`,
      true,
      isAlike(all, tableOf(open)),
    );
    report(`CS-3 ${name} is strongly bisimilar to its table`, true, isAlike(few, tableOf(architecture)));
    const quiet = hide(few, (label) => !/^A\.Ic\.|^B\.Ir\./.test(label));
    report(`CS-1 ${name}, calls hidden, branching minimal`, hidden, sizeOf(minimal(quiet)));
    const inner = hide(quiet, (label) => !label.startsWith("C/"));
    const expected = name === "C with B" ? "104/483" : "196/918";
    report(`CS-1 ${name}, internal control hidden as well`, expected, sizeOf(minimal(inner)));
  }
  const system = read("System", { isFree: true });
  for (const [name, architecture, size] of [
    ["System", system, "768/4592"],
    ["System with B2", withPart(system, ["C", "B"], "B2"), "1024/6112"],
  ] as const) {
    const lts = await systemOf(architecture);
    report(`CS-1 ${name}`, size, sizeOf(lts));
    report(`CS-3 ${name} is strongly bisimilar to its table`, true, isAlike(lts, tableOf(architecture)));
  }
}

async function deployments(): Promise<void> {
  const system = read("System");
  const other = withPart(system, ["C", "B"], "B2");
  const plan = planOf(system);
  const rows: readonly (readonly [string, Architecture, string])[] = [
    ["C x deployment", read("C"), "5/4"],
    ["C x deployment with a final start", read("C-started"), "10/12"],
    ["System x deployment", system, "12/14"],
    ["System with B2 x the same deployment", other, "8/8"],
    ["System with B2, C/B.bind(Ilog,C.Ilog) added", { ...other, plan: before(plan, bindIlog) }, "15/17"],
  ];
  for (const [name, architecture, size] of rows)
    report(`CS-1 ${name}`, size, sizeOf(await systemOf(architecture)));
  const running = await systemOf(read("System"));
  const at = plan.operations.length;
  const sources = sourcesOf(running);
  const states = distinct(
    [...running.targets.keys()]
      .filter((t) => sources[t]! >= 0 && isRunning(running, t))
      .map((t) => sources[t]!),
  );
  report(
    "CS-1 running System",
    `6/8 after ${at} operations`,
    `${states.length}/${countAfter(running, states)} after ${at} operations`,
  );
}

const bindIlog: ControlOperation = {
  kind: "bind",
  within: ["C"],
  client: { component: "B", interface: "Ilog" },
  server: { component: undefined, interface: "Ilog" },
  span: { file: "bench", start: 0, end: 0 },
};

const before = (plan: ControlPlan, operation: ControlOperation): ControlPlan => ({
  operations: [operation, ...plan.operations],
  deployed: plan.deployed + 1,
});

/** CS-2: the five verdicts, checked as users do. */
async function verdicts(): Promise<void> {
  const rows: readonly (readonly [
    file: string,
    verdicts: Readonly<Record<string, string>>,
    actions: readonly string[],
  ])[] = [
    ["C", { deployment: "holds", "no unbound call": "holds" }, []],
    [
      "C-started",
      { deployment: "holds", "no unbound call": "violated" },
      [...deploymentOfC, "C.start", "A.Ic.foo>B.Ip", "B.Ir.reset>A.Ir", "ERROR_UNBOUND(C.Ilog.log)"],
    ],
    ["System", { deployment: "holds", "no unbound call": "holds" }, []],
    [
      "System-update",
      { deployment: "holds", "no unbound call": "violated" },
      [
        ...deploymentOfC,
        "System/C.bind(Ilog,Logger.Ilog)",
        "System.start",
        "System.stop",
        "C/B.update(B2)",
        "System.start",
        "A.Ic.foo>B.Ip",
        "ERROR_UNBOUND(B.Ilog.log)",
      ],
    ],
    ["System-update-mended", { deployment: "holds", "no unbound call": "holds", deadlock: "holds" }, []],
  ];
  for (const [i, [file, expected, actions]] of rows.entries()) {
    for (const engine of ["compositional", "explicit"]) {
      const names = Object.keys(expected).filter((name) => engine !== "explicit" || name !== "deployment");
      const wanted = Object.fromEntries(names.map((name) => [name, expected[name]]));
      const input = readInput(`${FOLDER}/${file}.fractal`);
      if (!("text" in input)) throw new Error(`${file} cannot be read`);
      const { report: found } = await checkInput(input, { engine, properties: names }, registry);
      const obtained = Object.fromEntries(
        names.map((name) => [name, found.properties.find(({ property }) => property.name === name)?.verdict]),
      );
      report(`CS-2 verdict ${i + 1}, ${file}, ${engine}`, wanted, obtained);
      const trace = found.properties.find(({ trace: own }) => own)?.trace;
      const steps = trace?.steps.map(({ action }) => action) ?? [];
      const what = `CS-2 verdict ${i + 1}, ${file}, ${engine}, shortest diagnostic`;
      // Several are shortest.
      if (engine === "explicit") report(`${what}, steps`, actions.length, steps.length);
      else report(what, actions, steps);
    }
  }
}

const deploymentOfC = ["C/A.bind(Ic,B.Ip)", "C/B.bind(Ir,A.Ir)", "C/A.bind(Ilog,C.Ilog)", "C/bind(l1,B.Ip)"];

/** CS-4. */
async function transfers(): Promise<void> {
  const byStates = read("System-update");
  const network = componentNetwork({ ...byStates, plan: whole(planOf(byStates)) });
  const { observed } = await explored(network.network);
  const at = network.network.parts.findIndex(({ name }) => name === "plan");
  const update = planOf(byStates).operations.findIndex(({ kind }) => kind === "update");
  const position = (wanted: number): number =>
    observed!.names.filter((words) => Number(words.split(",")[at]) === wanted).length;
  report("CS-4 by states: |T|, |T'|", [6, 6], [position(update), position(update + 1)]);
  report("CS-4 by states: states after start, without the binding", 6, position(update + 2));
  const mended = read("System-update-mended");
  const second = await explored(componentNetwork({ ...mended, plan: whole(planOf(mended)) }).network);
  report(
    "CS-4 by states: states after start, with the binding",
    8,
    second.observed!.names.filter((words) => Number(words.split(",")[at]) === update + 3).length,
  );
  const found = await transferByActions(read("System-update-actions"));
  report(
    "CS-4 by actions: |T|, |T'|, warned of",
    [6, 2, 4],
    [found?.states, found?.images, found?.lost.length],
  );
}

const whole = ({ operations }: ControlPlan): ControlPlan => ({ operations, deployed: operations.length });

/** CS-5, CS-6, CS-10. */
async function management(): Promise<void> {
  for (const name of ["A", "B", "B2", "Logger", "C", "System"]) {
    const architecture = read(name, { isFree: true });
    const lts = await systemOf(architecture);
    const root = architecture.root.name;
    const sets = setsOf(componentNetwork(architecture));
    const bound = await truth(lts, `AG ["${root}.start"] [BIND] false`, sets);
    const silent = await truth(lts, `AG ["${root}.stop"] [CALL] false`, sets);
    const first = await truth(lts, `[CALL] false`, sets);
    report(
      `CS-5 ${name}: no bind while started, no call while stopped, none at first`,
      [true, true, true],
      [bound, silent, first],
    );
  }
  const { network } = componentNetwork(read("System"));
  const { observed } = await explored(network);
  const lives = [...network.parts.keys()].filter((part) => network.parts[part]!.name.endsWith(".life"));
  const plan = network.parts.findIndex(({ name }) => name === "plan");
  const deployed = observed!.names
    .map((words) => words.split(",").map(Number))
    .filter((words) => words[plan] === 6);
  report(
    "CS-6 after System.start all life-cycles are started",
    [6, 5, true],
    [deployed.length, lives.length, deployed.every((words) => lives.every((part) => words[part] === 1))],
  );
  for (const name of ["C", "C-started", "System"]) {
    const architecture = read(name);
    const lts = await systemOf(architecture);
    const parsed = parseStateFormula("EF{!O_E} <O_E> false", "bench", {
      labels: lts.labels,
      sets: setsOf(componentNetwork(architecture)),
    });
    if (!("formula" in parsed)) throw new Error("the formula is wrong");
    const states = new StateFormulas(lts).holds(parsed.formula);
    report(
      `CS-10 formula 2 as printed, ${name}: states where it is true`,
      0,
      states.filter((each) => each === 1).length,
    );
  }
}

const setsOf = ({ controls, errors }: ComponentNetwork): Map<string, (label: string) => boolean> =>
  new Map([
    ["O_E", (label: string) => errors.has(label)],
    ["O_D", (label: string) => controls.has(label)],
    ["BIND", (label: string) => controls.has(label) && label.includes("bind(")],
    ["CALL", (label: string) => !controls.has(label)],
  ]);

function truth(lts: Lts, text: string, sets: Map<string, (label: string) => boolean>): boolean {
  const parsed = parseStateFormula(text, "bench", { labels: lts.labels, sets });
  if (!("formula" in parsed)) throw new Error(`${text}: ${parsed.diagnostics[0]?.message ?? ""}`);
  return new StateFormulas(lts).holds(parsed.formula)[0] === 1;
}

/** CS-7. */
function languages(): void {
  const text = readFileSync(`${FOLDER}/System.fractal`, "utf8");
  const codes = (changed: string): string[] =>
    loadFractal(`${FOLDER}/System.fractal`, changed, options()).diagnostics.map(
      ({ code, span }) => `${code} ${changed.slice(0, span.start).split("\n").length}`,
    );
  report("CS-7 the system of the example parses", [], codes(text));
  report(
    "CS-7 an unknown interface",
    ["fractal/unknown-interface 9"],
    codes(text.replace("Logger.Ilog", "Logger.log")),
  );
  report(
    "CS-7 an incompatible signature",
    ["fractal/incompatible 9"],
    codes(text.replace('client="C.Ilog" server="Logger.Ilog"', 'client="C.Ilog" server="C.l1"')),
  );
}

/** CS-8. */
async function roundTrips(): Promise<void> {
  const lts = await systemOf(read("System", { isFree: true }));
  const again = loadAut("again.aut", renderAut(lts)).lts;
  report(
    "CS-8 .aut: states, transitions and text",
    [sizeOf(lts), true],
    [again && sizeOf(again), again && renderAut(again) === renderAut(lts)],
  );
  const { network } = componentNetwork(read("C", { isFree: true }));
  const named = { ...network, parts: network.parts.map((part, i) => ({ ...part, name: `p${i}` })) };
  const files = named.parts.map((_, i) => `p${i}.aut`);
  const written = renderVectors(named, files);
  const loaded = loadVectors(
    "again.vectors",
    written,
    (file) => renderAut(named.parts[files.indexOf(file)]!.lts),
    () => undefined,
  );
  if (!loaded.network) throw new Error(JSON.stringify(loaded.diagnostics.slice(0, 2)));
  report(
    "CS-8 vectors: text and size",
    [true, "640/3808"],
    [renderVectors(loaded.network, files) === written, sizeOf(await explored(loaded.network))],
  );
}

/** CS-9: verdicts are those of the flat product. */
async function levels(): Promise<void> {
  for (const file of ["C", "C-started", "System", "System-update", "System-update-mended"]) {
    const input = readInput(`${FOLDER}/${file}.fractal`);
    if (!("text" in input)) throw new Error(`${file} cannot be read`);
    const properties = ["no unbound call", "deadlock"];
    const found = [];
    for (const engine of ["explicit", "compositional"])
      found.push(
        (
          await checkInput(
            input,
            { engine, properties, ...(engine === "explicit" ? { maxErrors: Infinity } : {}) },
            registry,
          )
        ).report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`),
      );
    report(`CS-9 ${file}: composed by level as flat`, found[0], found[1]);
  }
}

/** CS-11: a buffer of capacity N for values 0..V. */
function buffers(): void {
  for (const [capacity, most] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
  ] as const) {
    const { lts, diagnostics } = loadPlts("buffer.plts", bufferText(capacity, most));
    if (!lts) throw new Error(JSON.stringify(diagnostics[0]));
    const expected = Array.from({ length: capacity + 1 }, (_, k) => (most + 1) ** k).reduce(
      (a, b) => a + b,
      0,
    );
    report(`CS-11 buffer of ${capacity} for 0..${most}`, expected, lts.states);
  }
}

export function bufferText(capacity: number, most: number): string {
  const slots = Array.from({ length: capacity }, (_, i) => `q${i}`);
  const variables = [`var n: 0..${capacity};`, ...slots.map((slot) => `var ${slot}: 0..${most};`)];
  const puts = slots.map((slot, i) => `s -> s : ?in.put(v) [n = ${i}] { ${slot} := v; n := ${i + 1}; } ;`);
  const shift = slots.map((slot, i) => `${slot} := ${slots[i + 1] ?? "0"};`).join(" ");
  return `plts Buffer { ${variables.join(" ")} states s init; ${puts.join(" ")} s -> s : !out.get(q0) [n > 0] { ${shift} n := n - 1; } ; }`;
}

/** CS-12. */
async function products(): Promise<void> {
  for (const count of [10, 14]) {
    const builder = new LtsBuilder();
    builder.add(0, builder.labels.of("on"), 1);
    builder.add(1, builder.labels.of("off"), 0);
    const lts = builder.finish(2, [0]);
    const parts = Array.from({ length: count }, (_, i) => ({ name: `t${i}`, lts }));
    const vectors = parts.flatMap((_, i) =>
      ["on", "off"].map((label) => ({
        label: `${label}${i}`,
        labels: parts.map((__, j) => (i === j ? label : undefined)),
      })),
    );
    const begun = processorMs();
    const found = await explored({
      name: "toggles",
      parts,
      vectors,
      span: { file: "bench", start: 0, end: 0 },
    });
    const seconds = (processorMs() - begun) / 1000;
    report(
      `CS-12 ${count} components (${seconds.toFixed(2)} s)`,
      [2 ** count, true],
      [found.states, seconds < 2],
    );
  }
}

/** CS-B5: k copies of C under one System with one Logger. */
async function copies(): Promise<void> {
  const MOST = 100_000;
  for (let k = 1; k <= 6; k++) {
    const names = Array.from({ length: k }, (_, i) => `C${i + 1}`);
    const text = `<definition name="System"><types file="types.idl"/>
      ${names.map((name) => `<component name="${name}" definition="components.C"/>`).join("")}
      <component name="Logger" definition="Logger"/>
      ${names.map((name) => `<binding client="${name}.Ilog" server="Logger.Ilog"/>`).join("")}</definition>`;
    const input = {
      file: `${FOLDER}/copies.fractal`,
      text,
      readFile: options().readFile,
    };
    const begun = processorMs();
    const { report: found } = await checkInput(
      input,
      { engine: "compositional", properties: ["no unbound call", "deadlock"] },
      registry,
    );
    const largest = Math.max(
      ...found.runs.flatMap(({ composition }) => composition?.map(({ states }) => states) ?? [0]),
    );
    const seconds = ((processorMs() - begun) / 1000).toFixed(1);
    report(
      `CS-B5 ${k} copies (largest graph ${largest} states, ${seconds} s)`,
      ["holds", true],
      [distinct(found.properties.map(({ verdict }) => verdict)).join(), largest < MOST],
    );
  }
}

// ------------------------------------------------------------------------------------------------- tools

const options = (own: Partial<FractalOptions> = {}): FractalOptions => ({
  readFile: (file) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  },
  addSource: () => undefined,
  readBehaviour,
  ...own,
});

function read(name: string, own: Partial<FractalOptions> = {}): Architecture {
  const file = `${FOLDER}/${name}.fractal`;
  const { architecture, diagnostics } = loadFractal(file, readFileSync(file, "utf8"), options(own));
  if (!architecture) throw new Error(JSON.stringify(diagnostics[0]));
  return architecture;
}

/** The same with another definition for a part. */
function withPart(architecture: Architecture, path: ComponentPath, definition: string): Architecture {
  const other = read(definition).root;
  const changed = (component: Component, [first, ...rest]: ComponentPath): Component =>
    component.content.kind === "primitive" || first === undefined
      ? { ...other, name: component.name }
      : {
          ...component,
          content: {
            kind: "composite",
            parts: component.content.parts.map((part) => (part.name === first ? changed(part, rest) : part)),
          },
        };
  return { ...architecture, root: changed(architecture.root, path) };
}

function planOf({ plan }: Architecture): ControlPlan {
  if (!plan) throw new Error("there is no plan");
  return plan;
}

/** Without the steps that only say that a run may end here. */
async function systemOf(architecture: Architecture): Promise<Lts> {
  const { network } = componentNetwork(architecture);
  return explored({ ...network, vectors: network.vectors.filter(({ label }) => label !== END_NAME) });
}

/** Observations are the states of the parts. */
async function explored(network: LtsNetwork): Promise<Lts> {
  const source = {
    ...actionsOf(ltsModel(network), () => true),
    observe: (state: ArrayLike<number>, at: number) => network.parts.map((_, i) => state[at + i]! - 1).join(),
  };
  const { lts } = await exploreLts(source, {}, {});
  if (!lts) throw new Error(`${network.name} was not explored`);
  return lts;
}

function minimal(lts: Lts): Lts {
  const { observed: _, ...plain } = lts;
  const slices = partitioning(plain, "branching" satisfies BasicEquivalence);
  while (slices.advance(Infinity));
  return slices.result().quotient;
}

function isAlike(first: Lts, second: Lts): boolean {
  const { observed: _, ...plain } = first;
  const slices = comparing(plain, second, "strong");
  while (slices.advance(Infinity));
  return slices.result().isRelated;
}

const sourcesOf = ({ states, firsts }: Lts): number[] =>
  Array.from({ length: states }, (_, s) =>
    Array.from({ length: firsts[s + 1]! - firsts[s]! }, () => s),
  ).flat();

/** Without duplicates. */
function sizeOf(lts: Lts): string {
  const sources = sourcesOf(lts);
  const all = new Set(sources.map((s, t) => `${s} ${lts.actions[t]} ${lts.targets[t]}`));
  return `${lts.states}/${all.size}`;
}

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];
const isRunning = (lts: Lts, t: number): boolean => /[>]|write/.test(lts.labels[lts.actions[t]!]!);
const countAfter = (lts: Lts, states: readonly number[]): number =>
  new Set(
    sourcesOf(lts).flatMap((s, t) =>
      states.includes(s) ? [`${s} ${lts.actions[t]} ${lts.targets[t]}`] : [],
    ),
  ).size;
