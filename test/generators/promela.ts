/**
 * Random small Promela programs over the whole language, for comparison with Spin.
 *
 * Deterministic in the seed. Each program uses a random subset of the constructs (`Features`), so that rare
 * combinations occur; sizes are chosen for mostly ten to some thousands of states.
 *
 * Read `promela-statements.ts` next, then `promela-expressions.ts`. Not here: minimisation (`minimise.ts`, over the
 * trees of `promela-tree.ts`).
 */
import { condition } from "./promela-expressions.js";
import type { Channel, Features, FieldType, Scope, Template, Variable } from "./promela-scope.js";
import { mtypeNames } from "./promela-scope.js";
import { bodyPlace, payloadChannels, sequence } from "./promela-statements.js";
import { type Program, type Proctype, type Statement, line } from "./promela-tree.js";
import { Random } from "./random.js";

export function generateProgram(seed: number): Program {
  const random = new Random(seed);
  const features = drawFeatures(random);
  const globals = declareGlobals(random, features);
  const proctypes: Proctype[] = [];
  const runnable: Template[] = [];
  const singletons: Template[] = [];

  if (features.dynamic)
    for (let i = 0; i < random.between(1, 2); i++) {
      const scope = { ...globals.scope, features: { ...features, enabled: false } };
      const made = makeProctype(random, scope, { name: `child${i}`, isActive: false });
      proctypes.push(made.proctype);
      runnable.push(made.template);
    }
  const actives = random.weighted<number>([
    [3, () => 1],
    [6, () => 2],
    [5, () => 3],
    [1, () => 4],
  ]);
  for (let i = 0; i < actives; i++) {
    // Two processes that test each other with `enabled` cause an infinite recursion in pan.
    const own = { ...features, enabled: features.enabled && i === actives - 1 };
    const scope = { ...globals.scope, features: own, runnable, singletons: [...singletons] };
    const isInit = i === actives - 1 && random.chance(30);
    const made = makeProctype(random, scope, { name: `main${i}`, isActive: true, isInit });
    proctypes.push(made.proctype);
    if (!isInit && !made.proctype.head.includes("[2]")) singletons.push(made.template);
  }
  return { globals: globals.lines, proctypes };
}

/** Whether some `atomic` sequence has a choice. pan then counts paths through it, not edges between states. */
export function choosesInAtomic(program: Program): boolean {
  const choosesIn = (statements: readonly Statement[], inAtomic: boolean): boolean =>
    statements.some((statement) => {
      switch (statement.kind) {
        case "line":
          return inAtomic && /^select|^advance|[!?]/.test(statement.text);
        case "block":
          if (statement.head === "d_step") return false;
          return choosesIn(statement.body, inAtomic || statement.head === "atomic");
        case "choice":
          return (
            (inAtomic && statement.options.length > 1) ||
            statement.options.some((body) => choosesIn(body, inAtomic))
          );
        case "unless":
          return inAtomic || choosesIn(statement.main, false) || choosesIn(statement.escape, false);
      }
    });
  return program.proctypes.some(({ body }) => choosesIn(body, false));
}

function drawFeatures(random: Random): Features {
  const often = (): boolean => random.chance(45);
  const seldom = (): boolean => random.chance(12);
  const priorities = random.chance(8);
  const enabled = !priorities && seldom();
  return {
    arrays: often(),
    records: random.chance(30),
    mtypes: often(),
    // Spin refuses to combine rendezvous with either.
    rendezvous: !priorities && !enabled && often(),
    sortedSends: often(),
    channelsOfChannels: random.chance(25),
    atomic: often(),
    dStep: often(),
    unless: random.chance(30),
    timeout: random.chance(35),
    dynamic: often(),
    provided: seldom(),
    priorities,
    remote: random.chance(30),
    enabled,
    hidden: random.chance(20),
    inlines: random.chance(25),
    macros: random.chance(25),
    counting: often(),
    jumps: often(),
    overflow: random.chance(22),
    wildIndex: random.chance(6),
    elseWithChannels: seldom(),
    lenient: random.chance(55),
  };
}

// ---- declarations --------------------------------------------------------------------------------

