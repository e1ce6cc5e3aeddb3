/** Certificates: proofs that identify their model. A check writes them, `certify` verifies them. */
import { createHash } from "node:crypto";
import {
  CERTIFICATE_FORMAT,
  hasErrors,
  isBoolean,
  isComposition,
  isGuarded,
  isMessageSubject,
  isNdlog,
  type BooleanProgram,
  type Certificate,
  type Composition,
  type Diagnostic,
  type GuardedProgram,
  type MessageProgram,
  type NdlogProgram,
  type Proof,
  type Sources,
  type Subject,
} from "../../model/index.js";
import type { SolverName } from "../../solvers/index.js";
import { version } from "../../report/index.js";
import { load, type LoadedInput } from "../load.js";
import type { Registry } from "../contracts.js";
import type { Input } from "../request.js";

/** Undefined if there is no proof to certify. */
export function certificateOf(
  { subject, language }: LoadedInput,
  proofs: readonly Proof[] = [],
): Certificate | undefined {
  const model = hashOfSubject(subject);
  if (model === undefined || proofs.length === 0) return undefined;
  return { everypath: version, format: CERTIFICATE_FORMAT, file: "", language, model, proofs };
}

/** Undefined: there are no certificates for such inputs. */
function hashOfSubject(subject: Subject | undefined): string | undefined {
  if (isMessageSubject(subject)) return hashOfMeaning(subject.program);
  if (isBoolean(subject)) return hash(meaningOfBoolean(subject.program));
  if (isNdlog(subject)) return hash(meaningOfNdlog(subject));
  if (isComposition(subject)) return hash(meaningOfNetwork(subject));
  return isGuarded(subject) ? hash(meaningOfGuarded(subject)) : undefined;
}

const hash = (meaning: unknown): string => {
  const text = JSON.stringify(meaning, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
};

/** Hashes the semantics of a program and its properties: without comments, layout and labels. */
export function hashOfMeaning(program: MessageProgram): string {
  const { messages, channels, operations, domain, tests } = program;
  const meaning = {
    messages,
    channels,
    operations,
    domain,
    tests,
    principals: program.principals.map(({ name, isSpawned, variables, locations }) => ({
      name,
      isSpawned,
      variables,
      locations: locations.map((edges) => edges.map(({ action, to }) => ({ action, to }))),
    })),
    properties: program.properties.map(({ name, principal, variable, policy, isAllowed, when }) => ({
      name,
      principal,
      variable,
      policy,
      isAllowed,
      when,
    })),
  };
  return hash(meaning);
}

/** Parses a certificate, or describes the error. */
export function parseCertificate(text: string): Certificate | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `not JSON: ${(error as Error).message}` };
  }
  const certificate = value as Certificate | null;
  if (typeof certificate !== "object" || certificate?.format !== CERTIFICATE_FORMAT)
    return { problem: `not a certificate of the format '${CERTIFICATE_FORMAT}'` };
  const texts = [certificate.file, certificate.language, certificate.model];
  if (texts.some((each) => typeof each !== "string") || !Array.isArray(certificate.proofs))
    return { problem: "its fields 'file', 'language', 'model' and 'proofs' are not all there" };
  if (certificate.claims !== undefined && !listOf(isText)(certificate.claims))
    return { problem: "its 'claims' are not names of files" };
  // sound: test/provenance/forged.test.ts
  if (certificate.proofs.length === 0) return { problem: "there is no proof in it" };
  const broken = certificate.proofs.findIndex((proof) => !isProof(proof));
  if (broken >= 0) return { problem: `proof ${broken} is damaged` };
  const names = certificate.proofs.map(({ property }) => property);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  // sound: test/provenance/forged.test.ts
  return twice === undefined ? certificate : { problem: `there are two proofs of '${twice}'` };
}

