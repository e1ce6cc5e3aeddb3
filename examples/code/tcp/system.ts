/* expected with -D DATA=1 -D DUPLICATES=0: holds */
/* expected with -D T2: violated (as the standard says) */
/* expected with -D ENV=3 -D T3: violated (as the standard says) */
/* expected with -D ZERO -D DATA=0 -D DUPLICATES=0 -D STRICT: violated (as the standard says) */
/**
 * Two hosts that open a connection, exchange data and close it (`connection.ts`), compared with a model of the standard
 * (`reference.ts`), over a network that loses, duplicates and reorders segments; with the errors of `errors.ts` to switch on.
 *
 * -D ENV=1: a client connects, data flows both ways, both close after the last data. 2: the server may also connect.
 * 3: both may close at any time. 4: the network may flip flags. -D ZERO: receivers may close their windows.
 * -D DATA=1 units from each side; -D Q=2 segments in flight; -D DUPLICATES=1, -D TIMEOUTS=2 in all; -D FLIPS=1 flipped flags.
 * -D STRICT: behaviour that the standard leaves open is an error. -D WARM: each host has had one session before.
 * -D COUNTED: statistics are part of the state.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";
import type { TcpError } from "./errors.js";
import { Host } from "./host.js";
import { checksum, type Segment } from "./segment.js";

export default defineSystem<Host>((parameters) => {
  const bound = (name: string, otherwise: number): number => Number(parameters[name] ?? otherwise);
  const environment = bound("ENV", 1);
  const units = bound("DATA", 1);
  const isDone = ({ sent, connection }: Host): boolean =>
    sent.length === units && connection.received.length === units;
  return {
    nodes: {
      client: (world) => new Host(world, optionsOf("server", parameters, world)),
      server: (world) => new Host(world, optionsOf("client", parameters, world)),
    },
    network: { capacity: bound("Q", 2), loss: true, duplicates: bound("DUPLICATES", 1) },
    faults: { failures: environment >= 4 ? bound("FLIPS", 1) : 0 },
    budgets: { timeouts: bound("TIMEOUTS", 2), windows: parameters["ZERO"] ? 2 : 0 },
    ignore: parameters["COUNTED"] ? [] : ["stack.statistics.*"],
    actions: {
      connect: {
        on: environment >= 2 ? ["client", "server"] : "client",
        when: ({ connection, hasOpened }) =>
          !hasOpened && !connection.isAbandoned && ["CLOSED", "LISTEN"].includes(connection.state),
        run: (host) => host.connect(),
      },
      send: {
        when: ({ sent, connection }) =>
          sent.length < units &&
          !connection.isAbandoned &&
          ["ESTABLISHED", "CLOSE_WAIT"].includes(connection.state),
        run: (host) => host.send(String(host.sent.length + 1)),
      },
      close: {
        when: (host) => {
          const { connection, sent } = host;
          if (connection.isAbandoned || connection.state === "CLOSED") return false;
          // Only the initiator uses a half-open connection.
          if (connection.state === "SYN_RCVD" && connection.isPassive) return false;
          if (environment >= 3) return true;
          const isLast = connection.state === "CLOSE_WAIT" && sent.length === units;
          return isLast || (connection.state === "ESTABLISHED" && isDone(host));
        },
        run: (host) => host.close(),
      },
      setWindow: {
        values: [0, 4],
        when: ({ connection }, size: number) =>
          connection.state === "ESTABLISHED" && connection.rcvWnd !== size,
        run: (host, size: number) => host.setWindow(size),
        budget: "windows",
      },
      retransmission: {
        when: ({ stack }) => stack.timers.includes("retransmission"),
        run: (host) => host.timeOut("retransmission"),
        budget: "timeouts",
      },
      timeWait: {
        when: ({ stack }) => stack.timers.includes("time-wait"),
        run: (host) => host.timeOut("time-wait"),
      },
    },
    always: {
      "as the standard says": ({ nodes, names }) =>
        names
          .filter((name) => nodes[name]!.difference !== "")
          .map((name) => `the ${name} ${nodes[name]!.difference}`)[0] ?? true,
      "what is received was sent": ({ nodes }) =>
        nodes["server"]!.sent.startsWith(nodes["client"]!.connection.received) &&
        nodes["client"]!.sent.startsWith(nodes["server"]!.connection.received),
      ...(parameters["RETURN"] ? { "what was held is given back": givenBack } : {}),
    },
    messages: {
      "checksums are right": (segment: Segment) => segment.sum === checksum(segment),
    },
    sometimes: {
      "both have everything": ({ nodes }) => isDone(nodes["client"]!) && isDone(nodes["server"]!),
    },
  };
});

/** After a session, a host holds the same resources as before. */
function givenBack({
  nodes,
  names,
}: {
  readonly nodes: Readonly<Record<string, Host>>;
  readonly names: readonly string[];
}): boolean | string {
  for (const name of names) {
    const host = nodes[name]!;
    const { timers, listeners, metrics } = host.stack;
    const holds = JSON.stringify({ timers, listeners, metrics });
    if (host.connection.state === "CLOSED" && holds !== host.start)
      return `the ${name} had ${host.start} and has ${holds}`;
  }
  return true;
}

function optionsOf(
  peer: string,
  parameters: Parameters,
  { name }: Environment,
): ConstructorParameters<typeof Host>[1] {
  const settings = /^(?:ENV|DATA|Q|DUPLICATES|TIMEOUTS|FLIPS|ZERO|STRICT|WARM|RETURN|COUNTED)$/;
  const isServer = name === "server";
  return {
    peer,
    isServer,
    connection: {
      iss: isServer ? 50 : 0,
      errors: Object.keys(parameters).filter((each) => !settings.test(each)) as TcpError[],
      maxRetries: 1,
      probesWithFin: true,
    },
    corrupted: Number(parameters["ENV"] ?? 1) >= 4 ? ["SYN", "FIN", "RST", "ACK"] : [],
    allows: !parameters["STRICT"],
    isWarm: parameters["WARM"] === true,
  };
}
