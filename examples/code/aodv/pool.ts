/**
 * Records of fixed kinds in limited number: as on a small device, an allocation may fail, and records must
 * be released.
 *
 * Invariant of a correct router: between two events, the records in use are exactly the records in its tables, each once.
 */
import type { Environment } from "everypath/system";
import type { Address, Packet } from "./packets.js";

/** A record of a pool. */
export abstract class Pooled {
  isHeld = true;

  /** Called before accesses to a field: a released record has no owner, and its fields are undefined. */
  protected held(): void {
    if (!this.isHeld) throw new Error(`a ${this.constructor.name} is used after it was released`);
  }
}

export class Pool<T extends Pooled> {
  inUse = 0;
  private readonly kind: new () => T;
  private readonly capacity: number;
  private readonly environment: Environment;

  constructor(kind: new () => T, capacity: number, environment: Environment) {
    this.kind = kind;
    this.capacity = capacity;
    this.environment = environment;
  }

  /** Null if the pool is exhausted. */
  acquire(): T | null {
    if (this.inUse >= this.capacity || this.environment.fails("acquire")) return null;
    this.inUse++;
    return new this.kind();
  }

  release(record: T): void {
    if (!record.isHeld) throw new Error(`a ${this.kind.name} is released twice`);
    record.isHeld = false;
    this.inUse--;
  }
}

/** An incoming or outgoing packet. Sending gives up its ownership. */
export class PacketBuffer extends Pooled {
  private content: Packet | null = null;

  get packet(): Packet {
    this.held();
    return this.content!;
  }

  set packet(packet: Packet) {
    this.held();
    this.content = packet;
  }
}

/** A neighbour that uses our route and must be notified of its end. */
export class Precursor extends Pooled {
  private neighbour: Address = "";

  get address(): Address {
    this.held();
    return this.neighbour;
  }

  set address(address: Address) {
    this.held();
    this.neighbour = address;
  }
}

/** A pending timer. */
export class TimerRecord extends Pooled {
  key = "";
}

export class RouteEntry extends Pooled {
  destination: Address = "";
  nextHop: Address = "";
  seq = 0;
  hop = 0;
  precursors: Precursor[] = [];
  /** Set while the route is valid. */
  expiry: TimerRecord | null = null;
}

/** A received request. */
export class RequestRecord extends Pooled {
  orig: Address = "";
  bid = 0;
  /** Time for which copies are recognised. */
  lifetimeMs = 0;
}

export class NeighbourRecord extends Pooled {
  address: Address = "";
}

/** A destination of a route error under construction. */
export class ErrorItem extends Pooled {
  dst: Address = "";
  seq = 0;
  hop = 0;
}

/** Data waiting for a route. */
export class WaitingPacket extends Pooled {
  destination: Address = "";
}

/** A search for a route. */
export class Discovery extends Pooled {
  destination: Address = "";
  retries = 0;
  retry: TimerRecord | null = null;
  packets: WaitingPacket[] = [];
}

export class Pools {
  readonly buffers: Pool<PacketBuffer>;
  readonly precursors: Pool<Precursor>;
  readonly timers: Pool<TimerRecord>;
  readonly routes: Pool<RouteEntry>;
  readonly requests: Pool<RequestRecord>;
  readonly neighbours: Pool<NeighbourRecord>;
  readonly items: Pool<ErrorItem>;
  readonly waiting: Pool<WaitingPacket>;
  readonly discoveries: Pool<Discovery>;

  constructor(environment: Environment) {
    this.buffers = new Pool(PacketBuffer, 8, environment);
    this.precursors = new Pool(Precursor, 32, environment);
    this.timers = new Pool(TimerRecord, 16, environment);
    this.routes = new Pool(RouteEntry, 16, environment);
    this.requests = new Pool(RequestRecord, 32, environment);
    this.neighbours = new Pool(NeighbourRecord, 16, environment);
    this.items = new Pool(ErrorItem, 32, environment);
    this.waiting = new Pool(WaitingPacket, 8, environment);
    this.discoveries = new Pool(Discovery, 8, environment);
  }
}
