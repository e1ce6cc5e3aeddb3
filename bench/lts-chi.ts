/**
 * χ: the worked examples with their figures, every law on random terms, every condition of a law removed, and generated Promela beside
 * Spin. Prints expected and obtained.
 *
 * `--laws N` compares N instances of each law (default 500).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promelaOfChi } from "../src/compile/chi/promela.js";
import { partitioning, type Equivalence } from "../src/engines/lts/index.js";
import { loadChi } from "../src/languages/chi/index.js";
import { processorMs, renderChi, type ChiProgram } from "../src/model/index.js";
import { compareTerms, ltsOfTerm } from "../src/session/chi/congruence.js";
import { chiRunOfSpin } from "../src/session/chi/trail.js";
import { Random, checkInput, registry } from "../src/session/index.js";
import { brokenLaws, chiLaws } from "../src/transforms/chi/index.js";
import { CHANNELS, ChiMaker, GLOBALS } from "../test/generators/chi.js";
import { explore, fromChi } from "../test/languages/chi/naive.js";
import { checkLaw } from "../test/transforms/chi/checked-laws.js";
import { report } from "./expected.js";

const HEAD = "var x, y: nat(2) = 0; chan a, b: nat(2);";

function programOf(system: string, head = HEAD): ChiProgram {
  const { program, diagnostics } = loadChi("bench.chi", `${head} system = ${system};`);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

async function alike(left: string, right: string, relation: Equivalence): Promise<boolean> {
  const [first, second] = [programOf(left), programOf(right)];
  const found = await compareTerms(first, first.system, second.system, relation);
  if (!found) throw new Error(`${left} and ${right} were not compared`);
  return found.isRelated;
}

/** Configurations, transitions and deadlocks. */
async function figures(system: string, head = HEAD, properties = ""): Promise<readonly string[]> {
  const text = `${head} system = ${system}; ${properties}`;
  const { report: found } = await checkInput({ file: "bench.chi", text }, { maxErrors: Infinity }, registry);
  const { states, transitions } = found.stats;
  const verdicts = found.properties
    .filter(({ property }) => property.kind !== "runtime")
    .map(({ property, verdict }) => `${property.name} ${verdict}`);
  return [`${states}/${transitions}`, ...verdicts];
}

export function chain(n: number): { readonly head: string; readonly system: string } {
  const channels = Array.from({ length: n + 1 }, (_, i) => `a${i}`).join(", ");
  const buffers = Array.from({ length: n }, (_, i) => `|[ b: nat(2) = 0 | (a${i}?b; a${i + 1}!b)* ]|`);
  const parts = ["(a0!x; x := (x + 1) % 3)*", ...buffers, `(a${n}?y)*`];
  return { head: `var x, y: nat(2) = 0; chan ${channels}: nat(2);`, system: `encap(${parts.join(" || ")})` };
}

export async function measureChi(): Promise<void> {
  await examples();
  await chains();
  await turntable();
  await laws(argument("--laws", 500));
  await normalForms();
  await besideSpin();
}

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

