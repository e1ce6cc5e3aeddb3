/**
 * Carries out `refactorby`: splits a server into one process for each group of options, with a lock for each group.
 *
 * The server keeps `e_k?lock; e_k?release` for each channel `k` of the keys, a process `S_k` takes the segments of the group, and clients
 * take the lock before each message that opens a segment. One lock for all groups would leave the locks of other groups open in each
 * composition (`docs/languages/promela.md`).
 *
 * In: the tree before sets and queues are replaced. Conditions are in `conditions.ts`.
 */
import type { Sources, Span } from "../../../model/diagnostic.js";
import { entryOf, lastOf } from "../../../model/known.js";
import type { Report } from "../../toolkit/diagnostics.js";
import type {
  ChoiceStatement,
  Declaration,
  LabelledStatement,
  Name,
  ProctypeUnit,
  SendStatement,
  Sequence,
  Statement,
  Unit,
} from "../ast.js";
import { conditionsOf, opens, type Server } from "./conditions.js";
import { isNode, mapped, type Node } from "./nodes.js";

export function refactored(units: readonly Unit[], sources: Sources, report: Report): readonly Unit[] {
  let made = units;
  for (const unit of units) {
    if (unit.kind !== "proctype" && unit.kind !== "init") continue;
    const server = conditionsOf(unit, units, report);
    if (server) made = new Split(server, made, sources).units();
  }
  return made;
}

/** Names of the processes that a server was split into, by its keys. */
class Split {
  readonly #names: Set<string>;
  readonly #texts: string[] = [];
  readonly #file: string;
  readonly #locks = new Map<string, string>();
  readonly #lock: string;
  readonly #release: string;

  constructor(
    readonly server: Server,
    readonly all: readonly Unit[],
    readonly sources: Sources,
  ) {
    this.#names = namesIn(all);
    this.#file = `refactorby of ${server.unit.name.text}`;
    this.#lock = this.#fresh("lock");
    this.#release = this.#fresh("release");
    for (const key of server.groups.keys()) this.#locks.set(key, this.#fresh(`e_${key}`));
  }

