/** Random Promela statements. All are legal in their position; whether they are reachable is left to chance. */
import { condition, enabledOther, numeric, small, writeVariable } from "./promela-expressions.js";
import {
  type Channel,
  type FieldType,
  type Scope,
  type Template,
  type Variable,
  mtypeNames,
} from "./promela-scope.js";
import { type Statement, line } from "./promela-tree.js";
import type { Random } from "./random.js";

/** The position of a sequence, which decides the permitted statements. */
export interface Place {
  /** Remaining depth of nesting. */
  readonly depth: number;
  /** Inside `do`, where `break` is allowed. */
  readonly inLoop: boolean;
  /** Inside `atomic`, where neither `atomic` nor a `d_step` with jumps is allowed. */
  readonly inAtomic: boolean;
}

export const bodyPlace: Place = { depth: 2, inLoop: false, inAtomic: false };

/** One statement, simple or compound. */
export function statement(random: Random, scope: Scope, place: Place): Statement {
  const { features } = scope;
  const compound = place.depth > 0;
  const inner: Place = { ...place, depth: place.depth - 1 };
  return random.weighted<Statement>([
    [7, () => line(assignment(random, scope))],
    [scope.channels.length > 0 && !features.lenient ? 3 : 0, () => line(communication(random, scope))],
    [scope.channels.length > 0 && compound ? 4 : 0, () => communicationOr(random, scope)],
    [features.lenient ? 0 : 1, () => line(condition(random, scope))],
    [
      1,
      () =>
        line(
          random.pick([
            "skip",
            "true",
            'printf("at %d\\n", _pid)',
            features.mtypes ? "printm(colour)" : "skip",
          ]),
        ),
    ],
    [1, () => line(`assert(${condition(random, scope)})`)],
    [compound ? 3 : 0, () => selection(random, scope, inner)],
    [compound ? 2 : 0, () => loop(random, scope, inner)],
    [compound && features.atomic && !place.inAtomic ? 3 : 0, () => atomic(random, scope, inner)],
    [compound && features.dStep ? 2 : 0, () => dStep(random, scope)],
    [compound && features.unless && !place.inAtomic ? 2 : 0, () => unless(random, scope, inner)],
    [compound ? 1 : 0, () => localBlock(random, scope, inner)],
    [features.counting ? 1 : 0, () => counting(random, scope, compound)],
    [features.dynamic && scope.runnable.length > 0 ? 2 : 0, () => creation(random, scope, place)],
    [features.jumps && scope.targets.length > 0 ? 1 : 0, () => line(`goto ${random.pick(scope.targets)}`)],
    [place.inLoop ? 1 : 0, () => line("break")],
    [features.enabled && place.depth === bodyPlace.depth ? 2 : 0, () => line(enabledOther(random))],
    [
      features.hidden ? 1 : 0,
      () => line(`${random.pick(scope.hiddenVariables)} = ${numeric(random, scope, 1)}`),
    ],
    [
      features.inlines ? 1 : 0,
      () => line(`advance(${writeVariable(random, scope)}, ${random.between(1, 3)})`),
    ],
    [features.priorities ? 1 : 0, () => line(`set_priority(_pid, ${random.between(1, 4)})`)],
    [scope.channelVariable ? 2 : 0, () => throughReceivedChannel(random, scope)],
  ]);
}

function assignment(random: Random, scope: Scope): string {
  const target = writeVariable(random, scope);
  return random.weighted<string>([
    [5, () => `${target} = ${small(random, scope)}`],
    [scope.features.overflow ? 2 : 0, () => `${target} = ${numeric(random, scope)}`],
    [1, () => `${target} = (${target} + 1) % 3`],
    [scope.features.overflow ? 1 : 0, () => `${target}${random.pick(["++", "--"])}`],
    [
      scope.mtypeVariables.length > 0 ? 2 : 0,
      () => `${random.pick(scope.mtypeVariables)} = ${random.pick(mtypeNames)}`,
    ],
  ]);
}

// ---- channels ------------------------------------------------------------------------------------

/** An optional communication, so that not every program deadlocks. */
const communicationOr = (random: Random, scope: Scope): Statement => ({
  kind: "choice",
  keyword: "if",
  options: [[line(communication(random, scope))], [line(wayRound(random, scope))]],
});

function wayRound(random: Random, scope: Scope): string {
  if (scope.features.timeout && random.chance(50)) return "timeout";
  return scope.features.lenient || random.chance(50) ? "skip" : condition(random, scope);
}

const communication = (random: Random, scope: Scope): string => {
  const channel = random.pick(scope.channels);
  return random.chance(50) ? send(random, scope, channel) : receive(random, scope, channel);
};

function send(random: Random, scope: Scope, channel: Channel): string {
  const sorted = scope.features.sortedSends && channel.capacity > 0 && random.chance(40);
  const fields = channel.fields.map((type) => sentValue(random, scope, type));
  // The tag may also precede the parentheses as a name.
  const [tag, ...others] = fields;
  const message =
    others.length > 0 && channel.fields[0] === "mtype" ? `${tag}(${others.join(",")})` : fields.join(",");
  return `${channel.name}${sorted ? "!!" : "!"}${message}`;
}

