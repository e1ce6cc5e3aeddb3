/** Reads the configurations of a proof in the program's terms; reports mismatches with the program. */
import type { Amount, Configurations, MessageProgram, ProvenanceProof } from "../../model/index.js";
import { nth } from "../../model/known.js";
import {
  Malformed,
  textOf,
  type Configuration,
  type Runner,
  type Statements,
  type Value,
} from "./configuration.js";

export function readConfigurations(
  program: MessageProgram,
  proof: ProvenanceProof,
  statements: Statements,
): Configuration[] {
  const reader = new Reader(program, proof, statements);
  return proof.invariant.map((each) => reader.configuration(each));
}

class Reader {
  readonly #program: MessageProgram;
  readonly #classes: number;
  readonly #statements: Statements;

  constructor(program: MessageProgram, { classes }: ProvenanceProof, statements: Statements) {
    this.#program = program;
    this.#classes = classes.bad.length;
    this.#statements = statements;
  }

  configuration({ at, holds, pending, instances }: Configurations): Configuration {
    const { principals, channels } = this.#program;
    const fixed = principals.map((it, principal) => {
      if (it.isSpawned) return undefined;
      const location = this.#location(principal, at[it.name]);
      const values = it.variables.map((variable, x) =>
        this.#value(principal, location, x, holds[`${it.name}.${variable}`] ?? null),
      );
      return { principal, location, values };
    });
    const waiting = pending.map(([channel, message, provenanceClass, amount]): [string, number] => [
      `${index(channels, channel, "channel")} ${this.#message(message)} ${this.#class(provenanceClass)}`,
      numberOf(amount),
    ]);
    const running = instances.map(([name, location, values, amount]): [string, number] => [
      textOf(this.#instance(name, location, values)),
      numberOf(amount),
    ]);
    return { fixed, pending: sums(waiting), instances: sums(running) };
  }

  #instance(name: string, location: number, values: readonly (readonly [string, number] | null)[]): Runner {
    const names = this.#program.principals.map((principal) => principal.name);
    const principal = index(names, name, "principal");
    const { isSpawned, variables } = nth(this.#program.principals, principal);
    if (!isSpawned) throw new Malformed(`'${name}' is not spawned`);
    if (!Array.isArray(values) || values.length !== variables.length)
      throw new Malformed(`'${name}' has ${variables.length} variables`);
    this.#location(principal, location);
    return {
      principal,
      location,
      values: values.map((value, x) => this.#value(principal, location, x, value)),
    };
  }

  #location(principal: number, location: number | undefined): number {
    const { name, locations } = nth(this.#program.principals, principal);
    if (location === undefined) throw new Malformed(`the location of '${name}' is missing`);
    if (locations[location] === undefined)
      throw new Malformed(`'${name}' has no location ${String(location)}`);
    return location;
  }

  #value(
    principal: number,
    location: number,
    variable: number,
    value: readonly [string, number] | null,
  ): Value {
    if (this.#statements.isOpen(principal, location, variable)) return undefined;
    if (!Array.isArray(value)) {
      const { name, variables } = nth(this.#program.principals, principal);
      throw new Malformed(`the value of '${name}.${nth(variables, variable)}' is missing`);
    }
    const [message, provenanceClass] = value as readonly [string, number];
    return { message: this.#message(message), class: this.#class(provenanceClass) };
  }

  #message(name: string): number {
    return index(this.#program.messages, name, "message");
  }

  #class(number: number): number {
    if (Number.isInteger(number) && number >= 0 && number < this.#classes) return number;
    throw new Malformed(`there is no class ${String(number)}`);
  }
}

function index(names: readonly string[], name: string, thing: string): number {
  const found = names.indexOf(name);
  if (found < 0) throw new Malformed(`there is no ${thing} '${String(name)}'`);
  return found;
}

function numberOf(amount: Amount): number {
  if (amount === "any") return Infinity;
  if (Number.isInteger(amount) && amount >= 0) return amount;
  throw new Malformed(`'${String(amount)}' is no amount`);
}

/** Adds up repeated entries. */
function sums(amounts: readonly (readonly [string, number])[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const [kind, amount] of amounts) if (amount > 0) all.set(kind, (all.get(kind) ?? 0) + amount);
  return all;
}
