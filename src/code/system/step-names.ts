/** Descriptions of steps that are the same in every state and every run: positions and numbers are not. */
import type { Event } from "./events.js";
import type { LocalSteps, Outcome } from "./local-steps.js";
import type { Network } from "./network.js";

/** A step, by its event and the choices of its code. */
export interface NamedStep {
  readonly event: string;
  readonly choices: string;
}

export function nameOf(
  event: Event,
  { network, local }: { readonly network: Network; readonly local: LocalSteps },
): string {
  const call = "call" in event ? JSON.stringify(local.call(event.call)) : "";
  const packet = "packet" in event ? JSON.stringify(network.packet(event.packet)) : "";
  const whose = "node" in event ? event.node : "";
  // The remaining receivers do not distinguish deliveries.
  const about = event.kind === "deliver" || event.kind === "miss" ? "" : packet;
  const rest = restOf(event);
  const keeps = event.kind === "deliver" && event.keeps;
  return `${event.kind} ${whose} ${keeps} ${rest} ${call} ${about}`;
}

function restOf(event: Event): string | number {
  if (event.kind === "crash") return `${event.kept.join()} ${event.torn ?? ""}`;
  if (event.kind === "corrupt") return `${event.how} ${event.key}`;
  if (event.kind === "start") return event.start.words.join();
  return event.kind === "partition" ? event.mask : "";
}

export const choicesOf = (outcome: Outcome | undefined): string =>
  outcome ? outcome.choices.join() + (outcome.crash ? ` crash ${JSON.stringify(outcome.crash)}` : "") : "";

/** The same event up to numbers in its messages. */
export function shapeOf(event: string): string {
  const [kind, whose, ...rest] = event.split(" ");
  return `${kind} ${whose} ${rest.join(" ").replace(/\d+/g, "#")}`;
}