/** Validates the shape of a proof down to every value, so that the checker may rely on the types. The checker judges its content. */
function isProof(proof: unknown): boolean {
  const isInvariant = isRecord({
    kind: (value) => value === "invariant",
    property: isText,
    by: isText,
    invariant: isText,
  });
  if ([isInvariant, isBooleanProof, isPoolProof, isAssumptionProof].some((is) => is(proof))) return true;
  const isConfigurations = isRecord({
    at: (value) => isObject(value) && Object.values(value).every(isIndex),
    holds: (value) => isObject(value) && Object.values(value).every(isHeld),
    pending: listOf(rowOf(isText, isText, isIndex, isAmount)),
    instances: listOf(rowOf(isText, isIndex, listOf(either(isNull, isHeld)), isAmount)),
  });
  return isRecord({
    kind: (value) => value === "provenance",
    property: isText,
    grain: (value) => value === "statement" || value === "run-to-receive",
    // A value that is not a boolean could be true in the comparison and false in the search for violations.
    // sound: test/provenance/forged.test.ts
    classes: isRecord({
      sent: listOf(listOf(isIndex)),
      bad: listOf(isTruth),
      tests: listOf(listOf(isTruth)),
    }),
    open: listOf(rowOf(isText, isIndex, isText)),
    invariant: listOf(isConfigurations),
  })(proof);
}

function isBooleanProof(proof: unknown): boolean {
  const isPair = rowOf(isIndex, isIndex);
  const isPlace: Shape = (value) => value === -1 || isIndex(value);
  return isRecord({
    kind: (value) => value === "boolean",
    property: isText,
    inputs: isIndex,
    ands: listOf(isPair),
    sets: listOf(isRecord({ at: listOf(isIndex), values: listOf(isPair), guards: listOf(isIndex) })),
    covers: listOf(
      isRecord({
        from: isPlace,
        thread: isPlace,
        step: isPlace,
        choices: listOf(isIndex),
        to: isPlace,
        instances: listOf(listOf(isPair)),
      }),
    ),
  })(proof);
}

const isAssumptionProof: Shape = (proof) =>
  isRecord({
    kind: (value) => value === "assumptions",
    property: isText,
    rule: isText,
    assumptions: listOf(
      isRecord({
        name: isText,
        of: isText,
        alphabet: listOf(isText),
        states: isIndex,
        edges: listOf(rowOf(isIndex, isIndex, isIndex)),
      }),
    ),
    premises: listOf(
      isRecord({
        assumes: listOf(isText),
        excludes: listOf(isText),
        parts: listOf(isText),
        guarantees: either(isNull, isText),
      }),
    ),
  })(proof);

function isPoolProof(proof: unknown): boolean {
  const isTree = (value: unknown, depth = 0): boolean =>
    value === -1 ||
    value === -2 ||
    (Array.isArray(value) &&
      isIndex(value[0]) &&
      depth < MOST_NESTED &&
      value.slice(1).every((child) => isTree(child, depth + 1)));
  const isKind =
    (kind: string): Shape =>
    (value) =>
      value === kind;
  const isLemma = either(
    either(isRecord({ kind: isKind("declared"), lemma: isIndex }), isRecord({ kind: isKind("property") })),
    isRecord({
      kind: isKind("equalities"),
      outer: isIndex,
      inside: isIndex,
      equal: listOf(rowOf(isIndex, isIndex)),
    }),
  );
  const trees = listOf((value) => isTree(value));
  return isRecord({
    kind: isKind("pool"),
    property: isText,
    cut: listOf(isIndex),
    pool: listOf(trees),
    lemmas: listOf(isLemma),
    cases: listOf(isRecord({ trees, unfold: either((value) => value === undefined, listOf(isIndex)) })),
  })(proof);
}

/** Levels of a derivation: far above the needs of our proofs. */
const MOST_NESTED = 1000;

type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === "string";
const isTruth: Shape = (value) => typeof value === "boolean";
const isNull: Shape = (value) => value === null;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isIndex: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** Far below the integers to which adding one has no effect. */
// sound: test/provenance/forged.test.ts
const isAmount: Shape = (value) => value === "any" || (isIndex(value) && (value as number) <= 2 ** 32);
const either =
  (a: Shape, b: Shape): Shape =>
  (value) =>
    a(value) || b(value);
const listOf =
  (each: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(each);
const rowOf =
  (...columns: Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === columns.length && columns.every((is, i) => is(value[i]));
const isRecord =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, is]) => is(value[name]));
const isHeld = rowOf(isText, isIndex);