async function examples(): Promise<void> {
  const row = async (id: string, left: string, right: string, expected: Record<string, boolean>) => {
    const obtained: Record<string, boolean> = {};
    for (const relation of Object.keys(expected))
      obtained[relation] = await alike(left, right, relation as Equivalence);
    report(`${id} ${left} and ${right}`, expected, obtained);
  };
  await row("E1", "a!0", "b!0", { stuttering: true, "interaction-sensitive": false });
  await row("E2", "encap(a!0 || a?x)", "encap(b!0 || a?x)", { stuttering: false });
  await row("E2", "a!0 || a?x", "b!0 || a?x", { stuttering: true });
  await row("E3", "a!0", "skip", { stuttering: true });
  await row("E3", "encap(a!0)", "encap(skip)", { stuttering: false });
  await row("E4", "delta", "skip; delta", {
    "interaction-sensitive": true,
    "isolated-congruence": false,
    congruence: false,
  });
  await row("E4", "skip [] delta", "skip [] (skip; delta)", { "interaction-sensitive": false });
  const [p, q] = ["x := 1; (x = 1 :-> skip)", "x := 1; skip"];
  await row("E5", p, q, { "isolated-congruence": true, congruence: false });
  report("E5 p || r", ["8/7", "deadlock violated"], await figures(`(${p}) || x := 2`));
  report("E5 q || r", ["8/8", "deadlock holds"], await figures(`(${q}) || x := 2`));
  const [p1, q1, q2, r1] = [
    "x := y; y := (y + 1) % 3; x := y",
    "x := (x + 1) % 3",
    "x := 0; x := 1",
    "x := 2",
  ];
  const s = "y: nat(2) = 0";
  const both = { "isolated-congruence": true, congruence: true };
  await row("E6 7.1", `x = 1 :-> |[ ${s} | ${p1} ]|`, `|[ ${s} | x = 1 :-> (${p1}) ]|`, both);
  await row("E6 7.2", `|[ ${s} | ${p1} ]|; ${q1}`, `|[ ${s} | ${p1}; ${q1} ]|`, both);
  await row("E6 7.3", `${q1}; |[ ${s} | ${p1} ]|`, `|[ ${s} | ${q1}; ${p1} ]|`, both);
  await row("E6 7.4", `|[ ${s} | ${p1} ]| [] ${q1}`, `|[ ${s} | (${p1}) [] ${q1} ]|`, both);
  await row("E6 7.5", `|[ ${s} | ${p1} ]| || ${q1}`, `|[ ${s} | (${p1}) || ${q1} ]|`, both);
  await row("E6 7.6", `|[ ${s} | |[ y: nat(2) = 1 | x := y ]| ]|`, "|[ y: nat(2) = 1 | x := y ]|", both);
  await row("E6 8", `|[ ${s} | ${p1} ]|*`, `|[ ${s} | (${p1}; y := 0)* ]|`, both);
  await row("E6 9.3", `x = 1 :-> (${p1}; ${q1})`, `(x = 1 :-> (${p1})); ${q1}`, both);
  const w = "w: nat(2) = 0";
  await row(
    "E6 10.1",
    `((${q2}) || ${q1}); ${r1}`,
    `|[ ${w} | ((${q2}; w := w + 1) || (${q1}; w := w + 1)) || (w = 2 :-> ${r1}) ]|`,
    both,
  );
  await row(
    "E6 10.2",
    `${r1}; ((${q2}) || ${q1})`,
    `|[ ${w} | (${r1}; w := w + 1) || (w = 1 :-> (${q2})) || (w = 1 :-> ${q1}) ]|`,
    both,
  );
  const no = { "isolated-congruence": false, congruence: false };
  await row("E6 7.6 printed", `|[ ${s} | |[ y: nat(2) = 1 | x := y ]| ]|`, `|[ ${s} | x := y ]|`, no);
  await row("E6 8 without resets", `|[ ${s} | ${p1} ]|*`, `|[ ${s} | (${p1})* ]|`, no);
  await row(
    "E6 guard over ||",
    `x = 0 :-> (x := 1 || y := 1)`,
    `(x = 0 :-> x := 1) || (x = 0 :-> y := 1)`,
    no,
  );
}

async function chains(): Promise<void> {
  const expected = ["15/19", "31/47", "63/111", "127/255", "255/575"];
  for (const [i, size] of expected.entries()) {
    const { head, system } = chain(i + 1);
    const asked = i === 0 ? [0, 1, 2].map((v) => `check ltl "G F (y = ${v})";`).join(" ") : "";
    const eventually = i === 0 ? [0, 1, 2].map((v) => `G F (y = ${v}) holds`) : [];
    const [first, ...rest] = await figures(system, head, "");
    report(`E7 n = ${i + 1}`, [size, "deadlock holds"], [first, ...rest]);
    if (i === 0) report("E7 G F (y = v), n = 1", eventually, (await figures(system, head, asked)).slice(2));
  }
  const blocks: number[] = [];
  for (let n = 1; n <= 12; n++) {
    const { head, system } = chain(n);
    const program = programOf(system, head);
    const lts = await ltsOfTerm(program, program.system, "interaction-sensitive");
    if (!lts) throw new Error("not explored");
    const slices = partitioning(lts, "interaction-sensitive");
    while (slices.advance(Infinity));
    blocks.push(slices.result().count);
  }
  report(
    "E7 blocks, n = 1..12",
    blocks.map((_, i) => 6 * (i + 1) + 7),
    blocks,
  );
}

async function turntable(): Promise<void> {
  const file = "examples/chi/turntable.chi";
  const text = readFileSync(file, "utf8");
  const verdictOf = async (defines: readonly string[], properties?: readonly string[]) => {
    const options = { defines, ...(properties ? { properties } : {}) };
    const { report: found } = await checkInput({ file, text }, options, registry);
    const verdicts = found.properties.map(({ verdict }) => verdict);
    return ["violated", "unknown"].find((each) => verdicts.includes(each as "unknown")) ?? "holds";
  };
  report("E8 turntable, deadlock and safety", "holds", await verdictOf([]));
  const drill = "not (rotating and down)";
  report("E8 rotation without waiting for the clamp", "violated", await verdictOf(["WAIT=0"], [drill]));
}

