/**
 * NDLog compared with the published case studies and with the small programs on which the published algorithm is wrong: verdicts, violating
 * rules, pool sizes, cuts, nodes of the counterexamples' trees. Every proof is certified by all installed solvers, and mutants of it must be
 * rejected. Prints expected and obtained; a difference is exit code 1. Times, queries and events are printed, not compared.
 */
import { readFileSync } from "node:fs";
import {
  checkAnnotations,
  DEFAULT_UNFOLDINGS,
  Encoder,
  lemmaText,
  Pool,
  poolProofOf,
  provable,
  Queries,
  verify,
  type Verified,
} from "../src/engines/pools/index.js";
import { checkPoolProof } from "../src/engines/certificates/index.js";
import { loadNdlog } from "../src/languages/ndlog/index.js";
import type { NdlogEvent, NdlogProgram, PoolProof } from "../src/model/index.js";
import { openCheckers, openSolver } from "../src/solvers/index.js";
import { inRepository } from "../test/repository.js";

interface Study {
  readonly program: string;
  /** Absent: of the same name. */
  readonly specification?: string;
  /** Sizes of the pool; predicates that are not listed have one tree. */
  readonly pool?: Readonly<Record<string, number>>;
  readonly cut?: string;
  /** `violated r3`: exactly these combinations violate, or the first confirmed one after unfolding. */
  readonly expected: Readonly<Record<string, string>>;
  readonly infers?: false;
  readonly unfoldings?: number;
  /** Nodes of the trees of the counterexample, by property; `why` if they differ from the published ones. */
  readonly nodes?: Readonly<
    Record<string, { readonly published: number; readonly ours?: number; readonly why?: string }>
  >;
}

const HOPS = { threehops: 2 };
const SWITCH = { packet: 3, matchingPacket: 7, flowEntry: 2, maxPriority: 2, recvPacket: 3 };
const FIREWALL = { pktReceived: 2 };
const ARP = { packet: 2 };

const studies: readonly Study[] = [
  {
    program: "threehops-bug",
    pool: HOPS,
    expected: { Q1: "violated r3", Q2: "violated r3 r4", Q3: "derivable r3 r4" },
  },
  {
    program: "threehops-ok",
    pool: HOPS,
    expected: { Q1: "violated r3", Q2: "holds", Q3: "derivable r3 r4" },
  },
  {
    program: "reachable",
    pool: { reachable: 3 },
    cut: "reachable",
    expected: {
      cost: "holds",
      first: "holds by induction",
      last: "holds by induction",
      direct: "violated d2",
    },
    nodes: { direct: { published: 4 } },
  },
  {
    program: "reachable",
    infers: false,
    unfoldings: 30,
    expected: { first: "undecided", last: "undecided" },
  },
  {
    program: "esl",
    pool: SWITCH,
    cut: "matchingPacket, flowEntry",
    expected: {
      ESL1: "holds with lemmas",
      ESL2: "violated rh1+a base tuple+rs5",
      ESL3: "violated rs7+a base tuple",
      ESL4: "holds",
    },
    nodes: { ESL2: { published: 17 }, ESL3: { published: 13 } },
  },
  {
    program: "esl",
    specification: "esl-roles",
    expected: { ESL2: "violated rs7+a base tuple+rs5" },
    nodes: { ESL2: { published: 26 } },
  },
  {
    program: "esl",
    specification: "esl-cut3",
    pool: { packet: 3, matchingPacket: 3, flowEntry: 2, maxPriority: 2 },
    cut: "packet, matchingPacket, flowEntry",
    expected: { ESL1: "holds with lemmas", ESL4: "holds" },
  },
  {
    program: "esl",
    specification: "esl-cut3-no-initial",
    pool: { packet: 3, matchingPacket: 2 },
    cut: "packet, matchingPacket, flowEntry",
    unfoldings: 40,
    expected: { ESL2: "undecided", ESL3: "undecided", ESL4: "holds" },
  },
  { program: "esl", specification: "esl-printed-cut-lemma", infers: false, expected: { ESL1: "holds" } },
  { program: "esl", infers: false, unfoldings: 30, expected: { ESL1: "undecided" } },
  {
    program: "weakfw",
    pool: FIREWALL,
    expected: { weakFW: "violated r1", external: "holds" },
    nodes: { weakFW: { published: 3 } },
  },
  {
    program: "weakfw",
    specification: "weakfw-assumption",
    expected: { weakFW: "violated r1", internalReceiver: "holds" },
  },
  {
    program: "weakfw-patched",
    pool: FIREWALL,
    expected: { weakFW: "violated r1", internalReceiver: "holds" },
  },
  { program: "firewall", expected: { received: "holds", flow: "holds", memory: "holds" } },
  { program: "lb", pool: { recvPacket: 2 }, expected: { affinity: "violated r3+r3 r3+r4 r4+r3" } },
  { program: "lb", specification: "lb-one", expected: { affinity: "holds" } },
  { program: "lb", specification: "lb-one-without-c6", expected: { affinity: "violated r3+r3" } },
  {
    program: "arp",
    pool: ARP,
    cut: "packet",
    expected: { ARP1: "holds", ARP2: "holds", ARP2printed: "violated rc3" },
  },
  {
    program: "arp",
    specification: "arp-match",
    expected: { ARP1: "holds vacuously", ARP2: "holds vacuously", ARP2printed: "holds vacuously" },
  },
  { program: "micro/m1", expected: { M1: "holds" } },
  { program: "micro/m2", expected: { M2: "violated r1+r1" } },
  { program: "micro/m3", expected: { M3: "violated r1+r1", M3same: "holds" } },
  { program: "micro/m4", expected: { M4: "holds vacuously" } },
  { program: "micro/m5", expected: { M5: "holds" } },
  { program: "micro/m6", expected: { M6: "holds" } },
  { program: "micro/m7", expected: { M7: "violated rule#1" } },
  { program: "micro/m8", unfoldings: 30, expected: { M8derivable: "undecided", M8: "holds by induction" } },
  { program: "micro/m9", expected: { M9: "holds" } },
];

