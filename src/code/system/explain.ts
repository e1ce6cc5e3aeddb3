/** Describes steps and states of a system of nodes. */
import { inspect } from "node:util";
import type {
  Successors,
  Explainer,
  MessageEvent,
  ProcessView,
  Shown,
  Span,
  Step,
  System,
  Words,
} from "../../model/index.js";
import { frameText, type Frame } from "../devices/wire.js";
import type { Event, Running } from "./events.js";
import type { CrashInside, Outcome } from "./local-steps.js";
import type { NodeSystem, NodeSystemParts } from "./node-system.js";
import type { Places } from "./places.js";
import type { StepReport } from "./node-runtime.js";
import { nth } from "../../model/known.js";

export class NodeExplainer implements System, Explainer {
  readonly width: number;
  readonly compareFrom = 0;
  readonly #system: NodeSystem;
  readonly #parts: NodeSystemParts;
  readonly #places: Places;
  /** The function that an event calls, for its source position. */
  readonly #codeOf: (event: Running, view: unknown) => unknown;

  constructor(
    system: NodeSystem,
    parts: NodeSystemParts,
    places: Places,
    codeOf: (event: Running, view: unknown) => unknown,
  ) {
    this.width = system.width;
    this.#system = system;
    this.#parts = parts;
    this.#places = places;
    this.#codeOf = codeOf;
  }

  get hasRoot(): boolean {
    return this.#system.hasRoot;
  }

  initial(out: Successors): void {
    this.#system.initial(out);
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#system.successors(state, at, out);
  }

  status(state: Words, at: number): number {
    return this.#system.status(state, at);
  }

