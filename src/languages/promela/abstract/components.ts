/**
 * A model as components that meet in pairs, as in CCS: each process alone, with a partner for every message of its channels.
 *
 * In: a checked model with the remark `everypath: components`. Out: a program for each process, whose handshakes with the partner are the
 * actions of the component. A construct whose meaning depends on more than messages is refused.
 */
import type { Diagnostic, Sources, Span } from "../../../model/diagnostic.js";
import type { Program, Rules } from "../../../model/program.js";
import type { Report } from "../../toolkit/diagnostics.js";
import type {
  ChoiceStatement,
  Declaration,
  Expression,
  Name,
  PromelaModel,
  ProctypeUnit,
  SendStatement,
  ReceiveStatement,
  Statement,
  Unit,
  VariableReference,
} from "../ast.js";
import { checkPromela, type ModelInfo, type ValueType, type VariableSymbol } from "../check.js";
import { lowerPromela } from "../lower/lower.js";
import { isNode, type Node } from "./nodes.js";

export interface ComponentProgram {
  readonly name: string;
  readonly program: Program;
  /** Name of the partner's processes. */
  readonly partner: string;
}

export interface ComponentPrograms {
  readonly components: readonly ComponentProgram[];
  /** `c!` and `c?` for channels that some component uses in this direction. */
  readonly sides: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

const MOST_MESSAGES = 1000;

/** The model is checked, and has no errors. */
export function componentPrograms(
  model: PromelaModel,
  info: ModelInfo,
  rules: Rules,
  sources: Sources,
): ComponentPrograms {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (each) => void diagnostics.push(each);
  const channels = channelsOf(info, report);
  refuseOthers(model, info, report);
  const instances = instancesOf(model, report);
  if (diagnostics.length > 0) return { components: [], sides: new Set(), diagnostics };
  const kept = model.units.filter(
    ({ kind }) => kind === "mtypeDeclaration" || kind === "typedef" || kind === "declaration",
  );
  const partner = "partner";
  const names = new Map<string, number>();
  const components = instances.flatMap(({ unit, values }): ComponentProgram[] => {
    const units = [...kept, alone(unit, values), ...partnerOf(unit, channels, partner)];
    const own = { ...model, units };
    const checked = checkPromela(own);
    const { program, diagnostics: found } = lowerPromela(own, checked.info, {
      rules,
      invariants: [],
      formulas: [],
      sources,
    });
    diagnostics.push(...[...checked.diagnostics, ...found].filter(({ severity }) => severity === "error"));
    const count = (names.get(unit.name.text) ?? 0) + 1;
    names.set(unit.name.text, count);
    const name = count === 1 ? unit.name.text : `${unit.name.text} (${count})`;
    return program ? [{ name, program, partner }] : [];
  });
  return { components, sides: sidesOf(instances), diagnostics };
}

const refusal = (message: string, span: Span, hint?: string): Diagnostic => ({
  code: "promela/no-component",
  severity: "error",
  message: `components: ${message}`,
  span,
  ...(hint === undefined ? {} : { hint }),
});

/** The messages of each global channel. */
function channelsOf(info: ModelInfo, report: Report): ReadonlyMap<string, Channel> {
  const found = new Map<string, Channel>();
  for (const symbol of info.globals) {
    const { span } = symbol.declarator;
    const { channel, name } = symbol;
    if (!channel) {
      report(
        refusal(
          `\`${name}\` is a global variable, which processes share without messages`,
          span,
          "give it a process with messages that set and show it",
        ),
      );
      continue;
    }
    if (channel.capacity > 0)
      report(
        refusal(
          `\`${name}\` has a buffer`,
          span,
          "write a process for the buffer between two channels of capacity 0",
        ),
      );
    const messages = messagesOf(channel.fields, info);
    if (messages === undefined)
      report(
        refusal(
          `\`${name}\` has more than ${MOST_MESSAGES} messages`,
          span,
          "use bits, enumerations and mtypes",
        ),
      );
    else found.set(name, { symbol, messages });
  }
  return found;
}

interface Channel {
  readonly symbol: VariableSymbol;
  readonly messages: readonly (readonly Value[])[];
}

/** A number, or the name of a constant. */
type Value = number | string;

function messagesOf(fields: readonly ValueType[], info: ModelInfo): (readonly Value[])[] | undefined {
  let messages: (readonly Value[])[] = [[]];
  for (const field of fields) {
    const values = valuesOf(field, info);
    if (values.length * messages.length > MOST_MESSAGES) return undefined;
    messages = messages.flatMap((message) => values.map((value) => [...message, value]));
  }
  return messages;
}

function valuesOf(type: ValueType, info: ModelInfo): Value[] {
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  switch (type.kind) {
    case "bit":
    case "bool":
      return upTo(2);
    case "byte":
      return upTo(256);
    case "mtype":
      return [...info.mtypes.values()]
        .filter(({ subtype }) => subtype === type.subtype)
        .map(({ name }) => name);
    case "pid":
    case "short":
    case "int":
    case "unsigned":
    case "chan":
    case "record":
      return upTo(MOST_MESSAGES + 1);
  }
}

const sidesOf = (instances: readonly Instance[]): Set<string> =>
  new Set(
    instances.flatMap(({ unit }) =>
      [...below(unit.body)].flatMap((node) =>
        node.kind === "send" || node.kind === "receive"
          ? [`${(node as unknown as SendStatement).channel.name.text}${node.kind === "send" ? "!" : "?"}`]
          : [],
      ),
    ),
  );

interface Instance {
  readonly unit: ProctypeUnit;
  readonly values: readonly Expression[];
}

/** Active processes, those that `init` runs, or else each process once. */
function instancesOf({ units, span }: PromelaModel, report: Report): Instance[] {
  const proctypes = units.filter((unit): unit is ProctypeUnit => unit.kind === "proctype");
  const active = proctypes.flatMap((unit): Instance[] => {
    const count = unit.active?.count;
    const times = unit.active ? (count?.kind === "number" ? count.value : count ? 0 : 1) : 0;
    if (count && count.kind !== "number") report(refusal("the number of processes is no number", count.span));
    return Array.from({ length: times }, () => ({ unit, values: [] }));
  });
  const run: Instance[] = [];
  const start = (statement: Statement): void => {
    if (statement.kind === "atomic" || statement.kind === "dStep" || statement.kind === "block")
      return statement.body.steps.forEach(start);
    const expression = statement.kind === "expression" ? statement.expression : undefined;
    const unit =
      expression?.kind === "run"
        ? proctypes.find(({ name }) => name.text === expression.proctype.text)
        : undefined;
    const values = expression?.kind === "run" ? expression.arguments : [];
    if (unit && values.every(({ kind }) => kind === "number" || kind === "mtypeConstant"))
      run.push({ unit, values });
    else report(refusal("`init` runs processes with constant arguments, and nothing else", statement.span));
  };
  for (const unit of units) if (unit.kind === "init") unit.body.steps.forEach(start);
  const found = [...active, ...run];
  if (found.length > 0 || units.some(({ kind }) => kind === "init")) return found;
  if (proctypes.length === 0) report(refusal("there are no processes", span));
  for (const { parameters, name } of proctypes)
    if (parameters.length > 0) report(refusal(`nothing runs \`${name.text}\``, name.span));
  return proctypes.map((unit) => ({ unit, values: [] }));
}

/** Refuses all that depends on more than the messages of a process. */
// sound: test/languages/promela/components.test.ts
function refuseOthers(model: PromelaModel, info: ModelInfo, report: Report): void {
  const refuse = (node: Node, why: string): void =>
    report(refusal(why, (node as unknown as { span: Span }).span));
  const isGlobal = (reference: VariableReference): boolean => {
    const symbol = info.variables.get(reference);
    return symbol?.kind === "variable" && symbol.storage === "global";
  };
  const isMessage = (node: Node): node is SendStatement | ReceiveStatement =>
    (node.kind === "send" || node.kind === "receive") && isGlobal((node as unknown as SendStatement).channel);
  for (const unit of model.units) {
    if (["ltl", "never", "trace"].includes(unit.kind))
      refuse(unit, "claims about states have no meaning; ask about actions with --formula or --ltl");
    if (unit.kind !== "proctype") continue;
    if (unit.provided ?? unit.priority) refuse(unit, "`provided` and priorities depend on other processes");
    for (const { type, span } of unit.parameters)
      if (type.kind === "basicType" && type.name === "chan")
        refuse({ kind: "", span } as Node, "a channel as a parameter");
    const isDirect = new Set<unknown>();
    for (const node of below(unit.body)) {
      if (REFUSED.has(node.kind)) refuse(node, `\`${node.kind}\` depends on other processes`);
      if (
        node.kind === "variable" &&
        info.variables.get(node as unknown as VariableReference)?.kind === "predefined" &&
        (node as unknown as VariableReference).name.text !== "_"
      )
        refuse(node, "this depends on other processes");
      if (isMessage(node)) {
        isDirect.add(node.channel);
        if (node.kind === "receive" && (node.peek || node.random))
          refuse(node, "a rendezvous is received with `?`");
        if (node.kind === "send" && node.sorted) refuse(node, "a rendezvous is sent with `!`");
      } else if (
        node.kind === "variable" &&
        isGlobal(node as unknown as VariableReference) &&
        !isDirect.has(node)
      )
        refuse(node, "a channel is used by sends and receives alone");
      if (node.kind === "atomic" || node.kind === "dStep") {
        const [, ...rest] = (node as unknown as { body: { steps: Statement[] } }).body.steps;
        const late = rest.flatMap((step) => [...below(step)]).find(isMessage);
        if (late) refuse(late, "a message inside an atomic sequence, after its beginning");
      }
      if (node.kind === "if" || node.kind === "do") {
        const firsts = (node as unknown as ChoiceStatement).options.map(({ steps }) => firstOf(steps));
        if (firsts.some((each) => each?.kind === "else") && firsts.some((each) => each && isMessage(each)))
          refuse(node, "`else` beside a message depends on other processes");
      }
    }
  }
}

const REFUSED: ReadonlySet<string> = new Set(
  "timeout enabled pcValue getPriority setPriority nonProgress remoteLabel remoteVariable run unless exclusive".split(
    " ",
  ),
);

function firstOf(steps: readonly Statement[]): Statement | undefined {
  const step = steps.find(({ kind }) => kind !== "declaration");
  if (step?.kind === "labelled") return step.statement && firstOf([step.statement]);
  return step?.kind === "block" || step?.kind === "atomic" || step?.kind === "dStep"
    ? firstOf(step.body.steps)
    : step;
}

/** The process with its parameters as variables. */
function alone(unit: ProctypeUnit, values: readonly Expression[]): Unit {
  const { span } = unit.name;
  let at = 0;
  const parameters = unit.parameters.map((declaration): Declaration => ({
    ...declaration,
    variables: declaration.variables.map((variable) => {
      const value = values[at++] ?? number(0, span);
      return { ...variable, initializer: { kind: "value", span, value } };
    }),
  }));
  return {
    ...unit,
    active: { span },
    parameters: [],
    body: { ...unit.body, steps: [...parameters, ...unit.body.steps] },
  };
}

/** Sends and receives every message of the channels that the process uses. Its only state is a valid end. */
function partnerOf(unit: ProctypeUnit, channels: ReadonlyMap<string, Channel>, partner: string): Unit[] {
  const sends = new Set<string>();
  const receives = new Set<string>();
  for (const node of below(unit.body))
    if (node.kind === "send" || node.kind === "receive") {
      const { text } = (node as unknown as SendStatement).channel.name;
      (node.kind === "send" ? sends : receives).add(text);
    }
  const { span } = unit.name;
  const steps = [...channels].flatMap(([name, { symbol, messages }]): Statement[] => {
    const places =
      symbol.size === undefined
        ? [undefined]
        : Array.from({ length: symbol.size }, (_, i) => number(i, span));
    return places.flatMap((index): Statement[] => {
      const channel = (): VariableReference => ({
        ...reference(name, span),
        ...(index ? { index: { ...index } } : {}),
      });
      const taking: Statement = {
        kind: "receive",
        span,
        channel: channel(),
        random: false,
        peek: false,
        arguments: (messages[0] ?? []).map(() => ({ kind: "bind", span, variable: reference("_", span) })),
      };
      const giving = messages.map((message): Statement => ({
        kind: "send",
        span,
        channel: channel(),
        sorted: false,
        arguments: message.map((value) =>
          typeof value === "number" ? number(value, span) : { kind: "mtypeConstant", span, name: value },
        ),
      }));
      return [...(sends.has(name) ? [taking] : []), ...(receives.has(name) ? giving : [])];
    });
  });
  if (steps.length === 0) return [];
  const options = steps.map((step) => ({ kind: "sequence", span, steps: [step] }) as const);
  const loop: Statement = {
    kind: "labelled",
    span,
    labels: [named("end", span)],
    statement: { kind: "do", span, options },
  };
  return [
    {
      kind: "proctype",
      span,
      name: named(partner, span),
      deterministic: false,
      active: { span },
      parameters: [],
      body: { kind: "sequence", span, steps: [loop] },
    },
  ];
}

const named = (text: string, span: Span): Name => ({ kind: "name", text, span });
const number = (value: number, span: Span): Expression => ({ kind: "number", span, value, form: "decimal" });
const reference = (name: string, span: Span): VariableReference => ({
  kind: "variable",
  span,
  name: named(name, span),
  fields: [],
});

function* below(root: unknown): Iterable<Node> {
  if (Array.isArray(root)) for (const each of root) yield* below(each);
  else if (typeof root === "object" && root !== null) {
    if (isNode(root)) yield root;
    for (const [key, child] of Object.entries(root))
      if (typeof child === "object" && !["span", "expandedFrom", "inline", "refactors"].includes(key))
        yield* below(child);
  }
}