/** Annotations of `reachable`, each with the expected result; a rejection names the rule that breaks the annotation. */
const annotations: readonly (readonly [text: string, expected: string])[] = [
  ["C > 0", "accepted"],
  ["C > 1", "rejected: d1"],
  ["C >= 0", "accepted, too weak"],
];

const checkers = openCheckers("all");
let mutants = 0;
let failures = 0;
const compare = (name: string, expected: string, obtained: string, figures = ""): void => {
  const agrees = expected === obtained;
  if (!agrees) failures++;
  console.log(
    `${agrees ? "ok  " : "DIFF"} ${name}\n     expected ${expected}\n     obtained ${obtained}${figures}`,
  );
};

for (const study of studies) await compareStudy(study);
for (const [text, expected] of annotations) compareAnnotation(text, expected);
console.log("not covered: 9 (differential test: npm run fuzz:ndlog), 11 (times are printed, not compared)");
console.log(
  `proofs certified by ${checkers.map(({ name }) => name).join(", ")}; ${mutants} mutants of them rejected`,
);
for (const checker of checkers) checker.close();
console.log(failures === 0 ? "all rows agree" : `${failures} rows differ`);
process.exitCode = failures === 0 ? 0 : 1;

async function compareStudy(study: Study): Promise<void> {
  const name = study.specification ?? study.program;
  const program = programOf(study.program, textOf(`${name}.ndspec`));
  const opened = openSolver({ name: "auto", timeMs: 30_000, memoryMb: 2048 });
  if (!opened) throw new Error("there is no solver");
  const { solver } = opened;
  const pool = new Pool(program, new Encoder(solver.terms));
  const queries = new Queries(pool, solver);
  const named = (predicate: number): string => program.predicates[predicate]?.name ?? "";
  if (study.pool) {
    const wanted = program.predicates.map((each) => `${each.name} ${study.pool?.[each.name] ?? 1}`);
    const found = program.predicates.map((each, index) => `${each.name} ${pool.entries(index).length}`);
    compare(`${name}: pool`, wanted.join(", "), found.join(", "));
  }
  if (study.cut !== undefined)
    compare(`${name}: cut`, sorted(study.cut.split(", ")), sorted([...pool.cut].map(named)));
  const { undecided, diagnostics } = checkAnnotations(queries);
  if (undecided !== undefined || diagnostics.length > 0)
    throw new Error(`${name}: ${undecided ?? diagnostics[0]?.message}`);
  const lemmas = provable(queries, program.lemmas).proved;
  for (const [wanted, expected] of Object.entries(study.expected)) {
    const property = program.properties.find((each) => each.name === wanted);
    if (!property) throw new Error(`${name} has no property ${wanted}`);
    const [before, started] = [solver.figures().queries, process.cpuUsage().user];
    const options = { maxUnfoldings: study.unfoldings ?? DEFAULT_UNFOLDINGS, infers: study.infers ?? true };
    const steps = verify(queries, property, lemmas, options);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const seconds = ((process.cpuUsage().user - started) / 1e6).toFixed(2);
    const { answer, unfoldings } = step.value;
    const events = answer.kind === "violated" ? `${answer.counterexample.events.length} events, ` : "";
    const figures = ` (${events}${unfoldings} unfoldings, ${solver.figures().queries - before} queries, ${seconds} s)`;
    const how = study.infers === false ? " without inference" : "";
    compare(`${name}: ${wanted}${how}`, expected, describe(step.value, property.asks), figures);
    if (answer.kind === "holds")
      for (const each of answer.lemmas) console.log(`     lemma ${lemmaText(program, each)}`);
    if (answer.kind === "holds" && property.asks === "always")
      compareCertificate(`${name}: ${wanted}${how}`, program, poolProofOf(pool, property, answer.proof));
    const nodes = study.nodes?.[wanted];
    if (nodes && answer.kind === "violated") {
      const { events, roots } = answer.counterexample;
      const found = roots.reduce((sum, root) => sum + nodesBelow(events, root), 0);
      const why = nodes.why === undefined ? "" : ` (published ${nodes.published}: ${nodes.why})`;
      compare(`${name}: ${wanted}: tree nodes`, `${nodes.ours ?? nodes.published}`, `${found}`, why);
    }
  }
  opened.close();
}