async function laws(count: number): Promise<void> {
  const begun = processorMs();
  let compared = 0;
  for (const [i, law] of chiLaws.entries()) {
    const kept = await checkLaw(law, count, 100 + i);
    compared += kept.compared;
    const shown = kept.refuted[0] ? `, first: ${kept.refuted[0].text}` : "";
    report(
      `law ${law.id}${shown} (${kept.skipped} too large)`,
      [count, 0],
      [kept.compared, kept.refuted.length],
    );
    if (law.condition === undefined) continue;
    const broken = await checkLaw(law, 4 * count, 900 + i, true);
    report(`law ${law.id} without '${law.condition}' is refuted`, true, broken.refuted.length > 0);
  }
  for (const [i, law] of brokenLaws.entries()) {
    const { refuted } = await checkLaw(law, count, 500 + i, false);
    report(`${law.id} is refuted`, true, refuted.length > 0);
  }
  console.log(
    `${compared} instances of ${chiLaws.length} laws, ${((processorMs() - begun) / 1000).toFixed(0)} s`,
  );
}

/** Deadlock and random formulas before and after the normal form. */
async function normalForms(): Promise<void> {
  const { normalForm } = await import("../src/transforms/chi/index.js");
  const maker = new ChiMaker(new Random(77));
  let same = 0;
  let wanted = 0;
  for (let i = 0; wanted < 200; i++) {
    const system = { kind: "encap", body: maker.term(4) } as const;
    const before = explore(fromChi(system), { x: 0, y: 0 }, 300);
    if (!before || before.count < 4) continue;
    const { term } = normalForm({ globals: GLOBALS, system });
    const context = { globals: GLOBALS, channels: CHANNELS };
    const found = await compareTerms(context, system, term, "congruence", { maxStates: 20_000 });
    if (!found) continue;
    wanted++;
    if (found.isRelated) same++;
    else console.log(`normal form of ${renderChi(system)}: ${renderChi(term)}`);
  }
  report("normal forms congruent to their terms", wanted, same);
}

interface PanAnswer {
  readonly isStuck: boolean;
  readonly output: string;
}

/** Whether Spin's verifier finds an invalid end state, and its trail as `spin -t -p` prints it. */
function pan(text: string): PanAnswer {
  const folder = mkdtempSync(join(tmpdir(), "everypath-chi-"));
  try {
    writeFileSync(join(folder, "m.pml"), text);
    const run = (command: string): string =>
      execFileSync("bash", ["-c", command], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    const output = run("spin -a m.pml > /dev/null && gcc -O1 -DNOREDUCE -o pan pan.c && ./pan -m1000000");
    if (!/errors: \d+/.test(output)) throw new Error(output);
    const isStuck = output.includes("pan:1: invalid end state");
    if (!isStuck && !output.includes("errors: 0")) throw new Error(output);
    return { isStuck, output: isStuck ? run("spin -t -p m.pml") : output };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function besideSpin(): Promise<void> {
  for (let n = 1; n <= 3; n++) {
    const { head, system } = chain(n);
    const found = promelaOfChi(programOf(system, head));
    if ("why" in found) throw new Error(found.why);
    const { isStuck, output } = pan(found.text);
    const states = /(\d+) states, stored/.exec(output)?.[1];
    report(
      `spin on the chain, n = ${n}: invalid end state, states`,
      [false, `${2 ** (n + 3) - 1}`],
      [isStuck, states],
    );
  }
  const maker = new ChiMaker(new Random(4242));
  let compared = 0;
  let same = 0;
  let stuck = 0;
  let mapped = 0;
  for (let i = 0; compared < argument("--spin", 60); i++) {
    const system = {
      kind: "encap",
      body: { kind: "par", left: maker.term(3), right: maker.term(3) },
    } as const;
    const naive = explore(fromChi(system), { x: 0, y: 0 }, 500);
    if (!naive || naive.count < 4) continue;
    const program = { ...programOf("skip"), system };
    const found = promelaOfChi(program);
    if ("why" in found) continue;
    compared++;
    const answer = pan(found.text);
    if (answer.isStuck === naive.hasDeadlock) same++;
    else console.log(`spin: ${answer.isStuck}, χ: ${naive.hasDeadlock}: ${renderChi(system)}`);
    if (!answer.isStuck) continue;
    stuck++;
    if (chiRunOfSpin(program, answer.output).isStuck) mapped++;
  }
  report("random closed terms on which spin agrees", compared, same);
  report("trails of spin that are runs of χ into a deadlock", stuck, mapped);
}