  describe(state: Words, at: number, choice: number): Step {
    let position = 0;
    let step: Step | undefined;
    this.#system.eachFollower(state, at, (event, outcome) => {
      if (position++ === choice) step = this.#step(state, at, event, outcome);
    });
    if (!step) throw new Error(`internal error: there is no choice ${choice}`);
    return step;
  }

  snapshot(state: Words, at: number): readonly Shown[] {
    const { summary, network } = this.#parts;
    const shown = summary.nodes.flatMap((name, node) => this.#shownNode(name, node, nth(state, at + node)));
    const packets = network.packets(nth(state, at + summary.nodes.length));
    return [
      ...shown,
      {
        name: "network",
        value: packets.length === 0 ? "empty" : packets.map((p) => this.#packetText(p)).join(", "),
      },
    ];
  }

  processes(state: Words, at: number): readonly ProcessView[] {
    const { summary, nodes } = this.#parts;
    return summary.nodes.map((name, node) => ({
      name,
      span: this.#places.ofName(name),
      isAtEnd: !nth(nodes, node).state(nth(state, at + node)).isUp,
    }));
  }

  #shownNode(name: string, node: number, state: number): Shown[] {
    const process = nth(this.#parts.nodes, node);
    const { isUp, side } = process.state(state);
    if (!isUp) return [{ name, value: "down" }];
    const view = (process.view(state) ?? {}) as Record<string, unknown>;
    const fields = Object.keys(view)
      .filter((key) => !isEnvironment(view[key]) && typeof view[key] !== "function")
      .map((key) => ({ name: `${name}.${key}`, value: textOf(view[key]) }));
    const timers = side.timers.map((timer) => timer.name).join(", ");
    return [...fields, ...(timers === "" ? [] : [{ name: `${name} timers`, value: timers }])];
  }

  #step(state: Words, at: number, event: Event, outcome: Outcome | undefined): Step {
    const report = outcome && this.#retell(state, at, event as Running, outcome);
    const sources = report ? this.#sources(state, at, event as Running, report) : [];
    return {
      participants: this.#participants(event),
      action: this.#action(event) + choicesText(outcome) + crashText(outcome?.crash),
      sources,
      messages: [...this.#received(event), ...this.#sent(state, at, event, report)],
      output: report && report.output.length > 0 ? `${report.output.join("\n")}\n` : "",
    };
  }

  #participants(event: Event): string[] {
    if (event.kind === "start" && event.start.incidents.length > 0)
      return event.start.incidents.map(({ node }) => this.#name(node));
    return "node" in event ? [this.#name(event.node)] : ["network"];
  }

  #retell(state: Words, at: number, event: Running, outcome: Outcome): StepReport {
    const { steps } = this.#parts;
    if (outcome.report.failure?.kind === "livelock") return outcome.report;
    const mayFail = this.#system.failuresLeft(state, at);
    const report = steps.repeat(
      event.node,
      nth(state, at + event.node),
      event.call,
      mayFail,
      outcome.choices,
    );
    // Effects after the crash did not occur.
    return outcome.crash
      ? { ...report, sends: report.sends.slice(0, outcome.crash.sends), failure: undefined }
      : report;
  }

  /** Positions of the handler, of its sends, and of its failure. */
  #sources(state: Words, at: number, event: Running, report: StepReport): Span[] {
    const view = nth(this.#parts.nodes, event.node).view(nth(state, at + event.node));
    const code = this.#places.ofFunction(this.#codeOf(event, view));
    const found = [
      code ?? this.#namedPlace(event),
      ...report.sends.map(({ stack }) => this.#places.ofStack(stack)[0]),
      report.failure && this.#places.ofStack(report.failure.stack)[0],
    ];
    return found.filter((span) => span !== undefined);
  }

  /** Where the user's file mentions the event, if the code that handles it is not the user's. */
  #namedPlace(event: Running): Span | undefined {
    const { summary, network } = this.#parts;
    // Handlers of other systems are the user's.
    if (!summary.loopsProgress) return undefined;
    const text =
      event.kind === "action"
        ? nth(summary.actions, event.action).name
        : event.kind === "deliver"
          ? shortMessage(network.packet(event.packet).message)
          : event.kind === "timer"
            ? event.name.replace(/^after /, "")
            : "";
    const span = this.#places.ofName(nth(text.split(" "), 0));
    return span.end > 0 ? span : undefined;
  }

  #action(event: Event): string {
    const { summary, network } = this.#parts;
    switch (event.kind) {
      case "action": {
        const { name, values, hasValues } = nth(summary.actions, event.action);
        return hasValues ? `${name}(${JSON.stringify(values[event.value])})` : name;
      }
      case "deliver": {
        const { from, message } = network.packet(event.packet);
        return `${event.keeps ? "a copy of " : ""}${shortMessage(message)} from ${this.#name(from)}`;
      }
      case "miss":
        return `is down and misses ${shortMessage(network.packet(event.packet).message)}`;
      case "lose":
        return `loses ${this.#packetText(event.packet)}`;
      case "timer":
        return `timer ${event.name}`;
      case "pending":
        return event.label;
      case "crash":
        return `crashes${keptText(event)}`;
      case "corrupt":
        return `finds '${event.key}' ${event.how === "garbled" ? "garbled" : "with another digit"} on its disk`;
      case "start":
        if (event.start.incidents.length === 0) return "starts";
        return event.start.incidents
          .map(
            ({ node, outcome }) =>
              `${this.#name(node)} starts${choicesText(outcome)}${crashText(outcome.crash)}`,
          )
          .join("; ");
      case "restart":
        return "restarts";
      case "partition":
        return `falls apart: ${this.#part(event.mask)}`;
      case "heal":
        return "heals";
    }
  }

  #part(mask: number): string {
    const names = this.#parts.summary.nodes;
    const group = (bit: number): string => names.filter((_, node) => ((mask >> node) & 1) === bit).join(", ");
    return `${group(0)} | ${group(1)}`;
  }

  #received(event: Event): MessageEvent[] {
    if (event.kind !== "deliver" && event.kind !== "miss" && event.kind !== "lose") return [];
    const { from, to, message } = this.#parts.network.packet(event.packet);
    const common = { channel: "network", message: shortMessage(message), from: this.#name(from) };
    if (event.kind === "lose")
      return to.map((node) => ({
        ...common,
        kind: "receive",
        channelId: this.#channel(from, node),
        to: "network",
      }));
    if (event.kind === "deliver" && event.keeps) return [];
    return [
      { ...common, kind: "receive", channelId: this.#channel(from, event.node), to: this.#name(event.node) },
    ];
  }

  /** Messages that entered the network: an arrow per receiver. */
  #sent(state: Words, at: number, event: Event, report: StepReport | undefined): MessageEvent[] {
    if (!report || !("node" in event)) return [];
    const { network, summary } = this.#parts;
    let content = nth(state, at + summary.nodes.length);
    if (event.kind === "deliver")
      content = event.keeps
        ? network.repeated(content, event.packet)
        : network.delivered(content, event.packet, event.node);
    return report.sends.flatMap(({ to, message }) => {
      const before = network.packets(content).length;
      const numbers = to?.map((name) => summary.nodes.indexOf(name)).sort((a, b) => a - b);
      const after = network.sent(content, event.node, numbers, message, () => false);
      const isLost = network.packets(after).length === before;
      content = after;
      const receivers = numbers ?? network.neighbours(event.node);
      return receivers.map((node): MessageEvent => ({
        kind: isLost ? "lost" : "send",
        channel: "network",
        channelId: this.#channel(event.node, node),
        message: shortMessage(message),
        from: this.#name(event.node),
        to: this.#name(node),
      }));
    });
  }

  #channel(from: number, to: number): number {
    return from * this.#parts.nodes.length + to;
  }

  #packetText(packet: number): string {
    const { from, to, message, isCopy } = this.#parts.network.packet(packet);
    const receivers = to.map((node) => this.#name(node)).join("+");
    return `${this.#name(from)}→${receivers} ${isCopy ? "once more " : ""}${shortMessage(message)}`;
  }

  #name(node: number): string {
    return nth(this.#parts.summary.nodes, node);
  }
}

