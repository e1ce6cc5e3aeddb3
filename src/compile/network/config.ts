/** The semantics of a network: concrete, or with some of the published reductions. */
export interface NetworkConfig {
  /** Barriers are processed within the step that sends them (R1). */
  readonly mergesBarriers: boolean;
  /** Clients receive within the step that delivers (R2); `first`: in separate steps, before any other step. */
  readonly clients: "apart" | "first" | "atomic";
  /** Counts of a packet or message are exact up to this; a larger count stands for any number (R3 is 0). */
  readonly countLimit: number;
  /** A switch matches all its packets in one step (R4); `transitive`: including packets that return to it in that step. */
  readonly oneShot: "off" | "plain" | "transitive";
  /** The controller replies within the step that makes the request (R5). */
  readonly mergesRequests: boolean;
  /** A reply takes effect within the step that sends it (R6). */
  readonly repliesAtOnce: boolean;
  /** Every packet that clients can send is in the queues from the start (R7). */
  readonly preloads: boolean;
  /** Executed messages leave the control queue, and none is in it twice (R8). */
  readonly countsMessages: boolean;
  /** A table changes only if a packet that matches the rule is present (R9). */
  readonly installsOnArrival: boolean;
  /** Rules are installed only together with their first use (R10): unsound, for comparison with published figures. */
  readonly installsLazily: boolean;
  /** Limit on how often each client sends each of its packets. */
  readonly sendLimit: number;
  /** A client that does not receive atomically keeps only the last packet: unsound, for the same comparison. */
  readonly keepsLastOnly: boolean;
}

export const concreteConfig: NetworkConfig = {
  mergesBarriers: false,
  clients: "apart",
  countLimit: Infinity,
  oneShot: "off",
  mergesRequests: false,
  repliesAtOnce: false,
  preloads: false,
  countsMessages: false,
  installsOnArrival: false,
  installsLazily: false,
  sendLimit: Infinity,
  keepsLastOnly: false,
};
