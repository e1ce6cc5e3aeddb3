/**
 * Matches receives with sends, to draw an arrow between two steps.
 *
 * A channel is first in, first out, except for sorted sends and random receives; so a receive is matched
 * with the oldest waiting message that reads the same, and only failing that with the oldest.
 */
import type { MessageEvent } from "../model/index.js";
import type { NarratedStep } from "./narrative.js";
import { nth } from "../model/known.js";

/** One message. Steps are positions in the list of described steps. */
export interface Transfer {
  readonly channel: string;
  readonly message: string;
  readonly from: Endpoint | undefined;
  /** Undefined: never received in this trace. */
  readonly to: Endpoint | undefined;
  readonly isLost: boolean;
  readonly isRendezvous: boolean;
}

export interface Endpoint {
  readonly process: string;
  readonly step: number;
}

/** In the order of sends; a receive without a send in the trace is at its own position. */
export function matchMessages(steps: readonly NarratedStep[]): readonly Transfer[] {
  const transfers: Transfer[] = [];
  const waiting = new Map<number, number[]>();
  for (const [step, { messages, participants }] of steps.entries())
    for (const event of messages) {
      const actor = participants[0] ?? "";
      if (event.kind === "receive") receive(event, { process: event.to ?? actor, step }, transfers, waiting);
      else transfers.push(sent(event, step, actor));
      if (event.kind === "send") queueOf(event.channelId, waiting).push(transfers.length - 1);
    }
  return transfers;
}

function sent(event: MessageEvent, step: number, actor: string): Transfer {
  const isRendezvous = event.kind === "rendezvous";
  return {
    channel: event.channel,
    message: event.message,
    from: { process: event.from ?? actor, step },
    to: isRendezvous && event.to !== undefined ? { process: event.to, step } : undefined,
    isLost: event.kind === "lost",
    isRendezvous,
  };
}

function receive(
  event: MessageEvent,
  to: Endpoint,
  transfers: Transfer[],
  waiting: Map<number, number[]>,
): void {
  const queue = queueOf(event.channelId, waiting);
  const same = queue.findIndex((index) => nth(transfers, index).message === event.message);
  const [index] = queue.splice(Math.max(0, same), 1);
  const { channel, message } = event;
  if (index !== undefined) transfers[index] = { ...nth(transfers, index), to };
  else transfers.push({ channel, message, from: undefined, to, isLost: false, isRendezvous: false });
}

function queueOf(channel: number, waiting: Map<number, number[]>): number[] {
  let queue = waiting.get(channel);
  if (!queue) waiting.set(channel, (queue = []));
  return queue;
}

/** The transfers that end at a step, by its position; `stepOf` distinguishes the ends. */
export function transfersByStep(
  transfers: readonly Transfer[],
  stepOf: (transfer: Transfer) => number | undefined,
): ReadonlyMap<number, readonly Transfer[]> {
  const groups = new Map<number, Transfer[]>();
  for (const transfer of transfers) {
    const step = stepOf(transfer);
    if (step === undefined) continue;
    const group = groups.get(step);
    if (group) group.push(transfer);
    else groups.set(step, [transfer]);
  }
  return groups;
}
