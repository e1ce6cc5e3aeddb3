/** Callbacks of an executing step, for descriptions. */
import type { Edge, Effect, MessageEvent } from "../../model/index.js";
import type { Message } from "./buffer.js";
import type { ChannelRecord, State } from "./state.js";

export interface Recorder {
  statement(state: State, process: number, edge: Edge): void;
  message(
    state: State,
    kind: MessageEvent["kind"],
    channel: ChannelRecord,
    message: Message,
    from: number | undefined,
    to: number | undefined,
  ): void;
  print(effect: Effect & { kind: "print" }, values: readonly number[]): void;
}
