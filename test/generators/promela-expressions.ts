/** Random Promela expressions as text, fully parenthesised; without division by zero or undefined shifts. */
import type { Random } from "./random.js";
import { type Channel, type Scope, type Variable, mtypeNames } from "./promela-scope.js";

/** A numeric expression. Depth 0 is a leaf. */
export function numeric(random: Random, scope: Scope, depth = 2): string {
  const leaf = (): string => numericLeaf(random, scope);
  if (depth === 0) return leaf();
  const operand = (): string => numeric(random, scope, depth - 1);
  return random.weighted<string>([
    [8, leaf],
    [3, () => `(${operand()} ${random.pick(["+", "-", "*", "&", "|", "^"])} ${operand()})`],
    [1, () => `(${operand()} ${random.pick(["/", "%"])} ${random.between(1, 3)})`],
    [1, () => `(${operand()} ${random.pick(["<<", ">>"])} ${random.below(3)})`],
    [1, () => `(${random.pick(["-", "~"])}${operand()})`],
    [1, () => `(${comparison(random, scope, 0)} -> ${operand()} : ${operand()})`],
    [scope.features.macros ? 1 : 0, () => `MAXIMUM(${operand()}, ${operand()})`],
  ]);
}

/** A numeric expression with few values, which keeps the state space small. */
export const small = (random: Random, scope: Scope): string =>
  random.weighted<string>([
    [5, () => String(random.below(4))],
    [3, () => `(${numeric(random, scope, 1)} & ${random.pick([1, 3])})`],
    [1, () => `(${readVariable(random, scope)} == ${random.below(3)})`],
  ]);

export function condition(random: Random, scope: Scope, depth = 1): string {
  const { features } = scope;
  const buffered = scope.channels.filter((channel) => channel.capacity > 0);
  const compare = (): string => comparison(random, scope, depth);
  const nested = (): string => condition(random, scope, depth - 1);
  return random.weighted<string>([
    [8, compare],
    [depth > 0 ? 2 : 0, () => `(${nested()} ${random.pick(["&&", "||"])} ${nested()})`],
    [depth > 0 ? 1 : 0, () => `(!${compare()})`],
    [buffered.length > 0 ? 2 : 0, () => channelCondition(random, scope, random.pick(buffered))],
    [
      scope.mtypeVariables.length > 0 ? 2 : 0,
      () => `(${random.pick(scope.mtypeVariables)} == ${random.pick(mtypeNames)})`,
    ],
    [features.remote && scope.singletons.length > 0 ? 3 : 0, () => remote(random, scope)],
    [
      features.priorities ? 1 : 0,
      () => `(get_priority(_pid) ${random.pick(["==", "<"])} ${random.between(1, 4)})`,
    ],
    [1, () => random.pick(["true", "(1)", "(_nr_pr < 3)", "(_pid == 0)"])],
  ]);
}

/** The only kind of condition that Promela accepts before the arrow of a conditional expression. */
const comparison = (random: Random, scope: Scope, depth: number): string =>
  `(${numeric(random, scope, depth)} ${random.pick(["==", "!=", "<", "<=", ">", ">="])} ${numeric(random, scope, 0)})`;

/**
 * Only as a single statement outside of indivisible sequences: next to other options pan gives wrong results for a
 * process at an `else`. A query about the process itself is an error.
 */
export function enabledOther(random: Random): string {
  const pid = random.below(3);
  return `(_pid != ${pid} && enabled(${pid}))`;
}

/** A variable to write to, with its index. */
export function writeVariable(random: Random, scope: Scope): string {
  return reference(random, scope, random.pick(scope.variables));
}

export function readVariable(random: Random, scope: Scope): string {
  return reference(random, scope, random.pick(scope.variables));
}

/** A poll or a predicate on a buffered channel. */
function channelCondition(random: Random, scope: Scope, channel: Channel): string {
  const poll = (): string =>
    `(${channel.name}${random.pick(["?", "??"])}[${channel.fields.map((type) => pattern(random, type)).join(",")}])`;
  return random.weighted<string>([
    [2, () => `${random.pick(["empty", "nempty", "full", "nfull"])}(${channel.name})`],
    [
      1,
      () => `(len(${channel.name}) ${random.pick(["<", "==", ">"])} ${random.below(channel.capacity + 1)})`,
    ],
    [channel.fields.includes("chan") ? 0 : 2, poll],
  ]);

  function pattern(source: Random, type: Channel["fields"][number]): string {
    return source.weighted<string>([
      [3, () => (type === "mtype" ? source.pick(mtypeNames) : String(source.below(type === "bool" ? 2 : 3)))],
      [1, () => "_"],
      [type === "byte" ? 1 : 0, () => `eval(${readVariable(source, scope)})`],
    ]);
  }
}

function numericLeaf(random: Random, scope: Scope): string {
  const buffered = scope.channels.filter((channel) => channel.capacity > 0);
  const local = scope.singletons.filter((template) => template.local !== undefined);
  return random.weighted<string>([
    [6, () => readVariable(random, scope)],
    [5, () => String(random.below(4))],
    [scope.features.overflow ? 1 : 0, () => random.pick(["255", "256", "(-1)", "32767", "65535", "1000"])],
    [1, () => random.pick(["_pid", "_nr_pr"])],
    [buffered.length > 0 ? 1 : 0, () => `len(${random.pick(buffered).name})`],
    [scope.features.remote && local.length > 0 ? 1 : 0, () => remoteVariable(random, scope)],
  ]);
}

function reference(random: Random, scope: Scope, variable: Variable): string {
  if (variable.length === undefined) return variable.name + (variable.suffix ?? "");
  return `${variable.name}[${index(random, scope, variable.length)}]${variable.suffix ?? ""}`;
}

/** Almost always within bounds: beyond them pan's behaviour is undefined. */
function index(random: Random, scope: Scope, length: number): string {
  const plain = scope.variables.filter(({ length, suffix, type }) => !length && !suffix && type === "byte");
  return random.weighted<string>([
    [4, () => String(random.below(length))],
    [plain.length > 0 ? 3 : 0, () => `${random.pick(plain).name} % ${length}`],
    [1, () => `_pid % ${length}`],
    [scope.features.wildIndex && plain.length > 0 ? 1 : 0, () => random.pick(plain).name],
  ]);
}

const remote = (random: Random, scope: Scope): string => {
  const template = random.pick(scope.singletons);
  if (template.labels.length === 0) return template.local ? `(${remoteVariable(random, scope)} > 0)` : "true";
  return `(${template.name}@${random.pick(template.labels)})`;
};

function remoteVariable(random: Random, scope: Scope): string {
  const withLocal = scope.singletons.filter((template) => template.local !== undefined);
  if (withLocal.length === 0) return "0";
  const template = random.pick(withLocal);
  return `${template.name}:${template.local}`;
}
