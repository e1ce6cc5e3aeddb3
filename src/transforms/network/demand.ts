/**
 * From a trace of a reduced network to actions of the concrete one.
 *
 * In the reduced network a packet seen once is there forever, in the concrete one each copy is consumed. So the trace is
 * walked backwards, counting the copies needed: a match whose outcome is needed n times happens n times and needs n packets;
 * a request happens once; clients send each copy needed. Unneeded matches are omitted. Running the
 * concrete network decides whether it can follow.
 */
import type { Arrival, Copy, NetworkAction, PacketData } from "../../model/network.js";

export interface AbstractStep {
  readonly actions: readonly NetworkAction[];
}

/** Goal at the end: a packet somewhere, or the action (by its position in the last step) itself. */
export interface Goal {
  readonly packets: readonly { readonly data: PacketData; readonly at: Where }[];
  readonly action: number | undefined;
}

type Where = { readonly kind: "switch" | "client"; readonly index: number; readonly port: number };

export interface Abilities {
  /** The client that can send this packet, if any can. */
  canSend(arrival: Arrival): number | undefined;
  /** Does receiving do more than take the packet away and send others? */
  mustReceive(client: number): boolean;
}

/** The actions to take, in order; undefined when more is needed than can ever be there. */
export function demandedActions(
  steps: readonly AbstractStep[],
  goal: Goal,
  { canSend, mustReceive }: Abilities,
): NetworkAction[] | undefined {
  const demand = new Demand();
  for (const { data, at } of goal.packets) demand.want(whereKey(at, data), 1);
  const taken: NetworkAction[] = [];
  const actions = steps.flatMap(({ actions: all }, step) =>
    all.map((action, position) => ({
      action,
      isGoal: step === steps.length - 1 && position === goal.action,
    })),
  );
  const last = actions.findIndex(({ isGoal }) => isGoal);
  for (const { action, isGoal } of (last < 0 ? actions : actions.slice(0, last + 1)).reverse()) {
    const times = timesOf(action, demand, isGoal, mustReceive);
    for (const key of produced(action)) demand.give(key, times);
    for (const key of consumed(action)) demand.want(key, times);
    for (let i = 0; i < times; i++) taken.push(action);
  }
  // The remaining packets were in the queues from the start: some client must be able to send them.
  for (const [key, times] of demand.left()) {
    const arrival = arrivalOf(key);
    const client = arrival && canSend(arrival);
    if (arrival === undefined || client === undefined) return undefined;
    for (let i = 0; i < times; i++) taken.push({ kind: "send", client, arrival });
  }
  return taken.reverse();
}

function timesOf(
  action: NetworkAction,
  demand: Demand,
  isGoal: boolean,
  mustReceive: Abilities["mustReceive"],
): number {
  switch (action.kind) {
    case "receive":
      if (mustReceive(action.client)) return 1;
      return Math.max(isGoal ? 1 : 0, demand.most(produced(action)));
    case "match":
    case "send":
      return Math.max(isGoal ? 1 : 0, demand.most(produced(action)));
    default:
      return 1;
  }
}

class Demand {
  readonly #counts = new Map<string, number>();

  want(key: string, times: number): void {
    if (times > 0) this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  give(key: string, times: number): void {
    const left = (this.#counts.get(key) ?? 0) - times;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  most(keys: readonly string[]): number {
    return Math.max(0, ...keys.map((key) => this.#counts.get(key) ?? 0));
  }

  left(): readonly (readonly [string, number])[] {
    return [...this.#counts];
  }
}

function produced(action: NetworkAction): string[] {
  switch (action.kind) {
    case "send":
      return [arrivalKey(action.arrival)];
    case "receive":
    case "event":
      return action.emits.map(arrivalKey);
    case "match":
    case "forward":
      return action.copies.flatMap(copyKey);
    default:
      return [];
  }
}

function consumed(action: NetworkAction): string[] {
  switch (action.kind) {
    case "match":
    case "nomatch":
      return [whereKey({ kind: "switch", index: action.switch, port: action.port }, action.packet)];
    case "receive":
      return [whereKey({ kind: "client", index: action.client, port: action.port }, action.packet)];
    default:
      return [];
  }
}

const copyKey = ({ to, data }: Copy): string[] => (to ? [whereKey(to, data)] : []);

const arrivalKey = ({ switch: index, port, data }: Arrival): string =>
  whereKey({ kind: "switch", index, port }, data);

const whereKey = ({ kind, index, port }: Where, data: PacketData): string =>
  `${kind}|${index}|${port}|${data.join()}`;

function arrivalOf(key: string): Arrival | undefined {
  const [kind, index, port, data] = key.split("|");
  if (kind !== "switch") return undefined;
  return {
    switch: Number(index),
    port: Number(port),
    data: data === "" ? [] : data!.split(",").map(Number),
  };
}
