/* expected: holds */
/* expected with -D FORGETFUL: violated (one value is chosen) */
/**
 * A register by Paxos: three acceptors, two proposers that each try once, with different values. Messages may be lost and
 * overtake each other. The acceptors are symmetric: states that differ only in their names are searched once.
 *
 * -D FORGETFUL: a proposer takes its own value even if an acceptor has accepted another.
 */
import { defineSystem, type Environment } from "everypath/system";

type Message =
  | { type: "prepare"; ballot: number }
  | { type: "promise"; ballot: number; accepted: Accepted | null }
  | { type: "accept"; ballot: number; value: string }
  | { type: "accepted"; ballot: number };

interface Accepted {
  ballot: number;
  value: string;
}

class Acceptor {
  promised = 0;
  accepted: Accepted | null = null;
  /** All accepted proposals: needed by the property, not by the protocol. */
  readonly votes: Accepted[] = [];

  constructor(readonly environment: Environment) {}

  onMessage(from: string, message: Message): void {
    if (message.type === "prepare" && message.ballot > this.promised) {
      this.promised = message.ballot;
      this.environment.send(from, {
        type: "promise",
        ballot: message.ballot,
        accepted: this.accepted && { ...this.accepted },
      });
    }
    if (message.type === "accept" && message.ballot >= this.promised) {
      this.promised = message.ballot;
      this.accepted = { ballot: message.ballot, value: message.value };
      if (!this.votes.some(({ ballot }) => ballot === message.ballot)) this.votes.push(this.accepted);
    }
  }
}

class Proposer {
  /** Acceptors that promised; null without a pending request. */
  promises: string[] | null = null;
  best: Accepted | null = null;
  readonly #environment: Environment;
  readonly #ballot: number;
  readonly #isForgetful: boolean;

  constructor(environment: Environment, ballot: number, isForgetful: boolean) {
    this.#environment = environment;
    this.#ballot = ballot;
    this.#isForgetful = isForgetful;
  }

  propose(): void {
    this.promises = [];
    this.#environment.send(acceptors, { type: "prepare", ballot: this.#ballot });
  }

  onMessage(from: string, message: Message): void {
    if (message.type !== "promise" || !this.promises || this.promises.includes(from)) return;
    this.promises = [...this.promises, from].sort();
    const { accepted } = message;
    if (accepted && !this.#isForgetful && accepted.ballot > (this.best?.ballot ?? 0)) this.best = accepted;
    if (this.promises.length < 2) return;
    const value = this.best?.value ?? `value of ${this.#environment.name}`;
    this.promises = null;
    this.best = null;
    this.#environment.send(acceptors, { type: "accept", ballot: this.#ballot, value });
  }
}

const acceptors = ["a1", "a2", "a3"];

export default defineSystem<Acceptor | Proposer>((parameters) => {
  const isForgetful = parameters["FORGETFUL"] === true;
  return {
    nodes: {
      a1: (environment) => new Acceptor(environment),
      a2: (environment) => new Acceptor(environment),
      a3: (environment) => new Acceptor(environment),
      p1: (environment) => new Proposer(environment, 1, isForgetful),
      p2: (environment) => new Proposer(environment, 2, isForgetful),
    },
    symmetric: [acceptors],
    network: { loss: true },
    actions: {
      p1: { on: "p1", times: 1, run: (node) => (node as Proposer).propose() },
      p2: { on: "p2", times: 1, run: (node) => (node as Proposer).propose() },
    },
    // Compared by --refines ../refinement/consensus.pml.
    observe: ({ nodes }) => {
      const proposers = chosen(nodes as Record<string, Acceptor>).map((value) =>
        value.replace("value of ", ""),
      );
      return { chosen: proposers.join(" and ") || "nothing" };
    },
    always: {
      "one value is chosen": ({ nodes }) => chosen(nodes as Record<string, Acceptor>).length <= 1,
    },
    sometimes: {
      "a value is chosen": ({ nodes }) => chosen(nodes as Record<string, Acceptor>).length === 1,
    },
  };
});

/** Values that a majority has accepted under one ballot, now or before. */
function chosen(nodes: Readonly<Record<string, Acceptor>>): string[] {
  const votes = acceptors.flatMap((name) => nodes[name]!.votes);
  const isChosen = (vote: Accepted): boolean =>
    votes.filter(({ ballot }) => ballot === vote.ballot).length >= 2;
  return [...new Set(votes.filter(isChosen).map(({ value }) => value))];
}
