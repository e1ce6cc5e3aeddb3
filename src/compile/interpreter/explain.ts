/** Describes states and steps for people. */
import type {
  Edge,
  Effect,
  MessageEvent,
  ProcessView,
  Program,
  Shown,
  Span,
  Standing,
  Step,
} from "../../model/index.js";
import type { Message } from "./buffer.js";
import type { Scope } from "./evaluate.js";
import type { Moves, Outcome } from "./moves.js";
import { Names, type Leaf } from "./names.js";
import { formatPrint } from "./print.js";
import type { Recorder } from "./recorder.js";
import type { ChannelRecord, State } from "./state.js";

export class Explanations {
  readonly #program: Program;
  readonly #moves: Moves;
  readonly #names: Names;

  constructor(program: Program, moves: Moves) {
    this.#program = program;
    this.#moves = moves;
    this.#names = new Names(program, moves.rules.evaluator);
  }

  describe(state: State, choice: number): Step {
    const outcome = this.#moves.of(state, () => new Story(this.#names))[choice];
    if (!outcome) throw new RangeError(`there is no choice ${choice} here`);
    return outcome.told?.step() ?? this.#failedStep(state, outcome);
  }

  snapshot(state: State): Shown[] {
    const held = new Set<ChannelRecord>();
    const shown = this.#variables(state, this.#names.globals, -1, held);
    for (const [process, { template }] of state.processes.entries())
      shown.push(...this.#variables(state, this.#names.locals[template]!, process, held));
    return [...shown, ...this.#strayChannels(state, held)];
  }

  processes(state: State): ProcessView[] {
    return state.processes.map((_, process) => {
      const { isEnd, span } = this.#moves.rules.locationOf(state, process);
      return { name: this.#names.process(state, process), span, isAtEnd: isEnd };
    });
  }

  standing(state: State): Standing[] {
    return state.processes.map(({ template }, process) => ({
      process: this.#names.process(state, process),
      automaton: template,
      location: state.location(process),
    }));
  }

  /** A guard that faulted before any effect. */
  #failedStep(state: State, { process, edge }: Outcome<Story>): Step {
    const template = this.#program.templates[state.processes[process]!.template]!;
    return {
      participants: [this.#names.process(state, process)],
      action: edge?.text ?? `provided clause of ${template.name}`,
      sources: [edge?.span ?? template.span],
      messages: [],
      output: "",
    };
  }

  /** A variable that still holds the channel created for it is shown as that channel; collects these in `held`. */
  #variables(state: State, leaves: readonly Leaf[], process: number, held: Set<ChannelRecord>): Shown[] {
    const scope: Scope = { state, self: process, timeout: false };
    return leaves.flatMap((leaf): Shown[] => {
      const name = process < 0 ? leaf.name : this.#names.local(state, process, leaf.name);
      const value = this.#moves.rules.evaluator.load(leaf.place, scope);
      const { display } = leaf.place.type;
      const channel = display.kind === "channel" ? state.channels[value - 1] : undefined;
      if (!channel || this.#names.channel(state, channel) !== name)
        return [{ name, value: this.#names.value(state, display, value) }];
      held.add(channel);
      return this.#isBuffered(channel) ? [{ name, value: this.#names.contents(state, channel) }] : [];
    });
  }

  /** Channels whose original variable has another value. */
  #strayChannels(state: State, held: ReadonlySet<ChannelRecord>): Shown[] {
    return state.channels
      .filter((channel) => !held.has(channel) && this.#isBuffered(channel))
      .map((channel) => ({
        name: `channel ${this.#names.channel(state, channel)}`,
        value: this.#names.contents(state, channel),
      }));
  }

  #isBuffered(channel: ChannelRecord): boolean {
    return this.#program.channelTypes[channel.type]!.capacity > 0;
  }
}

/** Records a step's description. */
/** Limit for indivisible steps that execute a loop many times. */
const MOST_TOLD = 100;

class Story implements Recorder {
  readonly #names: Names;
  readonly #statements = new Map<string, string[]>();
  readonly #sources: Span[] = [];
  readonly #messages: MessageEvent[] = [];
  #output = "";

  constructor(names: Names) {
    this.#names = names;
  }

  statement(state: State, process: number, edge: Edge): void {
    if (this.#sources.length > MOST_TOLD) return;
    const name = this.#names.process(state, process);
    const texts = this.#statements.get(name) ?? [];
    this.#statements.set(name, texts);
    texts.push(this.#sources.length === MOST_TOLD ? "…" : edge.text);
    this.#sources.push(edge.span);
  }

  message(
    state: State,
    kind: MessageEvent["kind"],
    channel: ChannelRecord,
    message: Message,
    from: number | undefined,
    to: number | undefined,
  ): void {
    this.#messages.push({
      kind,
      channel: this.#names.channel(state, channel),
      channelId: state.channels.indexOf(channel) + 1,
      message: this.#names.message(state, channel, message),
      from: from === undefined ? undefined : this.#names.process(state, from),
      to: to === undefined ? undefined : this.#names.process(state, to),
    });
  }

  print(effect: Effect & { kind: "print" }, values: readonly number[]): void {
    this.#output += formatPrint(effect.format, effect.arguments, values);
  }

  step(): Step {
    return {
      participants: [...this.#statements.keys()],
      action: [...this.#statements.values()].map((texts) => texts.join("; ")).join(" | "),
      sources: this.#sources,
      messages: this.#messages,
      output: this.#output,
    };
  }
}
