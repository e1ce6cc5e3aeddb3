/**
 * Random small networks from a seed: two switches, one or two clients with several packets each, rules from a small
 * pool, a controller that is a random table from packets and its state to commands and replies; some with events,
 * replying clients, failing links, expiring rules, several pending requests.
 */
import type {
  Command,
  Network,
  NetworkEvent,
  NetworkProperty,
  Observation,
  Outcome,
  PacketEvent,
  PropertyCheck,
  Rule,
} from "../../src/model/network.js";
import { Random } from "./random.js";

const span = { file: "random.sdn", start: 0, end: 0 };

export function randomNetwork(seed: number): Network {
  const random = new Random(seed);
  const below = (n: number): number => random.below(n);
  const chance = (percent: number): boolean => below(100) < percent;
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const kinds = 2;
  const values = (n: number): string[] => Array.from({ length: n }, (_, i) => `v${i}`);
  const controls = 1 + below(3);
  const rules: Rule[] = Array.from({ length: 1 + below(3) }, () => ({
    priority: 1 + below(2),
    fields: [chance(70) ? below(kinds) : undefined],
    port: chance(40) ? 1 + below(2) : undefined,
    ports: pick([[], [1], [2], [2], [1, 2]]),
    expires: chance(8),
  }));
  const usesBarriers = chance(50);
  const commands = (): Command[] =>
    Array.from({ length: below(4) }, (): Command => {
      const at = below(2);
      if (usesBarriers && chance(35)) return { kind: "barrier", switch: at };
      return { kind: chance(75) ? "add" : "del", switch: at, rule: pick(rules) };
    });
  const reactions = new Map<
    string,
    {
      commands: Command[];
      ports: readonly number[];
      repliesAfter: number | undefined;
      state: number;
      error: number | undefined;
    }
  >();
  for (let kind = 0; kind < kinds; kind++)
    for (let at = 0; at < 2; at++)
      for (let control = 0; control < controls; control++)
        reactions.set(`${kind},${at},${control}`, {
          commands: commands(),
          ports: pick([[], [1], [2], [2], [1, 2]]),
          repliesAfter: (seed + kind + at + control) % 4 === 0 ? 0 : undefined,
          state: chance(50) ? below(controls) : control,
          error: chance(5) ? 0 : undefined,
        });
  const nothing = (state: unknown): Outcome => ({
    label: "",
    emits: [],
    commands: [],
    state,
    error: undefined,
  });
  const touches = chance(25);
  const handled = touches ? commands() : [];
  const target = below(controls);
  const replying = chance(40)
    ? {
        run: (packet: readonly number[], _: number, state: unknown): Outcome[] =>
          packet[0] === 0
            ? [
                {
                  ...nothing(touches ? target : state),
                  commands: handled,
                  emits: [{ switch: 1, port: 2, data: [1] }],
                },
              ]
            : [nothing(state)],
        touchesController: touches,
        usesBarriers: handled.some((c) => c.kind === "barrier"),
        span,
      }
    : undefined;
  const eventCommands = commands();
  const eventTarget = below(controls);
  const events: NetworkEvent[] = chance(30)
    ? [
        {
          name: "change",
          run: (state) => (state === 0 ? [{ ...nothing(eventTarget), commands: eventCommands }] : []),
          usesBarriers: eventCommands.some((c) => c.kind === "barrier"),
          span,
        },
      ]
    : [];
  const mayFail = chance(20);
  const portDown = mayFail ? drawPortDown(seed, rules, usesBarriers, controls) : undefined;
  const barriers = chance(50) ? "openflow" : "published";
  const answered = Array.from({ length: controls }, () => ({ commands: commands(), state: below(controls) }));
  const barrierReply =
    barriers === "openflow" && usesBarriers && chance(50)
      ? {
          run: (_: number, state: unknown): Outcome[] => [
            { label: "", emits: [], error: undefined, ...answered[state as number]! },
          ],
          usesBarriers: answered.some(({ commands: all }) => all.some((c) => c.kind === "barrier")),
        }
      : undefined;
  return {
    kind: "network",
    name: `random ${seed}`,
    span,
    errors: [{ message: "random", span }],
    switches: [
      {
        name: "s1",
        span,
        ports: [
          { number: 1, link: 0, peer: { kind: "client", index: 0, port: 1 } },
          { number: 2, link: 1, peer: { kind: "switch", index: 1, port: 1 } },
        ],
      },
      {
        name: "s2",
        span,
        ports: [
          { number: 1, link: 1, peer: { kind: "switch", index: 0, port: 2 } },
          { number: 2, link: 2, peer: { kind: "client", index: 1, port: 1 } },
        ],
      },
    ],
    links: [
      {
        name: "c1--s1",
        mayFail: false,
        ends: [
          { kind: "client", index: 0, port: 1 },
          { kind: "switch", index: 0, port: 1 },
        ],
      },
      {
        name: "s1--s2",
        mayFail,
        ends: [
          { kind: "switch", index: 0, port: 2 },
          { kind: "switch", index: 1, port: 1 },
        ],
      },
      {
        name: "s2--c2",
        mayFail: false,
        ends: [
          { kind: "switch", index: 1, port: 2 },
          { kind: "client", index: 1, port: 1 },
        ],
      },
    ],
    clients: [
      {
        name: "c1",
        span,
        receive: undefined,
        sends: Array.from({ length: 1 + below(2) }, (_, i) => ({ switch: 0, port: 1, data: [i] })),
      },
      {
        name: "c2",
        span,
        receive: replying,
        sends: chance(40) ? [{ switch: 1, port: 2, data: [below(kinds)] }] : [],
      },
    ],
    packet: { fields: [{ name: "kind", values: values(kinds) }], tracksVisited: false, waypoints: [] },
    controller: {
      kappa: chance(25) ? 2 : 1,
      initial: 0,
      key: (state) => String(state),
      show: (state) => [{ name: "state", value: String(state) }],
      packetIn: ([kind], at, _, state) => reactions.get(`${kind},${at},${state as number}`)!,
      portDown: portDown && (() => ({ ...portDown, error: undefined })),
      portDownUsesBarriers: portDown?.commands.some(({ kind }) => kind === "barrier") ?? false,
      usesBarriers: [...reactions.values()].some(({ commands: all }) =>
        all.some((c) => c.kind === "barrier"),
      ),
      barriers,
      barrierReply,
      span,
    },
    events,
    properties: [...randomProperties(random, rules, controls), errors],
  };
}