function receive(random: Random, scope: Scope, channel: Channel): string {
  const isBuffered = channel.capacity > 0;
  const operator = isBuffered && random.chance(25) ? "??" : "?";
  const message = receivedPatterns(random, scope, channel.fields).join(",");
  return isBuffered && random.chance(15)
    ? `${channel.name}${operator}<${message}>`
    : `${channel.name}${operator}${message}`;
}

function sentValue(random: Random, scope: Scope, type: FieldType): string {
  switch (type) {
    case "mtype":
      return random.pick([...mtypeNames, ...scope.mtypeVariables]);
    case "chan":
      return random.pick(payloadChannels(scope)).name;
    case "bool":
      return random.pick(["true", "false", "1", "0"]);
    default:
      return random.chance(75)
        ? small(random, scope)
        : numeric(random, scope, scope.features.overflow ? 1 : 0);
  }
}

/**
 * Targets of a receive. pan undoes a receive by writing the *variables* back into the message: each must be wide enough
 * for its field, none may occur twice, and no `eval` or index may depend on them; otherwise pan continues from a state
 * that never occurred.
 */
function receivedPatterns(random: Random, scope: Scope, fields: readonly FieldType[]): string[] {
  const free = new Set(scope.variables.filter(({ length }) => length === undefined).map(nameOf));
  let unusedMtypes = scope.mtypeVariables;
  return fields.map((type) => {
    if (type === "chan") return scope.channelVariable ?? "_";
    if (type === "mtype") return mtypePattern();
    const wide = scope.variables.filter((variable) => holds(variable.type, type) && isFree(variable));
    return random.weighted<string>([
      [wide.length > 0 ? 5 : 0, () => target(random.pick(wide))],
      [2, () => String(random.below(type === "bool" ? 2 : 3))],
      [fields.length === 1 && free.size > 0 ? 1 : 0, () => `eval(${random.pick([...free])})`],
      [1, () => "_"],
      [
        scope.features.hidden && type !== "short" && fields.length === 1 ? 1 : 0,
        () => random.pick(scope.hiddenVariables),
      ],
    ]);
  });

  function isFree(variable: Variable): boolean {
    return variable.length !== undefined ? fields.length === 1 : free.has(nameOf(variable));
  }

  function target(variable: Variable): string {
    free.delete(nameOf(variable));
    return variable.length === undefined
      ? nameOf(variable)
      : `${variable.name}[${random.below(variable.length)}]${variable.suffix ?? ""}`;
  }

  function mtypePattern(): string {
    const pattern = random.pick([...mtypeNames, ...unusedMtypes, "_"]);
    unusedMtypes = unusedMtypes.filter((name) => name !== pattern);
    return pattern;
  }
}

const nameOf = ({ name, suffix }: Variable): string => name + (suffix ?? "");

/** Whether every value of a field fits into a variable. */
function holds(variable: string, field: FieldType): boolean {
  if (field === "bool") return true;
  return variable === "int" || variable === "short" || (variable === "byte" && field === "byte");
}

/** Payloads of channels of channels: one byte, so that any of them can be used through the variable. */
export const payloadChannels = (scope: Scope): Channel[] =>
  scope.channels.filter(({ fields }) => fields.length === 1 && fields[0] === "byte");

/** Receives a channel and uses it at once, never before it has a value. */
function throughReceivedChannel(random: Random, scope: Scope): Statement {
  const variable = scope.channelVariable!;
  const carrier = random.pick(scope.channels.filter(({ fields }) => fields.includes("chan")));
  const fields = carrier.fields.map((type) => (type === "chan" ? variable : "_")).join(",");
  const use = random.chance(50)
    ? `${variable}!${small(random, scope)}`
    : `${variable}?${receivedPatterns(random, scope, ["byte"]).join(",")}`;
  return {
    kind: "choice",
    keyword: "if",
    options: [[line(`${carrier.name}?${fields}`), line(use)], [line(condition(random, scope))]],
  };
}

// ---- compound statements -------------------------------------------------------------------------

function selection(random: Random, scope: Scope, place: Place): Statement {
  const options = random.list(1, 3, () => option(random, scope, place));
  if (random.chance(60) && (scope.features.elseWithChannels || !options.some(startsWithChannel)))
    options.push([line("else"), ...sequence(random, scope, place, 0, 1)]);
  else if (scope.features.lenient) options.push([line(wayRound(random, scope))]);
  return { kind: "choice", keyword: "if", options };
}

function loop(random: Random, scope: Scope, place: Place): Statement {
  const inside = { ...place, inLoop: true };
  const options = random.list(1, 2, () => [
    line(guard(random, scope)),
    ...sequence(random, scope, inside, 1, 2),
  ]);
  if (random.chance(80)) options.push([line(guard(random, scope)), line("break")]);
  if (random.chance(40) && !options.some(startsWithChannel)) options.push([line("else"), line("break")]);
  else if (scope.features.lenient) options.push([line(wayRound(random, scope)), line("break")]);
  return { kind: "choice", keyword: "do", options };
}