function nodesBelow(events: readonly NdlogEvent[], at: number): number {
  return (events[at]?.premises ?? []).reduce((sum, premise) => sum + nodesBelow(events, premise), 1);
}

/** All solvers accept the proof, and each rejects a proof without one of its cases or derivations, or without its lemmas' equalities. */
function compareCertificate(name: string, program: NdlogProgram, proof: PoolProof): void {
  const judge = (each: PoolProof, some = checkers): string => {
    const judgement = checkPoolProof(program, each, some, 60_000);
    return judgement.kind === "accepted" ? "accepted" : `rejected: ${judgement.why}`;
  };
  compare(`${name}: certificate`, "accepted", judge(proof));
  const damaged = [
    ...proof.cases.map((_, index) => ({ ...proof, cases: proof.cases.toSpliced(index, 1) })),
    ...proof.pool.flatMap((trees, predicate) =>
      trees.map((_, index) => ({ ...proof, pool: proof.pool.with(predicate, trees.toSpliced(index, 1)) })),
    ),
    ...(proof.lemmas.length > 0 ? [{ ...proof, lemmas: [] }] : []),
  ];
  const accepted = damaged.filter((each) => judge(each, checkers.slice(-1)) === "accepted");
  mutants += damaged.length;
  compare(`${name}: ${damaged.length} mutants`, "0 accepted", `${accepted.length} accepted`);
}

/** Violating combinations in order, or the confirmed one if others were left open. */
function describe({ answer, combinations }: Verified, asks: string): string {
  if (answer.kind === "undecided") return "undecided";
  if (answer.kind === "violated") {
    const violating = combinations.flatMap(({ rules, status }) => (status === "violated" ? [rules] : []));
    return `${asks === "always" ? "violated" : "derivable"} ${violating.join(" ")}`;
  }
  const how = answer.isVacuous
    ? " vacuously"
    : answer.isInductive
      ? " by induction"
      : answer.lemmas.length > 0
        ? " with lemmas"
        : "";
  return asks === "always" ? `holds${how}` : "not derivable";
}

function compareAnnotation(text: string, expected: string): void {
  const program = programOf(
    "reachable",
    `constraint positive { link(X,Y,C) => C > 0 }
     annotation reachable(X,Y,C): ${text};
     property cost { reachable(X,Y,C) => C >= 0 }`,
  );
  const opened = openSolver({ name: "auto", timeMs: 30_000, memoryMb: 2048 });
  if (!opened) throw new Error("there is no solver");
  const { diagnostics } = checkAnnotations(
    new Queries(new Pool(program, new Encoder(opened.solver.terms)), opened.solver),
  );
  opened.close();
  const [first] = diagnostics;
  const rule = /: (\w+) derives/.exec(first?.message ?? "")?.[1] ?? "";
  const obtained = !first
    ? "accepted"
    : first.severity === "error"
      ? `rejected: ${rule}`
      : "accepted, too weak";
  compare(`annotation ${text}`, expected, obtained);
}

function programOf(name: string, specification: string): NdlogProgram {
  const { program, diagnostics } = loadNdlog(name, textOf(`${name}.ndlog`), {
    specifications: [{ file: "specification", text: specification }],
  });
  if (!program) throw new Error(`${name}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return program;
}

function textOf(name: string): string {
  return readFileSync(inRepository(`test/fixtures/ndlog/conformance/${name}`), "utf8");
}

function sorted(names: readonly string[]): string {
  return names.toSorted().join(", ");
}