function declareGlobals(random: Random, features: Features): { lines: string[]; scope: Scope } {
  const lines: string[] = [];
  const variables: Variable[] = [];
  const add = (text: string, ...declared: Variable[]): void => {
    lines.push(text);
    variables.push(...declared);
  };

  if (features.macros) lines.push("#define MAXIMUM(a, b) ((a) > (b) -> (a) : (b))");
  if (features.mtypes) lines.push(`mtype = { ${mtypeNames.join(", ")} };`);
  if (features.inlines)
    lines.push("inline advance(v, n) { v = (v + n) % 4; if :: v > 2 -> v = 0 :: else fi }");
  for (let i = 0; i < random.between(1, 2); i++) add(...numericVariable(random, `g${i}`));
  if (features.arrays) add("byte list[2];", { name: "list", type: "byte", length: 2 });
  if (features.records)
    add(
      "typedef Inner { bit flag; short deep[2] };\ntypedef Record { byte first; Inner inner };\nRecord record;",
      { name: "record", type: "byte", suffix: ".first" },
      { name: "record.inner.deep", type: "short", length: 2 },
      { name: "record", type: "bit", suffix: ".inner.flag" },
    );
  if (features.mtypes) lines.push("mtype colour;");
  if (features.mtypes && random.chance(30))
    lines.push("mtype:fruit = { apple, pear };\nmtype:fruit basket = pear;");
  if (features.hidden) lines.push("hidden byte scratch;");
  const channels = declareChannels(random, features, lines);
  return {
    lines,
    scope: {
      features,
      variables,
      mtypeVariables: features.mtypes ? ["colour"] : [],
      hiddenVariables: features.hidden ? ["scratch"] : [],
      channels,
      channelVariable: undefined,
      runnable: [],
      singletons: [],
      targets: [],
      counter: "i",
    },
  };
}

function numericVariable(random: Random, name: string): [text: string, variable: Variable] {
  const type = random.pick(["byte", "byte", "bit", "bool", "short", "int", "unsigned"]);
  const prefix = random.chance(5) ? random.pick(["show ", "local "]) : "";
  const start = random.chance(30) ? ` = ${random.below(2)}` : "";
  const text =
    type === "unsigned"
      ? `unsigned ${name} : ${random.between(1, 4)}${start};`
      : `${prefix}${type} ${name}${start};`;
  return [text, { name, type }];
}

function declareChannels(random: Random, features: Features, lines: string[]): Channel[] {
  const channels: Channel[] = [];
  const declare = (name: string, capacity: number, fields: FieldType[], length?: number): void => {
    const size = length === undefined ? "" : `[${length}]`;
    lines.push(`chan ${name}${size} = [${capacity}] of { ${fields.join(", ")} };`);
    if (length === undefined) channels.push({ name, capacity, fields });
    else for (let i = 0; i < length; i++) channels.push({ name: `${name}[${i}]`, capacity, fields });
  };
  const field = (): FieldType =>
    random.pick(["byte", "byte", "bool", "short", features.mtypes ? "mtype" : "byte"]);

  if (random.chance(70)) declare("buffer", random.between(1, 2), random.list(1, 2, field));
  if (features.rendezvous) declare("meet", 0, random.list(1, 2, field));
  if (features.channelsOfChannels) {
    const least = features.rendezvous ? 0 : 1;
    declare("payload", random.between(least, 1), ["byte"]);
    declare("carrier", random.between(least, 1), random.chance(50) ? ["chan"] : ["byte", "chan"]);
  }
  if (features.arrays && random.chance(40)) declare("lines", 1, ["byte"], 2);
  return channels;
}

// ---- proctypes -----------------------------------------------------------------------------------

interface ProctypeRequest {
  readonly name: string;
  readonly isActive: boolean;
  readonly isInit?: boolean;
}

