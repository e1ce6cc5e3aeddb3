/**
 * Rejects meaningless fields, values and names of a system file, which would otherwise be faults that never occur or
 * conditions that are never checked. Runs in the realm, which alone sees all fields: JSON turns `Infinity` into `null`.
 */
import type { Action, FaultDefinition, NetworkDefinition, SystemDefinition } from "./define.js";
import { nonJsonIn } from "./json-values.js";

/** Sets of nodes are bits of a word, one of which represents the network. */
const MOST_NODES = 30;

/** Describes the expected value; undefined: the value is valid. */
type Kind = (value: unknown) => string | undefined;
type Fields<T> = Readonly<Record<keyof T, Kind>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const must =
  (text: string, isRight: (value: unknown) => boolean): Kind =>
  (value) =>
    isRight(value) ? undefined : text; // sound: test/code/system/declared.test.ts
const count = must("a whole number of at least 0", (value) => Number.isInteger(value) && Number(value) >= 0); // sound: test/code/system/declared.test.ts
const positive = must(
  "a whole number of at least 1",
  (value) => Number.isInteger(value) && Number(value) >= 1, // sound: test/code/system/declared.test.ts
);
const aFunction = must("a function", (value) => typeof value === "function");
const anObject = must("an object", isRecord);
const text = must("a text", (value) => typeof value === "string");
const oneOf = (...values: string[]): Kind =>
  must(`one of: ${values.join(", ")}`, (value) => values.includes(value as string)); // sound: test/code/system/declared.test.ts
const list = (what: string, kind: Kind): Kind =>
  must(
    `a list of ${what}`,
    (value) => Array.isArray(value) && value.every((item) => kind(item) === undefined), // sound: test/code/system/declared.test.ts
  );
const record = (what: string, kind: Kind): Kind =>
  must(
    `an object of ${what}`,
    (value) => isRecord(value) && Object.values(value).every((item) => kind(item) === undefined), // sound: test/code/system/declared.test.ts
  );
const names = list("names", text);
const functions = record("functions", aFunction);

const ofSystem: Fields<SystemDefinition> = {
  nodes: must(
    `an object of at most ${MOST_NODES} functions`,
    (value) => functions(value) === undefined && Object.keys(value as object).length <= MOST_NODES, // sound: test/code/system/declared.test.ts
  ),
  network: anObject,
  faults: anObject,
  actions: record("objects", anObject),
  budgets: record("whole numbers of at least 0", count),
  timers: oneOf("any", "in-order"),
  random: positive,
  capture: oneOf("auto", "replay"),
  symmetric: list("lists of names", names),
  discard: aFunction,
  ignore: list("paths", text),
  guide: aFunction,
  picture: aFunction,
  observe: aFunction,
  always: functions,
  sometimes: functions,
  eventually: functions,
  recoverable: functions,
  returns: functions,
  messages: functions,
  fieldValues: positive,
  loopsProgress: must("true or false", (value) => typeof value === "boolean"),
  finished: aFunction,
};
const ofNetwork: Fields<NetworkDefinition> = {
  capacity: count,
  loss: must(
    "true, false or a whole number of at least 0",
    (value) => typeof value === "boolean" || count(value) === undefined, // sound: test/code/system/declared.test.ts
  ),
  duplicates: count,
  order: oneOf("any", "fifo"),
  links: list(
    "pairs of names",
    must("", (value) => names(value) === undefined && (value as unknown[]).length === 2), // sound: test/code/system/declared.test.ts
  ),
};
const ofFaults: Fields<FaultDefinition> = {
  crashes: count,
  crashing: names,
  crashesAt: oneOf("any-effect", "between-handlers"),
  unsynced: oneOf("kept", "may-be-lost", "lost-in-order"),
  failures: count,
  failing: names,
  partitions: count,
  torn: count,
  corruptions: count,
};
const ofAction: Fields<Action> = {
  on: must("a name or a list of names", (value) => text(value) === undefined || names(value) === undefined), // sound: test/code/system/declared.test.ts
  values: list(
    "JSON values",
    must("", (value) => nonJsonIn(value) === undefined), // sound: test/code/system/declared.test.ts
  ),
  when: aFunction,
  run: aFunction,
  times: count,
  budget: text,
};

/** Names and values of `-D` that the system does not declare, and defaults that `-D` cannot replace. */
export function problemsOfParameters(declared: unknown, given: Readonly<Record<string, unknown>>): string[] {
  if (!isRecord(declared)) return ["the parameters of a system must be an object of defaults"];
  const kinds = ["number", "string", "boolean"];
  const odd = Object.entries(declared)
    .filter(([, value]) => !kinds.includes(typeof value))
    .map(([name]) => `the default of the parameter '${name}' must be a number, a text, true or false`);
  if (odd.length > 0) return odd; // sound: test/code/system/parameters.test.ts
  const names = Object.keys(declared);
  return Object.entries(given).flatMap(([name, value]) => {
    // sound: test/code/system/parameters.test.ts
    if (!Object.hasOwn(declared, name))
      return [`the system has no parameter '${name}' (-D takes: ${names.join(", ") || "none"})`];
    const wanted = typeof declared[name];
    // sound: test/code/system/parameters.test.ts
    return wanted === "string" || typeof value === wanted
      ? []
      : [
          `the parameter '${name}' must be ${wanted === "number" ? "a number" : "given without a value"}: -D ${name}${wanted === "number" ? `=${String(declared[name])}` : ""}`,
        ];
  });
}

export function problemsIn(system: SystemDefinition): string[] {
  if (!isRecord(system)) return ["a system must be an object"];
  const problems = [
    ...wrongIn(system, ofSystem, ""),
    ...wrongIn(system.network, ofNetwork, "network."),
    ...wrongIn(system.faults, ofFaults, "faults."),
    ...Object.entries(isRecord(system.actions) ? system.actions : {}).flatMap(([name, action]) =>
      wrongIn(action, ofAction, `actions.${name}.`),
    ),
  ];
  return problems.length > 0 ? problems : unknownNodesIn(system);
}

function wrongIn<T>(value: T | undefined, known: Fields<T>, path: string): string[] {
  if (!isRecord(value)) return [];
  const kinds = known as Readonly<Record<string, Kind>>;
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(kinds, name)); // sound: test/code/system/declared.test.ts
  const wrong = Object.entries(kinds).flatMap(([name, kind]) => {
    const isLeftOut = value[name] === undefined && !required.has(name); // sound: test/code/system/declared.test.ts
    const what = isLeftOut ? undefined : kind(value[name]);
    return what === undefined ? [] : [`'${path}${name}' must be ${what}`];
  });
  return [...unknown.map((name) => `a system has no field '${path}${name}'`), ...wrong];
}

const required: ReadonlySet<string> = new Set<keyof SystemDefinition | keyof Action>(["nodes", "run"]);

function unknownNodesIn({ nodes, network, faults, actions }: SystemDefinition): string[] {
  const strangers = (path: string, named: readonly string[]): string[] =>
    named
      .filter((name) => !Object.hasOwn(nodes, name)) // sound: test/code/system/declared.test.ts
      .map((name) => `'${path}' names '${name}', which is not a node`);
  return [
    ...strangers("faults.crashing", faults?.crashing ?? []),
    ...strangers("network.links", (network?.links ?? []).flat()),
    ...Object.entries(actions ?? {}).flatMap(([name, { on }]) =>
      strangers(`actions.${name}.on`, [on ?? []].flat()),
    ),
  ];
}

export class BadDeclaration extends Error {}
