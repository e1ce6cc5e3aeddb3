/**
 * Conditions under which `refactorby` keeps the behaviour, each reported by its name: a refactoring that violates one is refused.
 *
 * 1 entry: a segment begins with an unconditional receive. 2 client: the channel of a group belongs to one client. 3 group: a segment
 * communicates with no other group. 4 variable: no variable is shared by groups. 5 alternative: the lock removes no alternative of the client.
 */
import type { Diagnostic, Span } from "../../../model/diagnostic.js";
import { nth } from "../../../model/known.js";
import type { Report } from "../../toolkit/diagnostics.js";
import type {
  ChoiceStatement,
  Declaration,
  InitUnit,
  ProctypeUnit,
  ReceiveStatement,
  SendStatement,
  Sequence,
  Statement,
  Unit,
} from "../ast.js";
import { isNode, type Node } from "./nodes.js";

/** A server that may be split. */
export interface Server {
  readonly unit: ProctypeUnit;
  readonly loop: ChoiceStatement;
  /** Options by the channel of their entry. */
  readonly groups: ReadonlyMap<string, readonly Sequence[]>;
  readonly others: readonly Sequence[];
  readonly declarations: readonly Declaration[];
  /** The group that a declaration belongs to; undefined: the server itself. */
  isOwn(declaration: Declaration): string | undefined;
  readonly client: ReadonlySet<ProctypeUnit>;
}

export type Condition = "entry" | "client" | "group" | "variable" | "alternative" | "form";

/** Undefined: there is no `refactorby`, or a condition is violated and was reported. */
export function conditionsOf(
  unit: ProctypeUnit | InitUnit,
  units: readonly Unit[],
  report: Report,
): Server | undefined {
  const loops = [...nodesIn(unit.body)].filter(isRefactored);
  const [loop] = loops;
  if (!loop) return undefined;
  const found: Diagnostic[] = [];
  const refuse: Refuse = (condition, message, span) => found.push(refusal(condition, message, span));
  const server = new Conditions(unit, loop, units, refuse).server(loops.length);
  found.forEach(report);
  return found.length === 0 ? server : undefined;
}

type Refuse = (condition: Condition, message: string, span: Span) => unknown;

const NUMBERS: Readonly<Record<Condition, string>> = {
  form: "form",
  entry: "condition 1, entry",
  client: "condition 2, client",
  group: "condition 3, group",
  variable: "condition 4, variable",
  alternative: "condition 5, alternative",
};

const refusal = (condition: Condition, message: string, span: Span): Diagnostic => ({
  code: "promela/refactoring",
  severity: "error",
  message: `refactorby (${NUMBERS[condition]}): ${message}`,
  span,
});

/** Does the message open a segment of the group? */
export function opens(send: SendStatement, group: readonly Sequence[]): "yes" | "no" | "maybe" {
  const answers = group.map(({ steps: [entry] }) => matches(send, entry as ReceiveStatement));
  return answers.includes("yes") ? "yes" : answers.includes("maybe") ? "maybe" : "no";
}

function matches(
  { arguments: sent }: SendStatement,
  { arguments: taken }: ReceiveStatement,
): "yes" | "no" | "maybe" {
  let answer: "yes" | "maybe" = "yes";
  for (const [i, pattern] of taken.entries()) {
    const value = sent[i];
    if (pattern.kind === "bind") continue;
    if (!value || !isConstant(value) || !isConstant(pattern.value)) answer = "maybe";
    else if (textOf(value) !== textOf(pattern.value)) return "no";
  }
  return answer;
}

const isConstant = ({ kind }: Node): boolean => kind === "number" || kind === "mtypeConstant";
const textOf = (value: object): string =>
  "name" in value ? String(value.name) : "value" in value ? String(value.value) : "";

class Conditions {
  readonly #keys: readonly string[];
  readonly #groups = new Map<string, Sequence[]>();
  readonly #others: readonly Sequence[];

