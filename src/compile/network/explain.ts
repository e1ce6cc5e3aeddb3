/** Packets, rules, steps and states of a network in words. */
import type { MessageEvent, ProcessView, Shown, Span, Step, Words } from "../../model/index.js";
import type {
  Arrival,
  Command,
  Copy,
  Network,
  NetworkAction,
  PacketData,
  Rule,
} from "../../model/network.js";
import { visitedWord } from "../../model/network.js";
import type { Machine } from "./machine.js";
import { CONTROL, CONTROL_QUEUE, FAILED, MODE, QUEUE, TABLE } from "./state-parts.js";

export function showPacket({ packet: shape, switches }: Network, data: PacketData): string {
  const fields = shape.fields.map(({ name, values }, i) => `${name}: ${values[data[i]!]}`);
  const word = visitedWord(shape);
  const visited =
    word < 0 ? [] : switches.filter((_, i) => (data[word]! & (1 << i)) !== 0).map((s) => s.name);
  return `{${[...fields, ...(visited.length > 0 ? [`visited: ${visited.join(" ")}`] : [])].join(", ")}}`;
}

export function showRule(
  { packet: shape }: Network,
  { priority, port, fields, ports, expires }: Rule,
): string {
  const parts = [
    ...(port === undefined ? [] : [`port: ${port}`]),
    ...fields.flatMap((value, i) =>
      value === undefined ? [] : [`${shape.fields[i]!.name}: ${shape.fields[i]!.values[value]}`],
    ),
  ];
  const action = ports.length === 0 ? "drop" : ports.join(" ");
  return `${priority} {${parts.join(", ")}} → ${action}${expires ? " (expires)" : ""}`;
}

/** A step is all the actions that it does at once; the first gives it its name. */
export function describeActions(network: Network, actions: readonly NetworkAction[]): Step {
  const told = actions.map((action) => describeAction(network, action));
  return {
    participants: [...new Set(told.map(({ who }) => who))],
    action: told.map(({ who, text }) => (told.length > 1 ? `${who} ${text}` : text)).join("; "),
    sources: told.slice(0, 1).map(({ span }) => span),
    messages: told.flatMap(({ messages }) => messages),
    output: "",
  };
}

interface Told {
  readonly who: string;
  readonly text: string;
  readonly span: Span;
  readonly messages: readonly MessageEvent[];
}

function describeAction(network: Network, action: NetworkAction): Told {
  const packet = (data: PacketData): string => showPacket(network, data);
  const nodeAt = (index: number) => network.switches[index]!;
  switch (action.kind) {
    case "send": {
      const { name, span } = network.clients[action.client]!;
      const messages = [arrivalMessage(network, name, action.arrival)];
      return { who: name, text: `sends ${packet(action.arrival.data)}`, span, messages };
    }
    case "receive": {
      const { name, span, receive } = network.clients[action.client]!;
      const what = action.label === "" ? "" : ` (${action.label})`;
      const messages = action.emits.map((emit) => arrivalMessage(network, name, emit));
      const sends = action.emits.map(({ data }) => `, sends ${packet(data)}`).join("");
      const text = `receives ${packet(action.packet)}${what}${sends}`;
      return { who: name, text, span: receive?.span ?? span, messages };
    }
    case "match":
    case "forward": {
      const { name, span } = nodeAt(action.switch);
      const how =
        action.kind === "match"
          ? `by rule ${showRule(network, action.rule)}`
          : "as instructed by the controller";
      const verb = action.copies.length === 0 ? "drops" : "forwards";
      const text = `${verb} ${packet(action.packet)} from port ${action.port} ${how}`;
      return {
        who: name,
        text,
        span,
        messages: action.copies.map((copy) => copyMessage(network, name, copy)),
      };
    }
    case "nomatch": {
      const { name, span } = nodeAt(action.switch);
      const messages = [moved("packetIn", packet(action.packet), name, "controller")];
      return { who: name, text: `asks the controller about ${packet(action.packet)}`, span, messages };
    }
    case "add":
    case "del":
    case "expire": {
      const verb = { add: "installs", del: "removes", expire: "times out" }[action.kind];
      const { name, span } = nodeAt(action.switch);
      return { who: name, text: `${verb} rule ${showRule(network, action.rule)}`, span, messages: [] };
    }
    case "barrier": {
      const { name, span } = nodeAt(action.switch);
      return { who: name, text: "processes the barrier", span, messages: [] };
    }
    case "control": {
      const reply = action.ports.length === 0 ? "drop" : `forward to ${action.ports.join(" ")}`;
      return {
        who: "controller",
        text: `answers ${nodeAt(action.switch).name} about ${packet(action.packet)}: ${reply}`,
        span: network.controller.span,
        messages: action.commands.map((command) => commandMessage(network, command)),
      };
    }
    case "barrierReply":
      return {
        who: "controller",
        text: `receives the barrier reply of ${nodeAt(action.switch).name}${action.label === "" ? "" : ` (${action.label})`}`,
        span: network.controller.span,
        messages: [
          ...action.commands.map((command) => commandMessage(network, command)),
          ...action.emits.map((emit) => arrivalMessage(network, "controller", emit)),
        ],
      };
    case "event": {
      const { name, span } = network.events[action.event]!;
      const messages = [
        ...action.commands.map((command) => commandMessage(network, command)),
        ...action.emits.map((emit) => arrivalMessage(network, "environment", emit)),
      ];
      return {
        who: "environment",
        text: action.label === "" ? name : `${name}(${action.label})`,
        span,
        messages,
      };
    }
    case "fail":
      return {
        who: "environment",
        text: `link ${network.links[action.link]!.name} fails`,
        span: network.span,
        messages: [],
      };
  }
}

