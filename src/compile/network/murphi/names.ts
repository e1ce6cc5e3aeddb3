/** The variables of the text, by meaning. */
import type { Command, Network } from "../../../model/network.js";
import { showPacket, showRule } from "../explain.js";
import type { Met } from "./met.js";

export class Names {
  readonly #network: Network;
  readonly #met: Met;
  /** By switch: rules with commands to add, and to delete. */
  readonly added: readonly Set<number>[];
  readonly deleted: readonly Set<number>[];

  constructor(network: Network, met: Met) {
    this.#network = network;
    this.#met = met;
    this.added = network.switches.map(() => new Set());
    this.deleted = network.switches.map(() => new Set());
    for (const command of allCommands(network, met)) {
      if (command.kind === "barrier") continue;
      const where = command.kind === "add" ? this.added : this.deleted;
      where[command.switch]!.add(met.symbols.rule(command.rule));
    }
  }

  readonly control = "control";

  queued = (at: number, packet: number): string => `queue_${this.#network.switches[at]!.name}_${packet}`;

  waiting = (client: number, packet: number): string =>
    `waiting_${this.#network.clients[client]!.name}_${packet}`;

  failed = (link: number): string => `failed_${link}`;

  toAdd = (at: number, rule: number): string => `add_${this.#network.switches[at]!.name}_${rule}`;

  toDelete = (at: number, rule: number): string => `delete_${this.#network.switches[at]!.name}_${rule}`;

  installed = (at: number, rule: number): string => `table_${this.#network.switches[at]!.name}_${rule}`;

  /** Rules that can ever be in the table, the best first; others that are deleted there make no difference. */
  rulesAt(at: number): readonly number[] {
    return [...this.added[at]!].sort(this.#met.symbols.compareRules);
  }

  isDeleted = (at: number, rule: number): boolean => this.deleted[at]!.has(rule);

  /** At least one rule's packets: those it concerns. */
  concerned(at: number, rule: number): readonly number[] {
    return [...this.#met.packets[at]!].filter((packet) => this.#met.symbols.matches(rule, packet));
  }

  declarations(): string[] {
    const { symbols } = this.#met;
    const line = (name: string, type: string, what: string): string => `  ${name}: ${type}; -- ${what}`;
    const states = Math.max(0, symbols.controls.length - 1);
    return [
      line(this.control, `0..${states}`, "the controller's state, by number"),
      ...this.#booleans().map(([name, what]) => line(name, "boolean", what)),
    ];
  }

  /** Every packet that clients can send is present from the start. */
  initial(): string[] {
    const { symbols } = this.#met;
    const sent = new Set(
      this.#network.clients.flatMap(({ sends }) =>
        sends.map(({ switch: at, port, data }) => this.queued(at, symbols.packet(port, data))),
      ),
    );
    return [
      `${this.control} := 0;`,
      ...this.#booleans().map(([name]) => `${name} := ${sent.has(name) ? "true" : "false"};`),
    ];
  }

  #booleans(): (readonly [name: string, what: string])[] {
    const { symbols, packets, waiting } = this.#met;
    const { switches, clients, links } = this.#network;
    const packet = (number: number): string => {
      const { data, port } = symbols.packets[number]!;
      return `${showPacket(this.#network, data)} at port ${port}`;
    };
    const rule = (number: number): string =>
      showRule(this.#network, symbols.rules[number]!).replace("→", "to");
    return [
      ...switches.flatMap((_, at) => [
        ...[...packets[at]!].map((number) => [this.queued(at, number), packet(number)] as const),
        ...[...this.added[at]!].flatMap((number) => [
          [this.toAdd(at, number), `to be installed: ${rule(number)}`] as const,
          [this.installed(at, number), `installed: ${rule(number)}`] as const,
        ]),
        ...[...this.deleted[at]!].map(
          (number) => [this.toDelete(at, number), `to be removed: ${rule(number)}`] as const,
        ),
      ]),
      ...clients.flatMap((_, client) =>
        [...waiting[client]!.keys()].map((number) => [this.waiting(client, number), packet(number)] as const),
      ),
      ...links.flatMap(({ mayFail, name }, link) =>
        mayFail ? [[this.failed(link), `link ${name} has failed`] as const] : [],
      ),
    ];
  }
}

/** Every command given in a met combination. */
function allCommands({ controller, clients, events, links }: Network, met: Met): Command[] {
  const { symbols, asked, waiting } = met;
  const { controls, packets } = symbols;
  return [
    ...asked.flatMap((at, index) =>
      [...at].flatMap(([packet, states]) =>
        [...states].flatMap((state) => {
          const { port, data } = packets[packet]!;
          return controller.packetIn(data, index, port, controls[state]).commands;
        }),
      ),
    ),
    ...waiting.flatMap((at, client) =>
      [...at].flatMap(([packet, states]) =>
        [...states].flatMap((state) => {
          const { port, data } = packets[packet]!;
          const outcomes = clients[client]!.receive?.run(data, port, controls[state]) ?? [];
          return outcomes.flatMap(({ commands }) => commands);
        }),
      ),
    ),
    ...controls.flatMap((state) =>
      events.flatMap(({ run }) => run(state).flatMap(({ commands }) => commands)),
    ),
    ...controls.flatMap((state) =>
      links.flatMap(({ mayFail, ends }) => (mayFail ? toldOf(controller, ends, state).commands : [])),
    ),
  ];
}

/** The controller's reaction to a failed link, at both ends at once. */
export function toldOf(
  { portDown }: Network["controller"],
  ends: Network["links"][number]["ends"],
  state: unknown,
): { readonly commands: readonly Command[]; readonly state: unknown; readonly error: number | undefined } {
  let told: ReturnType<typeof toldOf> = { commands: [], state, error: undefined };
  for (const { kind, index, port } of ends) {
    if (kind !== "switch" || !portDown || told.error !== undefined) continue;
    const next = portDown(index, port, told.state);
    told = { ...next, commands: [...told.commands, ...next.commands] };
  }
  return told;
}