  constructor(
    readonly unit: ProctypeUnit | InitUnit,
    readonly loop: ChoiceStatement,
    readonly units: readonly Unit[],
    readonly refuse: Refuse,
  ) {
    const [refactor] = loop.refactors ?? [];
    this.#keys = refactor?.keys.map(({ name }) => name.text) ?? [];
    const last = (refactor?.first ?? 0) + (refactor?.count ?? 0);
    this.#others = loop.options.filter((_, i) => i < (refactor?.first ?? 0) || i >= last);
    for (const key of this.#keys) this.#groups.set(key, []);
  }

  server(loops: number): Server | undefined {
    const { unit, loop } = this;
    this.#form(loops);
    if (unit.kind !== "proctype") return undefined;
    this.#entries();
    const client = this.#clients();
    this.#segments();
    const declarations = unit.body.steps.filter((step): step is Declaration => step.kind === "declaration");
    const owners = this.#owners(declarations);
    return {
      unit,
      loop,
      groups: this.#groups,
      others: this.#others,
      declarations,
      isOwn: (declaration) => owners.get(declaration),
      client,
    };
  }

  #form(loops: number): void {
    const { unit, loop, refuse } = this;
    const place = loop.refactors?.[0]?.span ?? loop.span;
    if (loops > 1 || (loop.refactors?.length ?? 0) > 1)
      refuse("form", "a process has one `refactorby`", place);
    if (unit.kind !== "proctype") return void refuse("form", "`init` cannot be split", place);
    if (loop.kind === "if") refuse("form", "it stands in a `do`, to which each option returns", place);
    const steps = unit.body.steps.filter(({ kind }) => kind !== "declaration");
    const [only] = steps;
    const inner = only?.kind === "labelled" ? only.statement : only;
    if (steps.length !== 1 || inner !== loop)
      refuse("form", `\`${unit.name.text}\` is declarations and this loop, and nothing else`, place);
    if (unit.parameters.length > 0 || unit.provided || unit.priority || instancesOf(unit, this.units) > 1)
      refuse(
        "form",
        `\`${unit.name.text}\` is one process without parameters, priority or \`provided\``,
        unit.name.span,
      );
    for (const key of loop.refactors?.[0]?.keys ?? [])
      if (key.index || key.fields.length > 0 || !isRendezvous(key.name.text, this.units))
        refuse("form", `\`${key.name.text}\` is no global channel of capacity 0`, key.span);
    for (const part of this.units)
      for (const node of part.kind === "declaration" ? [] : nodesIn(part))
        if (node.kind === "declarator" && this.#keys.includes(nameOf(node, "name") ?? ""))
          refuse("form", "the name of a key has another meaning here", spanOf(node));
    for (const part of this.units) {
      const numbered = [...nodesIn(part)].find((node) => dependsOnProcesses(node, unit.name.text));
      if (numbered)
        refuse("form", "processes are added, and this depends on their number or places", spanOf(numbered));
    }
  }

  /** sound: test/languages/promela/refactor.test.ts */
  #entries(): void {
    const { loop, refuse } = this;
    for (const [i, option] of loop.options.entries()) {
      if (this.#others.includes(option)) continue;
      const [entry] = option.steps;
      const span = entry?.span ?? nth(loop.options, i).span;
      if (entry?.kind !== "receive" || entry.random || entry.peek)
        refuse(
          "entry",
          "the option does not begin with a receive, so the server may refuse after the lock was granted",
          span,
        );
      else if (
        !this.#groups.has(entry.channel.name.text) ||
        entry.channel.index ||
        entry.channel.fields.length > 0
      )
        refuse("entry", `\`${entry.channel.name.text}\` is no key`, entry.channel.span);
      else if (entry.arguments.some((each) => each.kind === "match" && !isConstant(each.value)))
        refuse("entry", "what it receives depends on data", span);
      else this.#groups.get(entry.channel.name.text)?.push(option);
    }
    for (const [key, options] of this.#groups)
      if (options.length === 0)
        refuse(
          "entry",
          `no option begins with a receive from \`${key}\``,
          loop.refactors?.[0]?.span ?? loop.span,
        );
  }

  #clients(): Set<ProctypeUnit> {
    const { refuse, unit } = this;
    const found = new Set<ProctypeUnit>();
    for (const key of this.#keys) {
      const users = this.units.filter(
        (each) => each !== unit && each.kind !== "declaration" && uses(each, key),
      );
      const [client] = users;
      const where = (client && users[1]) ?? unit;
      // sound: test/languages/promela/refactor.test.ts
      if (!client || users.length > 1 || client.kind !== "proctype" || instancesOf(client, this.units) !== 1)
        refuse(
          "client",
          `\`${key}\` is not used by exactly one client`,
          "name" in where && where.name ? where.name.span : where.span,
        );
      else {
        found.add(client);
        this.#alternatives(client, key);
      }
      for (const part of this.units)
        for (const node of nodesIn(part))
          if (isAlias(node, key))
            refuse("client", `\`${key}\` is not used by sends and receives alone`, spanOf(node));
    }
    return found;
  }

  #alternatives(client: ProctypeUnit, key: string): void {
    const { refuse } = this;
    const group = this.#groups.get(key) ?? [];
    const isEntry = (node: Node): boolean =>
      isSend(node) && node.channel.name.text === key && opens(node, group) !== "no";
    for (const node of nodesIn(client)) {
      if (isSend(node) && node.channel.name.text === key && opens(node, group) === "maybe")
        refuse("alternative", "this may open a segment or not, so the lock may be taken in vain", node.span);
      // sound: test/languages/promela/refactor.test.ts
      if (["atomic", "dStep", "unless"].includes(node.kind)) {
        const inside = [...nodesIn(node)].find(isEntry);
        if (inside)
          refuse(
            "alternative",
            `the lock cannot be taken inside \`${node.kind === "dStep" ? "d_step" : node.kind}\``,
            spanOf(inside),
          );
      }
      if (node.kind === "if" || node.kind === "do") {
        const firsts = (node as ChoiceStatement).options.map(({ steps }) => first(steps));
        const entry = firsts.find((each) => each && isEntry(each));
        // sound: test/languages/promela/refactor.test.ts
        if (entry && firsts.some((each) => each?.kind === "else"))
          refuse("alternative", "beside `else`, the lock decides when the message is possible", entry.span);
      }
    }
  }

