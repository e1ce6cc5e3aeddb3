import type { Communication, Expr } from "../../../model/program.js";
import type { ReceiveStatement, SendStatement } from "../ast.js";
import {
  lowerArgument,
  lowerChannel,
  lowerMessageChannel,
  lowerPattern,
  lowerPoll,
  rendezvousSite,
  type Names,
} from "./expressions.js";

export function lowerSend(send: SendStatement, names: Names): Communication {
  const message = send.arguments.flatMap((argument) => lowerArgument(argument, names));
  return { kind: "send", ...lowerMessageChannel(send.channel, names), message, sorted: send.sorted };
}

export function lowerReceive(receive: ReceiveStatement, names: Names): Communication {
  return {
    kind: "receive",
    ...lowerMessageChannel(receive.channel, names),
    pattern: lowerPattern(receive.arguments, names),
    rendezvousSite: receive.peek ? rendezvousSite(receive.channel.span, names) : -1,
    random: receive.random,
    keep: receive.peek,
  };
}

/** Whether a send or receive is executable. False for a rendezvous. */
export function canCommunicate(statement: SendStatement | ReceiveStatement, names: Names): Expr {
  if (statement.kind === "receive") return lowerPoll(statement, names);
  return { kind: "channel-test", test: "nfull", ...lowerChannel(statement.channel, names) };
}

/** Unknown for a variable declared without its channel. */
export function mayBeRendezvous(statement: ReceiveStatement, { context }: Names): boolean {
  const capacity = context.symbolOf(statement.channel)?.channel?.capacity;
  if (capacity !== undefined) return capacity === 0;
  return context.channelTypes.some((type) => type.capacity === 0);
}