export interface Certified {
  readonly file: string;
  readonly language: string;
  readonly proofs: readonly CertifiedProof[];
  /** Properties of the model that the certificate does not mention. */
  readonly unproved: readonly string[];
  /** Include the reason if nothing was judged. */
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

export interface CertifiedProof {
  readonly property: string;
  readonly isAccepted: boolean;
  /** Reason of rejection, or size of the proof. */
  readonly reason: string;
}

export async function certifyInput(
  input: Input,
  certificate: Certificate,
  registry: Registry,
  solver: SolverName = "auto",
): Promise<Certified> {
  const { language, proofs: given } = certificate;
  // A question of the command line is the name of its property.
  const targets = given.flatMap(({ kind, property }) =>
    kind === "boolean" && property.includes(":") ? [property] : [],
  );
  const claims = certificate.claims ? { claims: certificate.claims } : {};
  const loaded = await load(input, { language, targets, ...claims }, registry);
  const common = { file: input.file, language: loaded.language, sources: loaded.sources };
  const refused = refusal(input, loaded, certificate);
  if (refused.length > 0) return { ...common, proofs: [], unproved: [], diagnostics: refused };
  const judge = await judgeOf(loaded.subject, solver);
  const proofs = certificate.proofs.map((proof): CertifiedProof => ({
    property: proof.property,
    ...judge(proof),
  }));
  const names = (loaded.subject?.properties ?? []).map(({ name }) => name);
  const unproved = names.filter((name) => !proofs.some(({ property }) => property === name));
  return { ...common, proofs, unproved, diagnostics: loaded.diagnostics };
}

type Judge = (proof: Proof) => Omit<CertifiedProof, "property">;

/** The checker for an input. A proof of another kind proves nothing about it. */
async function judgeOf(subject: Subject | undefined, solver: SolverName): Promise<Judge> {
  const ofOtherKind = { isAccepted: false, reason: "the proof is of another kind" };
  const { checkAssumptionProof, checkBooleanProof, checkProof, checkInvariant, checkPoolProof } =
    await import("../../engines/certificates/index.js");
  if (isMessageSubject(subject))
    return (proof) => {
      if (proof.kind !== "provenance") return ofOtherKind; // sound: test/session/guarded.test.ts
      const judgement = checkProof(subject.program, proof);
      const isAccepted = judgement.kind === "accepted";
      const size = isAccepted ? `${judgement.configurations} sets of configurations, ${proof.grain}` : "";
      return { isAccepted, reason: isAccepted ? size : judgement.why };
    };
  if (isComposition(subject))
    return (proof) => {
      if (proof.kind !== "assumptions") return ofOtherKind; // sound: test/session/learning.test.ts
      const question = subject.questions.get(proof.property);
      if (question?.kind !== "error")
        return { isAccepted: false, reason: `there is no safety property '${proof.property}'` };
      const judgement = checkAssumptionProof(subject.network, question.watcher, proof);
      if (judgement.kind === "rejected") return { isAccepted: false, reason: judgement.why };
      const { premises, states } = judgement;
      return { isAccepted: true, reason: `${premises} premises, the largest with ${states} states` };
    };
  const { openCheckers } = await import("../../solvers/index.js");
  if (isBoolean(subject))
    return (proof) => {
      if (proof.kind !== "boolean") return ofOtherKind; // sound: test/session/booleans.test.ts
      const runners = openCheckers(solver);
      try {
        const judgement = checkBooleanProof(subject.program, proof, runners, CHECK_MS);
        if (judgement.kind === "rejected") return { isAccepted: false, reason: judgement.why };
        const names = runners.map(({ name }) => name).join(" and ");
        const { sets, conditions } = judgement;
        return { isAccepted: true, reason: `${sets} closed sets, ${conditions} conditions, by ${names}` };
      } finally {
        for (const runner of runners) runner.close();
      }
    };
  if (isNdlog(subject))
    return (proof) => {
      if (proof.kind !== "pool") return ofOtherKind; // sound: test/session/ndlog.test.ts
      const runners = openCheckers(solver);
      try {
        const judgement = checkPoolProof(subject, proof, runners, CHECK_MS);
        if (judgement.kind === "rejected") return { isAccepted: false, reason: judgement.why };
        const names = runners.map(({ name }) => name).join(" and ");
        const { trees, cases, conditions } = judgement;
        const reason = `a pool of ${trees} derivations, ${cases} cases, ${conditions} conditions, by ${names}`;
        return { isAccepted: true, reason };
      } finally {
        for (const runner of runners) runner.close();
      }
    };
  if (!isGuarded(subject)) return () => ofOtherKind;
  return (proof) => {
    if (proof.kind !== "invariant") return ofOtherKind; // sound: test/session/guarded.test.ts
    const runners = openCheckers(solver);
    try {
      const judgement = checkInvariant(subject, proof, runners, CHECK_MS);
      if (judgement.kind === "rejected") return { isAccepted: false, reason: judgement.why };
      const names = runners.map(({ name }) => name).join(" and ");
      return { isAccepted: true, reason: `an invariant, ${judgement.queries} conditions, by ${names}` };
    } finally {
      for (const runner of runners) runner.close();
    }
  };
}

const CHECK_MS = 120_000;

/** Names, types, steps and questions of a guarded program, without positions and labels. */
const meaningOfGuarded = (program: GuardedProgram): unknown => ({
  variables: program.variables,
  initial: program.initial,
  transitions: program.transitions.map(({ guard, assignments }) => ({ guard, assignments })),
  properties: program.properties.map(({ name, asks, condition }) => ({ name, asks, condition })),
});

/** Parts, vectors and watched properties of a network, without positions. */
const meaningOfNetwork = ({ network: { parts, vectors } }: Composition): unknown => ({
  parts: parts.map(({ name, lts, watches }) => ({
    name,
    states: lts.states,
    initial: lts.initial,
    error: lts.error,
    labels: lts.labels,
    firsts: [...lts.firsts],
    actions: [...lts.actions],
    targets: [...lts.targets],
    watches: watches && { state: watches.state, property: watches.property },
  })),
  vectors: vectors.map(({ label, labels }) => ({ label, labels })),
});

/** Predicates, rules, assumptions and properties of an NDLog program, without positions, labels and names of variables. */
const meaningOfNdlog = (program: NdlogProgram): unknown => ({
  predicates: program.predicates.map(({ name, arity, isBase }) => ({ name, arity, isBase })),
  rules: program.rules.map(({ head, body }) => ({ head, body })),
  constraints: program.constraints.map(({ when, then }) => ({ when, then })),
  annotations: program.annotations.map(({ predicate, condition }) => ({ predicate, condition })),
  lemmas: program.lemmas.map(({ when, then }) => ({ when, then })),
  properties: program.properties.map(({ name, asks, when, alternatives }) => ({
    name,
    asks,
    when,
    alternatives,
  })),
});

/** Variables and threads of a Boolean program, without positions and texts. Labels determine the questions. */
const meaningOfBoolean = ({ variables, threads }: BooleanProgram): unknown => ({
  variables: variables.map(({ name, thread, initial }) => ({ name, thread, initial: initial ?? "*" })),
  threads: threads.map(({ name, locations }) => ({
    name,
    locations: locations.map(({ steps, isAtomic, labels, failed }) => ({
      isAtomic,
      labels,
      isFailure: failed !== undefined,
      steps: steps.map(({ to, choices, assignments, constraint }) => ({
        to,
        choices,
        assignments,
        constraint,
      })),
    })),
  })),
});

function refusal(
  input: Input,
  { subject, diagnostics }: LoadedInput,
  { model }: Certificate,
): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) return diagnostics;
  const span = { file: input.file, start: 0, end: 0 };
  const meaning = hashOfSubject(subject);
  if (meaning === undefined)
    return [
      {
        code: "session/cannot-certify",
        severity: "error",
        message: "there are no certificates for this language",
        span,
      },
    ];
  if (meaning === model) return [];
  return [
    {
      code: "session/other-model",
      severity: "error",
      message: "the certificate is for another model: something in this one means something else",
      span,
      hint: "make a new one: everypath check FILE --certificate FILE",
    },
  ];
}
