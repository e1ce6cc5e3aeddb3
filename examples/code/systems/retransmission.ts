/* expected: holds */
/* expected with -D FORGETFUL: violated (assertions) */
/**
 * A sender that retransmits unacknowledged data, at most five times, over a lossy network.
 *
 * -D STATS: counts every packet. No code reads the number, but it makes all states distinct and infinite in number, unless
 * `--slice auto` omits it. The number of repetitions decides when to give up, and is kept.
 * -D FORGETFUL: does not reset the number of repetitions.
 */
import assert from "node:assert";
import { defineSystem, type Environment } from "everypath/system";

const LIMIT = 5;

export let packetsSent = 0;

class Sender {
  state: "idle" | "waiting" | "broken" = "idle";
  repetitions = 0;
  readonly #environment: Environment;
  readonly #countsPackets: boolean;
  readonly #forgets: boolean;

  constructor(environment: Environment, countsPackets: boolean, forgets: boolean) {
    this.#environment = environment;
    this.#countsPackets = countsPackets;
    this.#forgets = forgets;
  }

  begin(): void {
    this.state = "waiting";
    if (!this.#forgets) this.repetitions = 0;
    this.#send();
  }

  onMessage(): void {
    if (this.state !== "waiting") return;
    this.state = "idle";
    this.#environment.clearTimer("not acknowledged");
  }

  onTimer(): void {
    assert(this.repetitions < LIMIT || !this.#forgets, "repeated too often");
    if (this.repetitions === LIMIT) {
      this.state = "broken";
      return;
    }
    this.repetitions++;
    this.#send();
  }

  #send(): void {
    if (this.#countsPackets) packetsSent++;
    this.#environment.send("receiver", "data");
    this.#environment.setTimer("not acknowledged");
  }
}

class Receiver {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  onMessage(from: string): void {
    this.#environment.send(from, "acknowledged");
  }
}

export default defineSystem<Sender | Receiver>(({ STATS, FORGETFUL }) => ({
  nodes: {
    sender: (environment) => new Sender(environment, STATS === true, FORGETFUL === true),
    receiver: (environment) => new Receiver(environment),
  },
  network: { capacity: 2, loss: true },
  actions: {
    send: {
      on: "sender",
      when: (node) => (node as Sender).state !== "waiting",
      run: (node) => (node as Sender).begin(),
    },
  },
  always: {
    "gives up in the end": ({ nodes }) => (nodes["sender"] as Sender).repetitions <= LIMIT,
  },
}));