const choicesText = (outcome: Outcome | undefined): string =>
  outcome && outcome.choices.length > 0 ? ` [chooses ${outcome.choices.join(", ")}]` : "";

const crashText = (crash: CrashInside | undefined): string =>
  crash ? `, and crashes ${momentText(crash.effects)}${keptText(crash)}` : "";

function momentText(effects: number): string {
  if (effects === 0) return "at once";
  return `after ${effects === 1 ? "one effect" : `${effects} effects`}`;
}

/** Lists the surviving writes unless they are a prefix. */
function keptText({ kept, unsynced, torn }: Pick<CrashInside, "kept" | "unsynced" | "torn">): string {
  if (unsynced === 0) return "";
  const isPrefix = kept.every((place, index) => place === index);
  const which = isPrefix ? "" : ` (number ${kept.map((place) => place + 1).join(", ")})`;
  const half = torn === undefined ? "" : `, and half of number ${torn + 1}`;
  return `; ${kept.length} of ${unsynced} unsynced writes are kept${which}${half}`;
}

/** Abbreviates `{"type":"vote","term":1}` to `vote {term: 1}`. */
function shortMessage(text: string): string {
  const value = JSON.parse(text) as unknown;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return text;
  const { type, kind, ...rest } = value as Record<string, unknown>;
  if (rest["everypath"] === "frame") return frameText(rest["frame"] as Frame);
  const name = type ?? kind;
  if (typeof name !== "string") return textOf(value);
  return Object.keys(rest).length === 0 ? name : `${name} ${textOf(rest)}`;
}

/** Disables custom inspection, which would pass host functions to objects of realms. */
export const plainly = { customInspect: false } as const;

const textOf = (value: unknown): string =>
  inspect(value, { ...plainly, depth: 4, breakLength: Infinity, compact: true, sorted: false });

const isEnvironment = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "setTimer" in value && "disk" in value;
