/**
 * Transport of frames between ports, used by `node:dgram` and `node:net`.
 *
 * A host is a name. A test of async code has one, `localhost`, whose frames are pending items, delivered in any order.
 * A node of a system is a host with the node's name, and its frames are messages of the system's network, subject to
 * its faults.
 */
import { Relied, type Pending, type World } from "../world/world.js";
import { entryOf } from "../../model/known.js";

export type Frame = Datagram | Segment;

export interface Datagram {
  readonly kind: "datagram";
  readonly fromPort: number;
  readonly toPort: number;
  /** Bytes as characters of a string. */
  readonly data: string;
}

/** Segments of a stream are numbered, so that the network cannot reorder or duplicate them. */
export interface Segment {
  readonly kind: "segment";
  readonly fromPort: number;
  readonly toPort: number;
  readonly number: number;
  readonly what: "connect" | "accept" | "data" | "end" | "reset";
  readonly data: string;
  /** Number of combined segments, if bytes of several arrived together. */
  readonly covers?: number;
}

export interface Wire {
  readonly host: string;
  /** Whether the host exists; includes aliases of this host. */
  knows(host: string): boolean;
  send(to: string, frame: Frame): void;
  receive: (from: string, frame: Frame) => void;
}

export const wirePart = "wire";

/** The wire of this world, or of this node if the checker has set one. */
export function wireOf(world: World): Wire {
  let wire = world.parts.get(wirePart) as Wire | undefined;
  if (!wire) world.parts.set(wirePart, (wire = new LocalWire(world)));
  return wire;
}

/** Limits of network faults per schedule. */
export interface NetworkFaults {
  /** Datagrams. */
  losses: number;
  duplicates: number;
  /** Connections: a segment's bytes arrive in two parts, cut anywhere. */
  splits: number;
  resets: number;
  /** Blocks all deliveries until healed. */
  isCut: boolean;
}

export function faultsOf(world: World): NetworkFaults {
  let faults = world.parts.get("network-faults") as NetworkFaults | undefined;
  if (!faults) {
    faults = { losses: 0, duplicates: 0, splits: 0, resets: 0, isCut: false };
    world.parts.set("network-faults", faults);
  }
  return faults;
}

export const localHost = "localhost";
const localNames = new Set(["", "localhost", "127.0.0.1", "0.0.0.0", "::1", "::", "ip6-localhost"]);
export const isLocalName = (host: string): boolean => localNames.has(host);

/** Connects all code of one realm, on one host. */
class LocalWire implements Wire {
  readonly host = localHost;
  receive: Wire["receive"] = () => undefined;
  readonly #world: World;
  readonly #data = new WeakMap<Pending, Segment>();

  constructor(world: World) {
    this.#world = world;
  }

  knows(host: string): boolean {
    return isLocalName(host);
  }

  send(_to: string, frame: Frame): void {
    const text = frameText(frame);
    this.#world.record("call", "network", text);
    this.#add(frame, text);
  }

  #add(frame: Frame, text: string): void {
    const faults = faultsOf(this.#world);
    this.#world.rely(Relied.wholeSegments); // sound: test/code/network.test.ts
    // Segments in one direction of a connection stay in order; datagrams do not.
    const queue = frame.kind === "segment" ? `segments ${frame.fromPort} ${frame.toPort}` : ""; // sound: test/code/network.test.ts
    const item = this.#world.add({
      lane: "network",
      label: text,
      queue,
      due: undefined,
      isBlocked: () => faults.isCut,
      run: () => {
        if (frame.kind === "datagram")
          this.#deliverDatagram(frame, text, faults); // sound: test/code/network.test.ts
        else this.#deliverSegment(this.#joined(frame, queue), faults);
      },
    });
    if (frame.kind === "segment" && frame.what === "data") this.#data.set(item, frame); // sound: test/code/network.test.ts
  }

  /** Bytes in transit on one connection may arrive together. */
  #joined(frame: Segment, queue: string): Segment {
    if (frame.what !== "data") return frame; // sound: test/code/network.test.ts
    const waiting = this.#world.pending.filter((item) => item.queue === queue); // sound: test/code/network.test.ts
    const first = waiting.findIndex((item) => !this.#data.has(item)); // sound: test/code/network.test.ts
    const following = first < 0 ? waiting : waiting.slice(0, first); // sound: test/code/network.test.ts
    const joined = following.slice(0, this.#world.choose(following.length + 1)); // sound: test/code/network.test.ts
    if (joined.length === 0) return frame; // sound: test/code/network.test.ts
    this.#world.record("note", "network", `${joined.length + 1} segments at once`);
    const frames = joined.map((item) => entryOf(this.#data, item));
    for (const item of joined) this.#world.remove(item); // sound: test/code/network.test.ts
    const data = frame.data + frames.map((other) => other.data).join("");
    return { ...frame, data, covers: joined.length + 1 };
  }

  #deliverDatagram(frame: Datagram, text: string, faults: NetworkFaults): void {
    if (faults.losses > 0 && this.#world.choose(2) === 1) {
      // sound: test/code/network.test.ts
      faults.losses--;
      return this.#world.record("note", "network", "lost");
    }
    if (faults.duplicates > 0 && this.#world.choose(2) === 1) {
      // sound: test/code/network.test.ts
      faults.duplicates--;
      this.#world.record("note", "network", "will come once more");
      this.#add(frame, text);
    }
    this.receive(localHost, frame);
  }

  #deliverSegment(frame: Segment, faults: NetworkFaults): void {
    if (faults.resets > 0 && frame.what === "data" && this.#world.choose(2) === 1) {
      // sound: test/code/network.test.ts
      faults.resets--;
      this.#world.record("note", "network", "the connection is reset");
      const reset = { ...frame, what: "reset", data: "" } as const;
      this.receive(localHost, { ...reset, fromPort: frame.toPort, toPort: frame.fromPort });
      return this.receive(localHost, reset);
    }
    this.receive(localHost, frame);
  }
}

export function frameText(frame: Frame): string {
  const text = frame.data.length > 20 ? `${frame.data.slice(0, 20)}…` : frame.data;
  const what = frame.kind === "datagram" ? "datagram" : frame.what;
  return `${what} ${frame.fromPort} to ${frame.toPort}${text === "" ? "" : ` ${JSON.stringify(text)}`}`;
}

export const textOfBytes = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

export const bytesOfText = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));