const option = (random: Random, scope: Scope, place: Place): Statement[] => [
  line(guard(random, scope)),
  ...sequence(random, scope, place, 0, 2),
];

const guard = (random: Random, scope: Scope): string =>
  random.weighted<string>([
    [6, () => condition(random, scope)],
    [scope.channels.length > 0 ? 4 : 0, () => communication(random, scope)],
    [scope.features.timeout ? 1 : 0, () => "timeout"],
    [1, () => assignment(random, scope)],
  ]);

const startsWithChannel = ([first]: readonly Statement[]): boolean =>
  first?.kind === "line" && /^\w+(\[.*?\])?[!?]/.test(first.text);

export function sequence(random: Random, scope: Scope, place: Place, low: number, high: number): Statement[] {
  const statements = random.list(low, high, () => statement(random, scope, place));
  // For Spin, leaving a loop directly into a `d_step` is a jump into it.
  return statements.flatMap((made, index) =>
    isDStep(made) && index > 0 && statements[index - 1]!.kind !== "line" ? [line("skip"), made] : [made],
  );
}

const isDStep = (made: Statement): boolean => made.kind === "block" && made.head === "d_step";

const atomic = (random: Random, scope: Scope, place: Place): Statement => ({
  kind: "block",
  head: "atomic",
  body: sequence(random, scope, { ...place, inAtomic: true }, 1, 3),
});

/** Runs to its end once its guard is true: blocking inside stops pan. Has no remote references. */
function dStep(random: Random, outer: Scope): Statement {
  const scope: Scope = { ...outer, features: { ...outer.features, remote: false } };
  const step = (): Statement =>
    random.weighted<Statement>([
      [4, () => line(assignment(random, scope))],
      [
        2,
        () => ({
          kind: "choice",
          keyword: "if",
          options: [
            ...random.list(1, 2, () => [line(condition(random, scope, 0)), line(assignment(random, scope))]),
            [line("else")],
          ],
        }),
      ],
      [scope.features.counting ? 1 : 0, () => counting(random, scope, true)],
    ]);
  const first = random.chance(40) ? [line(condition(random, scope))] : [];
  return { kind: "block", head: "d_step", body: [...first, ...random.list(1, 3, step)] };
}

const unless = (random: Random, scope: Scope, place: Place): Statement => ({
  kind: "unless",
  main: sequence(random, scope, { ...place, inLoop: false }, 1, 3),
  escape: [line(guard(random, scope)), ...sequence(random, scope, { ...place, inLoop: false }, 0, 1)],
});

/** A block with a local variable. */
function localBlock(random: Random, scope: Scope, place: Place): Statement {
  const inner: Scope = { ...scope, variables: [...scope.variables, { name: "nested", type: "byte" }] };
  const declaration = line(random.chance(50) ? "byte nested" : `byte nested = ${random.below(3)}`);
  return {
    kind: "block",
    head: "",
    body: [declaration, ...sequence(random, inner, { ...place, depth: 0 }, 1, 3)],
  };
}

function counting(random: Random, scope: Scope, mayNest: boolean): Statement {
  const { counter } = scope;
  const array = scope.variables.find(
    (variable) => variable.length !== undefined && !variable.suffix && !variable.name.includes("."),
  );
  const body = [line(assignment(random, scope))];
  return random.weighted<Statement>([
    [2, () => line(`select (${counter} : ${random.below(2)} .. ${random.between(2, 3)})`)],
    [
      mayNest ? 1 : 0,
      () => ({ kind: "block", head: `for (${counter} : 0 .. ${random.between(1, 2)})`, body }),
    ],
    [mayNest && array ? 1 : 0, () => ({ kind: "block", head: `for (${counter} in ${array!.name})`, body })],
  ]);
}

/** Inside loops, creates processes only while there are few, so that the state space stays finite. */
function creation(random: Random, scope: Scope, place: Place): Statement {
  const template = random.pick(scope.runnable);
  const run = `run ${template.name}(${argumentsOf(random, scope, template)})`;
  const priority = scope.features.priorities && random.chance(50) ? ` priority ${random.between(1, 4)}` : "";
  const create = random.chance(30) ? `${writeVariable(random, scope)} = ${run}${priority}` : run + priority;
  if (place.depth === bodyPlace.depth && !scope.features.jumps && random.chance(70)) return line(create);
  return { kind: "choice", keyword: "if", options: [[line("(_nr_pr < 4)"), line(create)], [line("else")]] };
}

const argumentsOf = (random: Random, scope: Scope, template: Template): string =>
  // Spin accepts only constants for parameters of type mtype.
  template.parameters
    .map(({ type }) => (type === "mtype" ? random.pick(mtypeNames) : sentValue(random, scope, type)))
    .join(", ");