/**
 * The controller's reaction to a failing link: drawn separately, so that the rest of the network does not depend on it.
 */
function drawPortDown(
  seed: number,
  rules: readonly Rule[],
  usesBarriers: boolean,
  controls: number,
): { readonly commands: Command[]; readonly state: number } | undefined {
  const random = new Random(~seed);
  if (random.chance(40)) return undefined;
  const commands = random.list(0, 2, (): Command => {
    const at = random.below(2);
    if (usesBarriers && random.chance(50)) return { kind: "barrier", switch: at };
    return { kind: random.chance(75) ? "add" : "del", switch: at, rule: random.pick(rules) };
  });
  return { commands, state: random.below(controls) };
}

const NOTHING: Observation = {
  tables: false,
  control: false,
  switchPackets: false,
  clientPackets: false,
  isUpwardClosed: true,
  relatesPackets: false,
};

const errors: NetworkProperty = {
  name: "errors",
  kind: "event",
  span,
  check: { form: "errors" },
  observes: NOTHING,
};

/** One property of each class. */
function randomProperties(random: Random, rules: readonly Rule[], controls: number): NetworkProperty[] {
  const kind = random.below(2);
  const other = random.below(2);
  const control = random.below(controls);
  const at = random.below(2);
  const rule = rules[random.below(rules.length)]!;
  const invariant = (
    name: string,
    check: PropertyCheck,
    observes: Partial<Observation>,
  ): NetworkProperty => ({
    name,
    kind: "invariant",
    span,
    check,
    observes: { ...NOTHING, ...observes },
  });
  const event = (
    name: string,
    events: readonly PacketEvent[],
    usesControl: boolean,
    moment: "decision" | "execution",
  ): NetworkProperty => ({
    name,
    kind: "event",
    span,
    check: {
      form: "event",
      events,
      moment,
      isBad: (data, place, state) =>
        data[0] === kind && place.index === at && (!usesControl || state === control),
    },
    observes: { ...NOTHING, control: usesControl },
  });
  return [
    invariant(
      "clients",
      { form: "packets", region: "clients", holds: (data) => data[0] !== kind },
      { clientPackets: true },
    ),
    invariant(
      "clients and control",
      {
        form: "packets",
        region: "clients",
        holds: (data, _, state) => data[0] !== kind || state !== control,
      },
      { clientPackets: true, control: true },
    ),
    invariant(
      "switches and control",
      {
        form: "packets",
        region: "switches",
        holds: (data, place, state) => data[0] !== kind || place.index !== at || state !== control,
      },
      { switchPackets: true, control: true },
    ),
    invariant(
      "two packets",
      {
        form: "state",
        holds: ({ packets }) =>
          !(
            packets("clients").some((p) => p.data[0] === kind) &&
            packets("switches").some((p) => p.data[0] === other)
          ),
      },
      { clientPackets: true, switchPackets: true, relatesPackets: true },
    ),
    invariant(
      "control",
      { form: "state", holds: (view) => view.control !== control || control === 0 },
      { control: true },
    ),
    invariant(
      "some packet",
      {
        form: "state",
        holds: ({ packets, control: now }) =>
          now !== control || control === 0 || packets("switches").length > 0,
      },
      { switchPackets: true, control: true, isUpwardClosed: false, relatesPackets: true },
    ),
    invariant(
      "tables",
      { form: "state", holds: ({ isInstalled, control: now }) => !isInstalled(at, rule) || now !== control },
      { tables: true, control: true },
    ),
    event("dropped", ["dropped"], false, "decision"),
    event("dropped, decided", ["dropped"], true, "decision"),
    event("forwarded, executed", ["forwarded", "dropped"], true, "execution"),
    event("received", ["received"], true, "decision"),
    event("lost", ["lost"], false, "decision"),
    event("ambiguous", ["ambiguous"], false, "decision"),
    event("asked", ["packetIn"], true, "decision"),
  ];
}
