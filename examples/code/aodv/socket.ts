/**
 * Datagrams to neighbours, in the manner of `node:dgram`: delivery is not guaranteed, and sending may fail
 * immediately.
 */
import type { Environment } from "everypath/system";
import type { Address, Packet } from "./packets.js";

export class DatagramSocket {
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** False: the system has no room (ENOBUFS), and nothing was sent. */
  send(packet: Packet, to: Address): boolean {
    if (this.hasNoRoom()) return false;
    this.environment.send(to, packet);
    return true;
  }

  /** To all nodes in reach. */
  broadcast(packet: Packet): boolean {
    if (this.hasNoRoom()) return false;
    this.environment.broadcast(packet);
    return true;
  }

  private hasNoRoom(): boolean {
    return this.environment.fails("send");
  }
}