  /** sound: test/languages/promela/refactor.test.ts */
  #segments(): void {
    const { refuse } = this;
    for (const [key, options] of this.#groups)
      for (const { steps } of options)
        for (const node of steps.slice(1).flatMap((step) => [...nodesIn(step)])) {
          const channel = isSend(node) || isReceive(node) ? node.channel.name.text : undefined;
          if (channel !== undefined && channel !== key && this.#groups.has(channel))
            refuse(
              "group",
              `a segment of \`${key}\` communicates with the group of \`${channel}\``,
              spanOf(node),
            );
          if (
            isReceive(node) &&
            channel === key &&
            options.some(({ steps: [entry] }) => mayBeEntry(node, entry as ReceiveStatement))
          )
            refuse("group", "the segment receives a message that opens one", spanOf(node));
          if (node.kind === "goto" || (node.kind === "break" && !isInside(node, steps)))
            refuse("form", "a segment ends at the head of the loop", spanOf(node));
        }
    for (const option of this.#others)
      for (const node of nodesIn(option))
        if ((isSend(node) || isReceive(node)) && this.#groups.has(node.channel.name.text))
          refuse("group", `an option outside of the groups uses \`${node.channel.name.text}\``, spanOf(node));
  }

  #owners(declarations: readonly Declaration[]): Map<Declaration, string> {
    const owners = new Map<Declaration, string>();
    for (const declaration of declarations) {
      const names = declaration.variables.map(({ name }) => name.text);
      const using = [...this.#groups].filter(([, options]) =>
        options.some((option) => names.some((name) => uses(option, name))),
      );
      const isOfServer = this.#others.some((option) => names.some((name) => uses(option, name)));
      const isRead = declarations.some(
        (other) => other !== declaration && names.some((name) => uses(other, name)),
      );
      // sound: test/languages/promela/refactor.test.ts
      if (using.length + Number(isOfServer) + Number(isRead && using.length > 0) > 1)
        this.refuse(
          "variable",
          `\`${names.join("`, `")}\` is used by several groups or by the server itself`,
          declaration.span,
        );
      else if (using.length === 1) owners.set(declaration, nth(using, 0)[0]);
    }
    return owners;
  }
}

const isSend = (node: Node): node is SendStatement => node.kind === "send";
const isReceive = (node: Node): node is ReceiveStatement => node.kind === "receive";
const isRefactored = (node: Node): node is ChoiceStatement =>
  (node.kind === "if" || node.kind === "do") && (node as ChoiceStatement).refactors !== undefined;

function mayBeEntry(receive: ReceiveStatement, entry: ReceiveStatement): boolean {
  return entry.arguments.every((pattern, i) => {
    const own = receive.arguments[i];
    if (pattern.kind === "bind" || own?.kind !== "match") return true;
    return !isConstant(own.value) || textOf(own.value) === textOf(pattern.value);
  });
}

/** Belongs to a loop inside the segment. */
const isInside = (node: Node, steps: readonly Statement[]): boolean =>
  steps.some((step) =>
    [...nodesIn(step)].some((each) => each.kind === "do" && [...nodesIn(each)].includes(node)),
  );

function first(steps: readonly Statement[]): Statement | undefined {
  const step = steps.find(({ kind }) => kind !== "declaration");
  if (step?.kind === "labelled") return step.statement;
  return step?.kind === "block" ? first(step.body.steps) : step;
}

function isRendezvous(name: string, units: readonly Unit[]): boolean {
  const declared = units.flatMap((unit) => (unit.kind === "declaration" ? unit.variables : []));
  const initializer = declared.find((each) => each.name.text === name && !each.size)?.initializer;
  return (
    initializer?.kind === "channel" &&
    initializer.capacity.kind === "number" &&
    initializer.capacity.value === 0
  );
}

/** 1 also for a process that nothing starts. */
function instancesOf(unit: ProctypeUnit, units: readonly Unit[]): number {
  const runs = units
    .flatMap((each) => [...nodesIn(each)])
    .filter((node) => node.kind === "run" && nameOf(node, "proctype") === unit.name.text);
  const active = unit.active ? (unit.active.count ? Infinity : 1) : 0;
  const inLoop = units
    .flatMap((each) => [...nodesIn(each)])
    .some(
      (node) =>
        ["do", "forRange", "forIn", "select"].includes(node.kind) &&
        runs.some((run) => [...nodesIn(node)].includes(run)),
    );
  return inLoop ? Infinity : Math.max(1, active + runs.length);
}

const nameOf = (node: Node, key: string): string | undefined => {
  const name = (node as unknown as Record<string, unknown>)[key];
  return isNode(name) && "text" in name ? String(name.text) : undefined;
};

function uses(node: Node, name: string): boolean {
  for (const each of nodesIn(node))
    if (each.kind === "variable" && nameOf(each, "name") === name) return true;
  return false;
}

/** A use of a channel other than as the channel of a send or receive. */
function isAlias(node: Node, key: string): boolean {
  return Object.entries(node).some(([name, child]) => {
    if ((node.kind === "send" || node.kind === "receive") && name === "channel") return false;
    if (node.kind === "do" && name === "refactors") return false;
    const parts: unknown[] = Array.isArray(child) ? child : [child];
    return parts.some((part) => isNode(part) && part.kind === "variable" && nameOf(part, "name") === key);
  });
}

const PREDEFINED = new Set(["_pid", "_nr_pr", "_last", "_priority"]);

function dependsOnProcesses(node: Node, server: string): boolean {
  if (node.kind === "variable") return PREDEFINED.has(nameOf(node, "name") ?? "");
  if (node.kind === "remoteLabel" || node.kind === "remoteVariable")
    return nameOf(node, "proctype") === server;
  return ["timeout", "enabled", "pcValue", "getPriority", "setPriority", "nonProgress"].includes(node.kind);
}

const spanOf = (node: Node): Span => (node as unknown as { readonly span: Span }).span;

/** The node and all below it, without the keys of `refactorby`. */
function* nodesIn(root: unknown): Iterable<Node> {
  if (Array.isArray(root)) for (const each of root) yield* nodesIn(each);
  else if (typeof root === "object" && root !== null) {
    if (isNode(root)) yield root;
    for (const [key, child] of Object.entries(root))
      if (typeof child === "object" && !["span", "expandedFrom", "inline", "refactors"].includes(key))
        yield* nodesIn(child);
  }
}
