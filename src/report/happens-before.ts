/**
 * The order that processes and messages impose on the steps of a trace, as vector clocks.
 *
 * A receive includes the clock of the sender at the send; a rendezvous starts with the sender's event. Shared variables also order
 * steps, and are not considered here.
 */
import { matchMessages, transfersByStep, type Transfer } from "./messages.js";
import type { NarratedStep } from "./narrative.js";

/** By process, the number of its events that are known. */
export type Clock = ReadonlyMap<string, number>;

/** The part of one process in one step. */
export interface ClockedEvent {
  /** Position in the list of described steps. */
  readonly step: number;
  readonly process: string;
  readonly clock: Clock;
}

export function clockedEvents(
  steps: readonly NarratedStep[],
  transfers: readonly Transfer[] = matchMessages(steps),
): readonly ClockedEvent[] {
  const clocks = new Map<string, Clock>();
  const sent = new Map<Transfer, Clock>();
  const sentIn = transfersByStep(transfers, ({ from }) => from?.step);
  const receivedIn = transfersByStep(transfers, ({ to }) => to?.step);
  const events: ClockedEvent[] = [];
  for (const [index, step] of steps.entries()) {
    let heard = (receivedIn.get(index) ?? []).flatMap((transfer) => sent.get(transfer) ?? []);
    for (const process of step.participants) {
      const clock = join([clocks.get(process) ?? new Map(), ...heard]);
      clock.set(process, (clock.get(process) ?? 0) + 1);
      clocks.set(process, clock);
      events.push({ step: index, process, clock });
      heard = [clock];
    }
    for (const transfer of sentIn.get(index) ?? []) sent.set(transfer, heard[0] ?? new Map());
  }
  return events;
}

/** Does the first event happen before the second? */
export const happensBefore = (a: ClockedEvent, b: ClockedEvent): boolean =>
  a !== b && (a.clock.get(a.process) ?? 0) <= (b.clock.get(a.process) ?? 0);

function join(clocks: readonly Clock[]): Map<string, number> {
  const joined = new Map<string, number>();
  for (const clock of clocks)
    for (const [process, time] of clock) joined.set(process, Math.max(time, joined.get(process) ?? 0));
  return joined;
}
