/** Listeners of this host: sockets by port, for datagrams and for connections. */
import { world } from "../world/current.js";
import { wireOf, type Datagram, type Frame, type Segment } from "./wire.js";

export interface Ports {
  readonly datagrams: Map<number, (from: string, frame: Datagram) => void>;
  readonly servers: Map<number, (from: string, segment: Segment) => void>;
  /** By local port, remote host and remote port. */
  readonly connections: Map<string, (segment: Segment) => void>;
}

export const ports: Ports = { datagrams: new Map(), servers: new Map(), connections: new Map() };
export const wire = wireOf(world);

const firstFreePort = 49152;

export const freeDatagramPort = (): number => freePort((port) => ports.datagrams.has(port));

/** A free port of connections. `other`: the remote port, since a connection from a port to itself would be two. */
export const freeStreamPort = (other?: number): number =>
  freePort(
    (port) =>
      port === other || // sound: test/code/network.test.ts
      ports.servers.has(port) ||
      [...ports.connections.keys()].some((key) => key.startsWith(`${port} `)),
  );

function freePort(isTaken: (port: number) => boolean): number {
  let port = firstFreePort;
  while (isTaken(port)) port++;
  return port;
}

export const connectionKey = (port: number, host: string, otherPort: number): string =>
  `${port} ${host} ${otherPort}`;

wire.receive = (from: string, frame: Frame): void => {
  if (frame.kind === "datagram") ports.datagrams.get(frame.toPort)?.(from, frame);
  else receiveSegment(from, frame);
};

function receiveSegment(from: string, segment: Segment): void {
  const known = ports.connections.get(connectionKey(segment.toPort, from, segment.fromPort));
  const server = segment.what === "connect" ? ports.servers.get(segment.toPort) : undefined; // sound: test/code/network.test.ts
  if (known)
    known(segment); // sound: test/code/network.test.ts
  else if (server) server(from, segment);
  // Without a listener: only a connection or data needs a reply.
  else if (segment.what === "connect" || segment.what === "data")
    // sound: test/code/network.test.ts
    wire.send(from, {
      kind: "segment",
      fromPort: segment.toPort,
      toPort: segment.fromPort,
      number: -1,
      what: "reset",
      data: "",
    });
}
