/**
 * Sets of configurations as certificates state them, and the effect of single statements. An open variable may have any
 * value, so nothing may depend on it; the amount `Infinity` means any number.
 *
 * Defines the semantics again from the program alone and shares nothing with the search that made the certificate.
 */
import {
  classAfter,
  type DomainEvent,
  type MessageEdge,
  type MessageProgram,
  type ProvenanceProof,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Undefined: open. */
export type Value = { readonly message: number; readonly class: number } | undefined;

/** Location of a principal or of one of its instances. */
export interface Runner {
  readonly principal: number;
  readonly location: number;
  readonly values: readonly Value[];
}

/** Principals present from the start, by number (undefined: spawned), and positive amounts of everything else, by text. */
export interface Configuration {
  readonly fixed: readonly (Runner | undefined)[];
  readonly pending: ReadonlyMap<string, number>;
  readonly instances: ReadonlyMap<string, number>;
}

/** The proof is not of the required form. */
export class Malformed extends Error {}

/** The proof leaves open a value on which a statement depends. */
export class TooOpen extends Error {}

export class Statements {
  readonly #program: MessageProgram;
  readonly #proof: ProvenanceProof;
  readonly #isOpen: ReadonlySet<string>;

  constructor(program: MessageProgram, proof: ProvenanceProof) {
    this.#program = program;
    this.#proof = proof;
    this.#isOpen = new Set(proof.open.map((place) => place.join(" ")));
  }

  isOpen(principal: number, location: number, variable: number): boolean {
    const { name, variables } = nth(this.#program.principals, principal);
    return this.#isOpen.has(`${name} ${location} ${nth(variables, variable)}`);
  }

  initial(): Configuration {
    const fixed = this.#program.principals.map(({ isSpawned }, principal) =>
      isSpawned ? undefined : this.newRunner(principal),
    );
    return { fixed, pending: new Map(), instances: new Map() };
  }

  newRunner(principal: number): Runner {
    const values = nth(this.#program.principals, principal).variables.map(() => ({ message: 0, class: 0 }));
    return this.#forgetful({ principal, location: 0, values });
  }

  /** The configurations after a statement, with the runner apart. */
  after(runner: Runner, edge: MessageEdge, rest: Configuration): { runner: Runner; rest: Configuration }[] {
    const { principal, values } = runner;
    const { action, to } = edge;
    const on = (changed: readonly Value[], left = rest): { runner: Runner; rest: Configuration }[] => [
      { runner: this.#forgetful({ principal, location: to, values: changed }), rest: left },
    ];
    const read = (variable: number): NonNullable<Value> => {
      const value = values[variable];
      if (!value) throw new TooOpen(`'${edge.text}' reads a variable that is left open`);
      return value;
    };
    switch (action.kind) {
      case "skip":
        return on(values);
      case "fresh":
        return on(values.with(action.target, { message: action.message, class: 0 }));
      case "apply": {
        const source = values[action.source];
        const { operation } = action;
        const event = { kind: "operation", operation, principal } as const;
        const image = source && {
          message: nth(action.image, source.message),
          class: operation < 0 ? source.class : this.#classAfter(event, source.class),
        };
        return on(values.with(action.target, image));
      }
      case "assume":
        return (read(action.variable).message === action.message) === action.isEqual ? on(values) : []; // sound: test/provenance/quick-certificates.test.ts
      case "test":
        return nth(this.#proof.classes.tests, action.test)[read(action.variable).class] === action.isMember
          ? on(values)
          : [];
      case "send": {
        const value = read(action.variable);
        const sent = this.#classAfter({ kind: "send", principal }, value.class);
        const pending = changed(rest.pending, `${action.channel} ${value.message} ${sent}`, 1);
        return on(values, { ...rest, pending });
      }
      case "spawn":
        return on(values, {
          ...rest,
          instances: changed(rest.instances, textOf(this.newRunner(action.principal)), 1),
        });
      case "receive":
        return [...rest.pending.keys()].flatMap((kind) => {
          const [channel, message, from] = kind.split(" ").map(Number) as [number, number, number];
          if (channel !== action.channel) return []; // sound: test/provenance/quick-certificates.test.ts
          const received = this.#classAfter({ kind: "receive", principal }, from);
          return on(values.with(action.variable, { message, class: received }), {
            ...rest,
            pending: changed(rest.pending, kind, -1),
          });
        });
    }
  }

  #classAfter(event: DomainEvent, from: number): number {
    const { domain } = this.#program;
    if (domain.kind === "declared") return classAfter(domain.steps, event, from);
    return event.kind === "send" ? this.#sent(from, event.principal) : from;
  }

  #sent(from: number, principal: number): number {
    const to = this.#proof.classes.sent[from]?.[principal];
    if (to === undefined) throw new Malformed(`class ${from} lacks successors`);
    return to;
  }

  #forgetful(runner: Runner): Runner {
    const { principal, location, values } = runner;
    return {
      ...runner,
      values: values.map((value, x) => (this.isOpen(principal, location, x) ? undefined : value)),
    };
  }
}

export const textOf = ({ principal, location, values }: Runner): string =>
  `${principal}@${location}:${values.map((value) => (value ? `${value.message}/${value.class}` : "?")).join(" ")}`;

export function runnerOf(text: string): Runner {
  const colon = text.indexOf(":");
  const [principal, location] = numbersIn(text.slice(0, colon), "@");
  const values = text.slice(colon + 1);
  return { principal, location, values: values === "" ? [] : values.split(" ").map(valueOf) };
}

function valueOf(text: string): Value | undefined {
  if (text === "?") return undefined;
  const [message, provenanceClass] = numbersIn(text, "/");
  return { message, class: provenanceClass };
}

const numbersIn = (text: string, separator: string): [number, number] =>
  text.split(separator, 2).map(Number) as [number, number];

export function changed(amounts: ReadonlyMap<string, number>, kind: string, by: number): Map<string, number> {
  const next = new Map(amounts);
  const amount = (amounts.get(kind) ?? 0) + by;
  if (amount > 0)
    next.set(kind, amount); // sound: test/provenance/quick-certificates.test.ts
  else next.delete(kind);
  return next;
}

/** Puts the runner back in its place. */
export function placed(runner: Runner, rest: Configuration): Configuration {
  if (!rest.fixed[runner.principal])
    return { ...rest, instances: changed(rest.instances, textOf(runner), 1) };
  return { ...rest, fixed: rest.fixed.with(runner.principal, runner) };
}