  units(): readonly Unit[] {
    const { unit, client } = this.server;
    const split = this.all.flatMap((each): readonly Unit[] => {
      if (each === unit) return [...this.#declarations(), this.#core(), ...this.#servers()];
      return each === unit || each.kind !== "proctype" || !client.has(each) ? [each] : [this.#locking(each)];
    });
    this.sources.add(this.#file, this.#texts.join("\n"));
    return split;
  }

  #fresh(wanted: string): string {
    let name = wanted;
    while (this.#names.has(name)) name += "_";
    this.#names.add(name);
    return name;
  }

  /** Position of text that the user did not write. */
  #span(text: string): Span {
    const start = this.#texts.reduce((sum, each) => sum + each.length + 1, 0);
    this.#texts.push(text);
    return { file: this.#file, start, end: start + text.length };
  }

  #declarations(): Unit[] {
    const type = this.#fresh("locking");
    const span = this.#span(`mtype:${type} = { ${this.#lock}, ${this.#release} }`);
    const subtype = named(type, span);
    const names = [named(this.#lock, span), named(this.#release, span)];
    const channels = [...this.#locks.values()].map((lock): Declaration => {
      const at = this.#span(`chan ${lock} = [0] of { mtype:${type} }`);
      const field = { kind: "basicType", span: at, name: "mtype", subtype: named(type, at) } as const;
      const capacity = { kind: "number", span: at, value: 0, form: "decimal" } as const;
      const initializer = { kind: "channel", span: at, capacity, fields: [field] } as const;
      return {
        kind: "declaration",
        span: at,
        type: { kind: "basicType", span: at, name: "chan" },
        variables: [{ kind: "declarator", span: at, name: named(lock, at), initializer }],
      };
    });
    return [{ kind: "mtypeDeclaration", span, subtype, names }, ...channels];
  }

  /** `e?lock`, `e!release`, … */
  #step(kind: "send" | "receive", lock: string, message: string): Statement {
    const span = this.#span(`${lock}${kind === "send" ? "!" : "?"}${message}`);
    const channel = { kind: "variable", span, name: named(lock, span), fields: [] } as const;
    const value = { kind: "mtypeConstant", span, name: message } as const;
    if (kind === "send") return { kind, span, channel, sorted: false, arguments: [value] };
    return { kind, span, channel, random: false, peek: false, arguments: [{ kind: "match", span, value }] };
  }

  /** The server without its segments. Holding the lock is a valid end: the process of the group decides. */
  #core(): Unit {
    const { unit, loop, declarations, others, isOwn } = this.server;
    const options = [...this.#locks.values()].map((lock): Sequence => {
      const taking = this.#step("receive", lock, this.#lock);
      const releasing = this.#step("receive", lock, this.#release);
      return sequence(taking.span, [taking, this.#ending(releasing)]);
    });
    const { refactors: _, ...plain } = loop;
    const choice: ChoiceStatement = { ...plain, options: [...options, ...others] };
    const labelled = replaced(unit.body.steps, loop, choice);
    const kept = declarations.filter((each) => isOwn(each) === undefined);
    return {
      ...unit,
      body: { ...unit.body, steps: [...kept, ...labelled.filter(({ kind }) => kind !== "declaration")] },
    };
  }

  #servers(): Unit[] {
    const { unit, groups, declarations, isOwn, loop } = this.server;
    return [...groups].map(([key, options]): ProctypeUnit => {
      const lock = entryOf(this.#locks, key);
      const segments = options.map((option) => ({
        ...option,
        steps: [...option.steps, this.#step("send", lock, this.#release)],
      }));
      const choice: Statement = { kind: "do", span: loop.span, options: segments };
      const name = named(this.#fresh(`${unit.name.text}_${key}`), unit.name.span);
      const steps = [...declarations.filter((each) => isOwn(each) === key), this.#ending(choice)];
      const { priority: _p, provided: _q, ...rest } = unit;
      return { ...rest, name, body: { ...unit.body, steps } };
    });
  }

  #ending(statement: Statement): LabelledStatement {
    const { span } = statement;
    return { kind: "labelled", span, labels: [named(this.#fresh("end_locked"), span)], statement };
  }

  #locking(client: ProctypeUnit): ProctypeUnit {
    const replace = (node: Node): readonly Node[] => {
      if (node.kind !== "send") return [mapped(node, replace, isPlace)];
      const send = node as unknown as SendStatement;
      const group = this.server.groups.get(send.channel.name.text);
      // sound: test/languages/promela/refactor.test.ts
      if (!group || opens(send, group) !== "yes") return [node];
      const lock = entryOf(this.#locks, send.channel.name.text);
      return [this.#step("send", lock, this.#lock) as unknown as Node, node];
    };
    return mapped(client as unknown as Node, replace, isPlace) as unknown as ProctypeUnit;
  }
}

const isPlace = (_: Node, key: string): boolean =>
  key === "span" || key === "expandedFrom" || key === "inline";

const named = (text: string, span: Span): Name => ({ kind: "name", text, span });

const sequence = (span: Span, steps: readonly Statement[]): Sequence => ({ kind: "sequence", span, steps });

/** The loop may have labels. */
function replaced(steps: readonly Statement[], loop: ChoiceStatement, by: ChoiceStatement): Statement[] {
  return steps.map((step): Statement => {
    if (step === loop) return by;
    return step.kind === "labelled" && step.statement
      ? { ...step, statement: lastOf(replaced([step.statement], loop, by)) }
      : step;
  });
}

function namesIn(units: readonly Unit[]): Set<string> {
  const found = new Set<string>();
  const pending: unknown[] = [...units];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isNode(node) && "text" in node) found.add(String(node.text));
    if (typeof node === "object" && node !== null) pending.push(...Object.values(node));
  }
  return found;
}
