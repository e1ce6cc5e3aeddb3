/** Names of a state's parts, such as `P[1]`, `r.f`, `a[2]`, `P[1]:y`, and the display of values. */
import type { Display, Place, Program, ScalarType, Type, Variable } from "../../model/index.js";
import { messages, type Message } from "./buffer.js";
import type { Evaluator } from "./evaluate.js";
import type { ChannelRecord, State } from "./state.js";

/** A scalar inside a variable. */
export interface Leaf {
  readonly name: string;
  readonly place: Place;
}

export class Names {
  readonly globals: readonly Leaf[];
  /** By template, without the name of the process. */
  readonly locals: readonly (readonly Leaf[])[];
  readonly #program: Program;
  readonly #evaluator: Evaluator;

  constructor(program: Program, evaluator: Evaluator) {
    this.#program = program;
    this.#evaluator = evaluator;
    this.globals = leavesOf(program.globals, "global");
    this.locals = program.templates.map((t) => leavesOf(t.locals, "local"));
  }

  process(state: State, process: number): string {
    return `${this.#program.templates[state.processes[process]!.template]!.name}[${process}]`;
  }

  local(state: State, process: number, name: string): string {
    return `${this.process(state, process)}:${name}`;
  }

  /** Names a channel after the variable it was created for, wherever its number went since. */
  channel(state: State, { owner, position }: ChannelRecord): string {
    const template = owner < 0 ? undefined : this.#program.templates[state.processes[owner]!.template]!;
    const { initialisers } = template ?? this.#program;
    const { target } = initialisers.filter((i) => i.kind === "channel")[position]!;
    const variables = template ? template.locals : this.#program.globals;
    const name = this.#placeName(variables[target.variable]!, target, state);
    return template ? this.local(state, owner, name) : name;
  }

  /** The name of the channel that a variable holds. */
  channelNumber(state: State, number: number): string {
    const channel = state.channels[number - 1];
    if (channel) return this.channel(state, channel);
    return number === 0 ? "none" : `no channel (${number})`;
  }

  /** `[one(3), two(1)]` */
  contents(state: State, channel: ChannelRecord): string {
    return `[${messages(state, channel)
      .map((m) => this.message(state, channel, m))
      .join(", ")}]`;
  }

  /** `one(3)` when the first field is a name, `3,1` otherwise. */
  message(state: State, channel: ChannelRecord, message: Message): string {
    const { fields } = this.#program.channelTypes[channel.type]!;
    const shown = message.map((value, i) => this.value(state, fields[i]!.display, value));
    if (fields[0]?.display.kind !== "names" || shown.length === 1) return shown.join(",");
    return `${shown[0]}(${shown.slice(1).join(",")})`;
  }

  value(state: State, display: Display, value: number): string {
    return display.kind === "channel" ? this.channelNumber(state, value) : showValue(display, value);
  }

  #placeName(variable: Variable, place: Place, state: State): string {
    let { name, type }: { name: string; type: Type } = variable;
    for (const step of place.path) {
      if (step.kind === "field" && type.kind === "record") {
        name += `.${type.fields[step.field]!.name}`;
        type = type.fields[step.field]!.type;
      } else if (step.kind === "index" && type.kind === "array") {
        name += `[${this.#evaluator.value(step.index, { state, self: -1, timeout: false })}]`;
        type = type.element;
      }
    }
    return name;
  }
}

export function showValue(display: Display, value: number): string {
  switch (display.kind) {
    case "names":
      return display.names.get(value) ?? String(value);
    case "bool":
      return value === 0 ? "false" : value === 1 ? "true" : String(value);
    case "number":
    case "channel":
    case "pid":
      return String(value);
  }
}

/** All displayed scalars. Variables of inner blocks may share a name; numbers the later ones. */
function leavesOf(variables: readonly Variable[], scope: Place["scope"]): Leaf[] {
  const uses = new Map<string, number>();
  return variables.flatMap((v, variable) => {
    if (v.internal) return [];
    const use = (uses.get(v.name) ?? 0) + 1;
    uses.set(v.name, use);
    const found: Leaf[] = [];
    collect(use === 1 ? v.name : `${v.name}#${use}`, v.type, [], (name, path, type) =>
      found.push({ name, place: { scope, variable, path, type } }),
    );
    return found;
  });
}

function collect(
  name: string,
  type: Type,
  path: Place["path"],
  add: (name: string, path: Place["path"], type: ScalarType) => void,
): void {
  switch (type.kind) {
    case "scalar":
      return add(name, path, type);
    case "array":
      for (let i = 0; i < type.length; i++) {
        const index = { kind: "constant", value: i } as const;
        const step = { kind: "index", index, length: type.length, site: -1 } as const;
        collect(`${name}[${i}]`, type.element, [...path, step], add);
      }
      return;
    case "record":
      for (const [field, f] of type.fields.entries())
        collect(`${name}.${f.name}`, f.type, [...path, { kind: "field", field }], add);
  }
}
