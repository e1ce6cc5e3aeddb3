/** The rules of the text: steps of switches, the controller and the environment. */
import type { Command, Endpoint, Network, Outcome } from "../../../model/network.js";
import { arriving, emitted, forwarding, unmet, type Writing } from "./effects.js";
import type { Met } from "./met.js";
import { toldOf, type Names } from "./names.js";
import { eventErrors, failure } from "./properties.js";

export class Steps {
  readonly #writing: Writing;
  #whyNot: string | undefined;

  constructor(network: Network, met: Met, names: Names) {
    this.#writing = { network, met, names };
  }

  /** The reason for having no text: only known after writing it. */
  get whyNot(): string | undefined {
    return this.#whyNot;
  }

  rules(): string[] {
    const { switches, clients, events, links } = this.#writing.network;
    return [
      ...switches.flatMap((_, at) => [
        ...this.#tableChanges(at),
        ...this.#matches(at),
        ...this.#requests(at),
      ]),
      ...clients.flatMap((_, client) => this.#receptions(client)),
      ...events.flatMap((_, event) => this.#happenings(event)),
      ...links.flatMap((_, link) => this.#failures(link)),
    ];
  }

  /** Messages stay pending: there may be more of them. A change is made only when a packet is there that it concerns. */
  #tableChanges(at: number): string[] {
    const { network, met, names } = this.#writing;
    const { name } = network.switches[at]!;
    const change = (what: string, number: number, guard: string, isThere: boolean): string[] => {
      const concerned = names.concerned(at, number).map((packet) => names.queued(at, packet));
      if (concerned.length === 0) return [];
      const installed = `${names.installed(at, number)} := ${isThere};`;
      return rule(`${name} ${what} ${number}`, [guard, anyOf(concerned)], [installed]);
    };
    return names
      .rulesAt(at)
      .flatMap((number) => [
        ...change("installs", number, names.toAdd(at, number), true),
        ...(names.isDeleted(at, number) ? change("removes", number, names.toDelete(at, number), false) : []),
        ...(met.symbols.rules[number]!.expires
          ? change("loses", number, names.installed(at, number), false)
          : []),
      ]);
  }

  /** All packets with a rule in one step: each by a best one, and in one of the ways that clients can go. */
  #matches(at: number): string[] {
    const { network, met, names } = this.#writing;
    const handled = [...met.packets[at]!].flatMap((packet) => {
      const levels = this.#levels(at, packet);
      return levels.length === 0 ? [] : [{ packet, levels }];
    });
    if (handled.length === 0) return [];
    const choices: Choice[] = [];
    const guards = [
      anyOf(
        handled.map(({ packet, levels }) => `(${names.queued(at, packet)} & ${anyOf(installedIn(levels))})`),
      ),
    ];
    const body = handled.flatMap(({ packet, levels }) => {
      const most = Math.max(...levels.map(({ options }) => options.length));
      const choice = `way_${packet}`;
      if (most > 1) {
        choices.push({ name: choice, ways: most });
        guards.push(this.#isPossible(names.queued(at, packet), levels, choice));
      }
      return [`if was_${packet} then`, ...handling(levels, most > 1 ? choice : undefined), "end;"];
    });
    const before = handled.map(({ packet }) => `was_${packet}`);
    return this.#ruleset(
      choices,
      rule(
        `${network.switches[at]!.name} matches`,
        guards,
        [...handled.map(({ packet }) => `was_${packet} := ${names.queued(at, packet)};`), ...body],
        before.map((local) => `var ${local}: boolean;`),
      ),
    );
  }

  /** The rules for a packet by priority, the highest first, each with all its possible effects. */
  #levels(at: number, packet: number): readonly Level[] {
    const { met, names } = this.#writing;
    const { symbols } = met;
    const { port, data } = symbols.packets[packet]!;
    const place: Endpoint = { kind: "switch", index: at, port };
    const matching = names.rulesAt(at).filter((number) => symbols.matches(number, packet));
    const priorities = [...new Set(matching.map((number) => symbols.rules[number]!.priority))];
    return priorities.map((priority) => {
      const rules = matching.filter((number) => symbols.rules[number]!.priority === priority);
      return {
        installed: rules.map((number) => names.installed(at, number)),
        options: rules.flatMap((number) =>
          forwarding(this.#writing, at, packet, symbols.rules[number]!.ports, undefined).map((effect) => ({
            installed: names.installed(at, number),
            effect,
          })),
        ),
        ambiguity: eventErrors(this.#writing, "ambiguous", data, place, undefined),
      };
    });
  }

  /** The chosen way is one of the best rule's; without a choice it is the first. */
  #isPossible(queued: string, levels: readonly Level[], choice: string): string {
    const possible = levels.reduceRight(
      (otherwise, { installed, options }) =>
        `(${anyOf(installed)} ? ${anyOf(options.map((o, k) => `(${choice} = ${k} & ${o.installed})`))} : ${otherwise})`,
      `(${choice} = 0)`,
    );
    return `(${queued} ? ${possible} : ${choice} = 0)`;
  }

  /** Request, answer, barriers and delivery are one step. */
  #requests(at: number): string[] {
    const { network, met, names } = this.#writing;
    return [...met.asked[at]!].flatMap(([packet, states]) => {
      const { port, data } = met.symbols.packets[packet]!;
      const place: Endpoint = { kind: "switch", index: at, port };
      const unmatched = names
        .rulesAt(at)
        .filter((number) => met.symbols.matches(number, packet))
        .map((number) => `!${names.installed(at, number)}`);
      const guards = [names.queued(at, packet), ...unmatched];
      const title = `${network.switches[at]!.name} asks about ${packet}`;
      const answered = [...states].flatMap((state) => {
        const guard = [...guards, `${names.control} = ${state}`];
        const reaction = network.controller.packetIn(data, at, port, met.symbols.controls[state]);
        const asked = eventErrors(this.#writing, "packetIn", data, place, undefined, state);
        if (reaction.error !== undefined)
          return rule(title, guard, [...asked, failure(network.errors[reaction.error]!.message)]);
        const event = reaction.ports.length === 0 ? "dropped" : "forwarded";
        const decided = eventErrors(this.#writing, event, data, place, "decision", state);
        const ways = forwarding(this.#writing, at, packet, reaction.ports, "execution");
        // Effects are judged by the state in which they were decided.
        const { statements, choices } = this.#commands(reaction.commands);
        return ways.flatMap((way) =>
          this.#ruleset(
            choices,
            rule(title, guard, [...asked, ...decided, ...way, ...statements, this.#next(reaction.state)]),
          ),
        );
      });
      const others = [...guards, ...[...states].map((state) => `${names.control} != ${state}`)];
      const isComplete = states.size === met.symbols.controls.length;
      return [...answered, ...(isComplete ? [] : rule(`${title}, unmet`, others, [unmet("a request")]))];
    });
  }

  /** Clients that deal with the controller receive in separate steps. */
  #receptions(client: number): string[] {
    const { network, met, names } = this.#writing;
    const { name, receive } = network.clients[client]!;
    return [...met.waiting[client]!].flatMap(([packet, states]) => {
      const { port, data } = met.symbols.packets[packet]!;
      const title = `${name} receives ${packet}`;
      const waiting = names.waiting(client, packet);
      const received = [...states].flatMap((state) => {
        const outcomes = receive?.run(data, port, met.symbols.controls[state]) ?? [];
        return outcomes.flatMap((outcome) => {
          const emits = outcome.emits.map((e) => ({ ...e, data: emitted(network, data, e.data) }));
          return this.#outcome(title, [waiting, `${names.control} = ${state}`], { ...outcome, emits });
        });
      });
      const others = [waiting, ...[...states].map((state) => `${names.control} != ${state}`)];
      const isComplete = states.size === met.symbols.controls.length;
      return [...received, ...(isComplete ? [] : rule(`${title}, unmet`, others, [unmet("a packet")]))];
    });
  }

  #happenings(event: number): string[] {
    const { network, met, names } = this.#writing;
    const { name, run } = network.events[event]!;
    return met.symbols.controls.flatMap((state, number) =>
      run(state).flatMap((outcome) => this.#outcome(name, [`${names.control} = ${number}`], outcome)),
    );
  }

  #failures(link: number): string[] {
    const { network, met, names } = this.#writing;
    const { mayFail, name, ends } = network.links[link]!;
    if (!mayFail) return [];
    return met.symbols.controls.flatMap((state, number) => {
      const told = { ...toldOf(network.controller, ends, state), emits: [] };
      const guards = [`!${names.failed(link)}`, `${names.control} = ${number}`];
      return this.#outcome(`${name} fails`, guards, told, [`${names.failed(link)} := true;`]);
    });
  }

  #outcome(
    title: string,
    guards: readonly string[],
    { emits, commands, state, error }: Pick<Outcome, "emits" | "commands" | "state" | "error">,
    first: readonly string[] = [],
  ): string[] {
    if (error !== undefined)
      return rule(title, guards, [failure(this.#writing.network.errors[error]!.message)]);
    const { statements, choices } = this.#commands(commands);
    const arrivals = emits.map((emit) => arriving(this.#writing, emit));
    return this.#ruleset(
      choices,
      rule(title, guards, [...first, ...statements, ...arrivals, this.#next(state)]),
    );
  }

  #next(state: unknown): string {
    return `${this.#writing.names.control} := ${this.#writing.met.symbols.control(state)};`;
  }

  /** Messages become pending; a barrier executes the pending ones in any order: only additions and deletions of one rule race. */
  #commands(commands: readonly Command[]): {
    readonly statements: readonly string[];
    readonly choices: readonly Choice[];
  } {
    const { met, names } = this.#writing;
    const choices: Choice[] = [];
    const statements = commands.flatMap((command) => {
      const at = command.switch;
      if (command.kind !== "barrier") {
        const number = met.symbols.rule(command.rule);
        const pending = command.kind === "add" ? names.toAdd(at, number) : names.toDelete(at, number);
        return [`${pending} := true;`];
      }
      const flushed = names.rulesAt(at).flatMap((number) => {
        const [add, installed] = [names.toAdd(at, number), names.installed(at, number)];
        if (!names.isDeleted(at, number))
          return [`if ${add} then ${installed} := true; end;`, `${add} := false;`];
        const remove = names.toDelete(at, number);
        const race = `first_${choices.length}`;
        choices.push({ name: race, ways: 2 });
        return [
          `if ${add} & ${remove} then ${installed} := (${race} = 1); elsif ${add} then ${installed} := true; elsif ${remove} then ${installed} := false; end;`,
          `${add} := false; ${remove} := false;`,
        ];
      });
      const pointless = [...names.deleted[at]!].filter((number) => !names.added[at]!.has(number));
      return [...flushed, ...pointless.map((number) => `${names.toDelete(at, number)} := false;`)];
    });
    return { statements, choices };
  }

  #ruleset(choices: readonly Choice[], lines: readonly string[]): string[] {
    const instances = choices.reduce((product, { ways }) => product * ways, 1);
    if (instances > MOST_INSTANCES)
      this.#whyNot = "too many rules of the same priority, or additions and deletions, can meet";
    if (choices.length === 0) return [...lines];
    const parameters = choices.map(({ name, ways }) => `${name}: 0..${ways - 1}`).join("; ");
    return [`ruleset ${parameters} do`, ...lines.map((line) => `  ${line}`), "end;"];
  }
}

const MOST_INSTANCES = 4096;

interface Choice {
  readonly name: string;
  readonly ways: number;
}

/** Rules of one priority for a packet. */
interface Level {
  readonly installed: readonly string[];
  readonly options: readonly { readonly installed: string; readonly effect: readonly string[] }[];
  /** Faults if several of them are installed. */
  readonly ambiguity: readonly string[];
}

const installedIn = (levels: readonly Level[]): string[] => levels.flatMap(({ installed }) => installed);

/** The best level with an installed rule; there, the chosen way. */
function handling(levels: readonly Level[], choice: string | undefined): string[] {
  const parts = levels.flatMap(({ installed, options, ambiguity }, i) => [
    `${i === 0 ? "if" : "elsif"} ${anyOf(installed)} then`,
    ...ambiguous(installed, ambiguity),
    ...(options.length === 1
      ? options[0]!.effect
      : options.flatMap(({ effect }, k) => [`if ${choice} = ${k} then`, ...effect, "end;"])),
  ]);
  return [...parts, "end;"];
}

function ambiguous(installed: readonly string[], errors: readonly string[]): string[] {
  if (errors.length === 0 || installed.length < 2) return [];
  const pairs = installed.flatMap((a, i) => installed.slice(i + 1).map((b) => `(${a} & ${b})`));
  return [`if ${anyOf(pairs)} then`, ...errors, "end;"];
}

const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : `(${conditions.join(" | ")})`;

function rule(
  title: string,
  guards: readonly string[],
  body: readonly string[],
  locals: readonly string[] = [],
): string[] {
  return [
    `rule "${title}" ${guards.join(" & ")} ==>`,
    ...locals.map((line) => `  ${line}`),
    "begin",
    ...body.map((line) => `  ${line}`),
    "end;",
  ];
}
