/**
 * Agents of a network, for fairness: each switch, each client that receives, and the controller. Sends, events, link failures and
 * expiring rules belong to the environment: they may happen, and need not.
 */
import { FOREIGN_AGENT } from "../../model/index.js";
import type { Network, NetworkAction } from "../../model/network.js";

export const agentsOf = ({ switches, clients }: Network): number => switches.length + clients.length + 1;

/** The agent of a step as a bit of `Labels`; 0: the environment. */
export function agentOf(action: NetworkAction, network: Network): number {
  const agent = numberOf(action, network);
  if (agent === undefined) return 0;
  return agent < MOST_AGENTS ? 1 << agent : FOREIGN_AGENT;
}

const MOST_AGENTS = 31;

function numberOf(action: NetworkAction, { switches, clients }: Network): number | undefined {
  switch (action.kind) {
    case "match":
    case "nomatch":
    case "add":
    case "del":
    case "forward":
    case "barrier":
      return action.switch;
    case "receive":
      return switches.length + action.client;
    case "control":
    case "barrierReply":
      return switches.length + clients.length;
    case "send":
    case "event":
    case "expire":
    case "fail":
      return undefined;
  }
}
