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
  const packet = "packet" in event ? network.packet(event.packet) : undefined;
  const whose = "node" in event ? event.node : "";
  const about = packet ? `${packet.from} ${packet.message}${packet.isCopy ? " again" : ""}` : "";
  const rest = restOf(event);
  const keeps = event.kind === "deliver" && event.keeps;
  const name = `${event.kind} ${whose} ${keeps} ${rest} ${call} ${about}`;
  return packet ? `${name} ${RECEIVERS}${packet.to.join()}` : name;
}

/** Precedes the remaining receivers, which distinguish packets, but not the shapes of deliveries. */
const RECEIVERS = "to ";

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
  const [kind, whose, ...rest] = event.replace(/ to [\d,]*$/, "").split(" ");
  return `${kind} ${whose} ${rest.join(" ").replace(/\d+/g, "#")}`;
}
