/**
 * A trace as a log for ShiViz: one event a step, with a vector clock.
 *
 * A receive includes the clock of the sender at the send; a rendezvous starts with the sender's event. ShiViz reads it with the
 * expression `(?<host>\S+) (?<clock>{.*})\n(?<event>.*)`.
 */
import { matchMessages, transfersByStep, type Transfer } from "./messages.js";
import type { Narrative } from "./narrative.js";

export function renderShiviz({ steps }: Narrative): string {
  const clocks = new Map<string, Clock>();
  const sent = new Map<Transfer, Clock>();
  const transfers = matchMessages(steps);
  const sentIn = transfersByStep(transfers, ({ from }) => from?.step);
  const receivedIn = transfersByStep(transfers, ({ to }) => to?.step);
  const lines: string[] = [];
  for (const [index, step] of steps.entries()) {
    let heard = (receivedIn.get(index) ?? []).flatMap((transfer) => sent.get(transfer) ?? []);
    for (const process of step.participants) {
      const known = join([clocks.get(process) ?? new Map(), ...heard]);
      known.set(process, (known.get(process) ?? 0) + 1);
      clocks.set(process, known);
      lines.push(`${host(process)} ${clockText(known)}`, plain(`${step.number}. ${step.action}`));
      heard = [known];
    }
    for (const transfer of sentIn.get(index) ?? []) sent.set(transfer, heard[0] ?? new Map());
  }
  return `${lines.join("\n")}\n`;
}

type Clock = Map<string, number>;

function join(clocks: readonly Clock[]): Clock {
  const joined: Clock = new Map();
  for (const clock of clocks)
    for (const [process, time] of clock) joined.set(process, Math.max(time, joined.get(process) ?? 0));
  return joined;
}

const host = (process: string): string => process.replace(/\s+/g, "_");

const clockText = (clock: Clock): string =>
  JSON.stringify(Object.fromEntries([...clock].map(([process, time]) => [host(process), time])));

const plain = (text: string): string => text.replace(/\s*\n\s*/g, " / ");