function makeProctype(
  random: Random,
  globals: Scope,
  request: ProctypeRequest,
): { proctype: Proctype; template: Template } {
  const { features } = globals;
  const parameters = request.isActive ? [] : drawParameters(random, globals);
  const locals: string[] = features.counting ? ["byte i"] : [];
  const variables = [...globals.variables];
  for (const { name, type } of parameters) if (type === "byte") variables.push({ name, type });
  const local = random.chance(50) ? "own" : undefined;
  if (local) {
    locals.push(
      random.chance(30) && parameters.some(({ type }) => type === "byte") ? "byte own = given0" : "byte own",
    );
    variables.push({ name: local, type: "byte" });
  }
  const channels = [...globals.channels];
  for (const { name, type } of parameters)
    if (type === "chan") channels.push({ name, capacity: 1, fields: ["byte"] });
  if (!request.isActive && random.chance(25)) {
    locals.push("chan inside = [1] of { byte }");
    channels.push({ name: "inside", capacity: 1, fields: ["byte"] });
  }
  // Spin refuses two proctypes that claim the same end of a channel.
  const claim = new Map([
    ["main0", "xr buffer"],
    ["main1", "xs buffer"],
  ]).get(request.name);
  if (
    claim &&
    !features.elseWithChannels &&
    random.chance(5) &&
    globals.channels.some(({ name }) => name === "buffer")
  )
    locals.push(claim);
  const carries =
    channels.some(({ fields }) => fields.includes("chan")) && payloadChannels(globals).length > 0;
  if (carries) locals.push("chan passed");

  const targets = features.jumps || features.remote ? ["there"] : [];
  const scope: Scope = {
    ...globals,
    variables,
    channels,
    targets,
    channelVariable: carries ? "passed" : undefined,
  };
  const body = labelled(
    random,
    sequence(random, scope, bodyPlace, request.isActive ? 2 : 1, request.isActive ? 5 : 3),
    targets,
  );
  return {
    proctype: { head: head(random, scope, request, parameters), locals, body },
    template: { name: request.name, parameters, labels: targets, local },
  };
}

/** Parameters of types for which arguments always exist. */
function drawParameters(random: Random, globals: Scope): Template["parameters"] {
  const types: FieldType[] = ["byte"];
  if (globals.features.mtypes) types.push("mtype");
  if (payloadChannels(globals).some(({ capacity }) => capacity > 0)) types.push("chan");
  return random.list(0, 2, (index) => ({ name: `given${index}`, type: random.pick(types) }));
}

function head(
  random: Random,
  scope: Scope,
  request: ProctypeRequest,
  parameters: Template["parameters"],
): string {
  const declared = parameters.map(({ name, type }) => `${type} ${name}`).join("; ");
  const active = request.isActive ? (random.chance(12) ? "active [2] " : "active ") : "";
  const priority = scope.features.priorities ? ` priority ${random.between(1, 4)}` : "";
  if (request.isInit) return `init${priority}`;
  const globalScope: Scope = {
    ...scope,
    features: { ...scope.features, remote: false },
    variables: scope.variables.filter(({ name }) => !/^(own|given\d)$/.test(name)),
    channels: [],
  };
  const provided =
    scope.features.provided && random.chance(50) ? ` provided (${condition(random, globalScope, 0)})` : "";
  return `${active}proctype ${request.name}(${declared})${priority}${provided}`;
}

/** Adds the labels of `goto` and remote references to statements of the body, and an occasional end label. */
function labelled(random: Random, body: readonly Statement[], targets: readonly string[]): Statement[] {
  const result = [...body];
  for (const target of targets) relabel(target);
  if (random.chance(40)) relabel(random.pick(["end_here", "end_here", "progress_here", "accept_here"]));
  return result;

  function relabel(label: string): void {
    const index = random.below(result.length);
    const statement = result[index]!;
    if (takesLabel(statement))
      result[index] = { ...statement, label: statement.label ? `${statement.label}: ${label}` : label };
    else result.splice(index, 0, { ...line("assert(true)"), label });
  }
}

/**
 * Spin refuses a label on a jump to itself (an infinite loop without a step), on a `d_step` (which cannot be jumped
 * into) and before a sequence with an `unless`; pan refuses a loop of only `skip`.
 */
function takesLabel(statement: Statement): boolean {
  if (statement.kind === "line") return !/^(goto|skip|true|\(1\))/.test(statement.text);
  if (statement.kind === "block") return statement.head !== "d_step" && takesLabel(statement.body[0]!);
  return statement.kind === "choice";
}