const moved = (
  channel: string,
  message: string,
  from: string,
  to: string | undefined,
  isLost = false,
): MessageEvent => ({ kind: isLost ? "lost" : "rendezvous", channel, channelId: 0, message, from, to });

const arrivalMessage = (network: Network, from: string, arrival: Arrival): MessageEvent =>
  moved("packet", showPacket(network, arrival.data), from, network.switches[arrival.switch]!.name);

function copyMessage(network: Network, from: string, { to, data, port }: Copy): MessageEvent {
  if (!to) return moved(`port ${port}`, showPacket(network, data), from, undefined, true);
  const nodes = to.kind === "switch" ? network.switches : network.clients;
  return moved("packet", showPacket(network, data), from, nodes[to.index]!.name);
}

function commandMessage(network: Network, command: Command): MessageEvent {
  const text =
    command.kind === "barrier"
      ? "barrier"
      : `${command.kind === "add" ? "install" : "remove"} ${showRule(network, command.rule)}`;
  return moved("control", text, "controller", network.switches[command.switch]!.name);
}

/** The parts of a state that a reader would look at; omits empty ones. */
export function snapshot(machine: Machine, state: Words, at: number): readonly Shown[] {
  const { network, symbols, deliveries, control } = machine;
  const shown: Shown[] = network.controller
    .show(symbols.controls[state[at + CONTROL]!])
    .map(({ name, value }) => ({ name: `controller.${name}`, value }));
  network.switches.forEach(({ name }, index) => {
    const base = at + machine.switchAt(index);
    const values = {
      packets: showBag(machine, state[base + QUEUE]!),
      table: machine
        .rulesOf(state[base + TABLE]!)
        .map((rule) => showRule(network, rule))
        .join("; "),
      pending: control
        .segments(state[base + CONTROL_QUEUE]!)
        .map((segment) => (segment < 0 ? "barrier" : showMessages(machine, segment)))
        .filter((text) => text !== "")
        .join(", "),
      waits: showMode(machine, state[base + MODE]!),
    };
    for (const [part, value] of Object.entries(values))
      if (value !== "") shown.push({ name: `${name}.${part}`, value });
  });
  network.clients.forEach(({ name }, index) => {
    const queue = state[at + machine.clientAt(index)]!;
    if (queue === 0) return;
    const value = machine.config.keepsLastOnly
      ? showPacket(network, symbols.packetAt(queue - 1).data)
      : showBag(machine, queue);
    shown.push({ name: `${name}.packets`, value });
  });
  for (const link of deliveries.failures.symbols(state[at + FAILED]!))
    shown.push({ name: `link ${network.links[link]!.name}`, value: "failed" });
  return shown;
}

function showBag({ network, symbols, deliveries }: Machine, bag: number): string {
  const { packets } = deliveries;
  const counts = packets.counts(bag);
  return packets
    .symbols(bag)
    .map((symbol, i) => {
      const { port, data } = symbols.packetAt(symbol);
      const count = packets.isMany(counts[i]!) ? "∞×" : counts[i] === 1 ? "" : `${counts[i]}×`;
      return `${count}${showPacket(network, data)} at port ${port}`;
    })
    .join("; ");
}

const showMessages = ({ network, symbols, control }: Machine, bag: number): string =>
  control.messages
    .symbols(bag)
    .map((m) => `${(m & 1) === 1 ? "remove" : "install"} ${showRule(network, symbols.ruleAt(m >> 1))}`)
    .join("; ");

function showMode({ network, symbols }: Machine, mode: number): string {
  if (mode === 0) return "";
  if ((mode & 1) === 1) return `for an answer about ${showPacket(network, symbols.packetAt(mode >> 1).data)}`;
  const { packet, ports } = symbols.replyAt((mode >> 1) - 1);
  const what = ports.length === 0 ? "drop" : `forward to ${ports.join(" ")}`;
  return `to ${what} ${showPacket(network, symbols.packetAt(packet).data)}`;
}

export const nodeViews = ({ switches }: Network): readonly ProcessView[] =>
  switches.map(({ name, span }) => ({ name, span, isAtEnd: true }));
