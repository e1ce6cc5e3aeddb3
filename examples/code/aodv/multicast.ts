/** Multicast groups: members are on the group's tree. The checked networks have no groups. */
import { has, transmit, type Core } from "./core.js";
import type { Address, GroupActivation } from "./packets.js";
import type { NeighbourRecord, PacketBuffer } from "./pool.js";

export class MulticastTree {
  readonly members: NeighbourRecord[] = [];

  /** The handler releases the buffer. */
  onActivation(core: Core, from: Address, buffer: PacketBuffer): void {
    const packet = buffer.packet as GroupActivation;
    if (packet.joins) this.join(core, from);
    else this.leave(core, from);
    this.forward(core, packet);
    core.pools.buffers.release(buffer);
  }

  private join(core: Core, member: Address): void {
    const record = core.pools.neighbours.acquire();
    // EX2: there may be no record.
    if (record === null && !has(core, "EX2")) return;
    record!.address = member;
    this.members.push(record!);
  }

  private leave(core: Core, member: Address): void {
    const place = this.members.findIndex(({ address }) => address === member);
    if (place < 0) return;
    const [record] = this.members.splice(place, 1);
    core.pools.neighbours.release(record!);
  }

  private forward(core: Core, packet: GroupActivation): void {
    const buffer = core.pools.buffers.acquire();
    // EX3: there may be no buffer.
    if (buffer === null && !has(core, "EX3")) return;
    buffer!.packet = packet;
    transmit(core, buffer!);
  }
}
