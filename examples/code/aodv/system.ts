/* expected: holds */
/* expected with -D RL2: violated (loop freedom) */
/* expected with -D FAILURES=1 -D ML5: violated (no leaks) */
/**
 * Routers of an ad-hoc network (`router.ts`) over datagrams that get lost and overtake each other, with the errors of
 * `errors.ts` to switch on, singly or combined: `-D RL0`.
 *
 * -D N=3 fully connected nodes, the last of them the destination; -D LINE4: four nodes in a line.
 * -D Q=2 packets in flight at most. -D MAXSEQ=4, -D MAXBID=1: bounds of sequence numbers and request numbers.
 * -D LF=1 link failures, -D TO=0 timeouts, -D RB=0 restarts in all, -D FAILURES=0 allocations (or, with -D SENDS, sendings) that
 * fail, -D FORGED=0 packets of an attacker. -D RETRIES=1: repetitions of a search. -D GRAT: gratuitous replies.
 * -D STRICT: compares every change of a routing table with the specification.
 *
 * A restart empties the routing table. Without the waiting time that the protocol requires after it, correct routers
 * have loops: with -D RB=1, check only crashes of the program.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";
import { leaksOf, loopIn, wrongIn, wrongWith } from "./audit.js";
import type { Settings } from "./core.js";
import type { RouterError } from "./errors.js";
import { INFINITY, type Address, type Packet } from "./packets.js";
import { Router } from "./router.js";
import { isValid } from "./route-table.js";

/** A router under observation: counts its records after every event. */
class ObservedRouter extends Router {
  leaks = "";

  override onMessage(from: Address, data: unknown): void {
    super.onMessage(from, data);
    this.leaks = leaksOf(this);
  }

  override send(destination: Address): void {
    super.send(destination);
    this.leaks = leaksOf(this);
  }

  override linkFails(neighbour: Address): void {
    super.linkFails(neighbour);
    this.leaks = leaksOf(this);
  }

  override timeOut(key: string): void {
    super.timeOut(key);
    this.leaks = leaksOf(this);
  }
}

/** The last node is the destination of all others. */
const DESTINATION = "D";

export default defineSystem<ObservedRouter>((parameters) => {
  const bound = (name: string, otherwise: number): number => Number(parameters[name] ?? otherwise);
  const isLine = parameters["LINE4"] === true;
  const names = ["A", "B", "X"].slice(0, (isLine ? 4 : bound("N", 3)) - 1).concat(DESTINATION);
  const seekers = names.filter((name) => name !== DESTINATION);
  const maxSeq = bound("MAXSEQ", 4);
  const maxBid = bound("MAXBID", 1);
  const settings = settingsFrom(parameters);
  return {
    nodes: Object.fromEntries(
      names.map((name) => [name, (environment: Environment) => new ObservedRouter(environment, settings)]),
    ),
    network: {
      capacity: bound("Q", 2),
      loss: true,
      ...(isLine ? { links: [["D", "B"] as const, ["B", "A"] as const, ["A", "X"] as const] } : {}),
    },
    faults: {
      crashes: bound("RB", 0),
      crashing: seekers,
      // As published: a reboot comes between two handlers.
      crashesAt: "between-handlers",
      failures: bound("FAILURES", 0),
      failing: [parameters["SENDS"] ? "send" : "acquire"],
    },
    budgets: { linkFailures: bound("LF", 1), timeouts: bound("TO", 0), forged: bound("FORGED", 0) },
    actions: {
      send: {
        on: seekers,
        when: (node) => !isValid(node.table.find(DESTINATION)) && node.bid < maxBid,
        run: (node) => node.send(DESTINATION),
      },
      linkFails: {
        values: names,
        when: (node, neighbour: Address) => node.neighbours.knows(neighbour),
        run: (node, neighbour: Address) => node.linkFails(neighbour),
        budget: "linkFailures",
      },
      timeOut: {
        on: seekers,
        values: [`route ${DESTINATION}`, `request ${DESTINATION}`],
        when: (node, key: string) => node.timers.has(key),
        run: (node, key: string) => node.timeOut(key),
        budget: "timeouts",
      },
      forge: {
        on: seekers,
        values: forgeries,
        run: (node, packet: Packet) => node.onMessage(names.at(-1)!, packet),
        budget: "forged",
      },
    },
    discard: ({ seq, bid, table }) =>
      seq > maxSeq || bid > maxBid || table.entries.some((route) => route.seq > maxSeq),
    always: {
      "loop freedom": ({ nodes, names: all, isUp }) =>
        loopIn(Object.fromEntries(all.filter(isUp).map((name) => [name, nodes[name]!]))) ?? true,
      "routing tables are in order": ({ nodes, names: all, isUp }) =>
        all
          .filter(isUp)
          .map((name) => wrongIn(nodes[name]!))
          .find((wrong) => wrong !== undefined) ?? true,
      "no leaks": ({ nodes, names: all, isUp }) =>
        all
          .filter((name) => isUp(name) && nodes[name]!.leaks !== "")
          .map((name) => `${name} has lost ${nodes[name]!.leaks}`)[0] ?? true,
    },
    messages: {
      "packets are in order": (packet: Packet, from) => wrongWith(packet, from) ?? true,
    },
  };
});

/** Packets of an attacker, all of which must be rejected. */
const forgeries: readonly Packet[] = [
  { type: "RREP", hop: INFINITY, dst: "D", seq: 2, orig: "A", lifetimeMs: 1, reserved: 0 },
  { type: "RREP", hop: 0, dst: "D", seq: 2, orig: "nobody", lifetimeMs: 1, reserved: 0 },
  { type: "RREQ", hop: INFINITY, bid: 1, orig: "B", oseq: 2, dst: "D", dseq: 0, reserved: 0 },
];

function settingsFrom(parameters: Parameters): Settings {
  const bounds = /^(?:N|Q|MAXSEQ|MAXBID|LF|TO|RB|FAILURES|FORGED|RETRIES|LINE4|GRAT|SENDS|STRICT)$/;
  const isOn = (name: string): boolean => parameters[name] === true;
  return {
    errors: Object.keys(parameters).filter((name) => !bounds.test(name)) as RouterError[],
    isGratuitous: isOn("GRAT"),
    retries: Number(parameters["RETRIES"] ?? 1),
    isDurable: Number(parameters["RB"] ?? 0) > 0,
    isStrict: isOn("STRICT"),
  };
}
