/* expected: holds */
/* expected with -D SENDS_FIRST: violated (all decide alike) */
/* expected with -D FORGETS_VOTE: violated (all decide alike) */
/**
 * Two-phase commit with recovery: coordinator and participants keep a log on disk and continue after a crash. A
 * coordinator without a logged decision aborts; a participant without a logged vote votes no.
 *
 * -D SENDS_FIRST: the coordinator sends its decision before it is on disk.
 * -D FORGETS_VOTE: a participant votes before its vote is on disk.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

type Decision = "commit" | "abort";
type Message =
  | { type: "prepare" }
  | { type: "vote"; yes: boolean }
  | { type: "decide"; decision: Decision }
  | { type: "ask" };

class Coordinator {
  decision: Decision | null;
  votes: string[] = [];

  constructor(
    readonly environment: Environment,
    readonly bugs: Parameters,
  ) {
    this.decision = (environment.disk.read("decision") as Decision | undefined) ?? null;
  }

  /** The first start begins the transaction; a later one knows no votes. */
  onStart(): void {
    if (this.environment.disk.read("begun") === undefined) {
      this.environment.disk.write("begun", true);
      this.environment.disk.sync();
      this.environment.broadcast({ type: "prepare" });
    } else if (this.decision === null) this.#decide("abort");
    else this.environment.broadcast({ type: "decide", decision: this.decision });
  }

  onMessage(from: string, message: Message): void {
    if (message.type === "ask" && this.decision !== null)
      this.environment.send(from, { type: "decide", decision: this.decision });
    if (message.type !== "vote" || this.decision !== null) return;
    if (!message.yes) return this.#decide("abort");
    if (!this.votes.includes(from)) this.votes = [...this.votes, from].sort();
    if (this.votes.length === this.environment.nodes.length - 1) this.#decide("commit");
  }

  #decide(decision: Decision): void {
    this.decision = decision;
    if (this.bugs["SENDS_FIRST"]) this.environment.broadcast({ type: "decide", decision });
    this.environment.disk.write("decision", decision);
    this.environment.disk.sync();
    if (!this.bugs["SENDS_FIRST"]) this.environment.broadcast({ type: "decide", decision });
  }
}

class Participant {
  vote: boolean | null;
  decision: Decision | null;

  constructor(
    readonly environment: Environment,
    readonly bugs: Parameters,
  ) {
    this.vote = (environment.disk.read("vote") as boolean | undefined) ?? null;
    this.decision = (environment.disk.read("decision") as Decision | undefined) ?? null;
  }

  onStart(): void {
    if (this.vote === true && this.decision === null) this.environment.send("coordinator", { type: "ask" });
  }

  onMessage(_from: string, message: Message): void {
    if (message.type === "prepare" && this.vote === null) {
      this.vote = this.environment.choose(2) === 1;
      if (!this.bugs["FORGETS_VOTE"]) this.#write("vote", this.vote);
      if (!this.vote) this.#decide("abort");
      this.environment.send("coordinator", { type: "vote", yes: this.vote });
      if (this.bugs["FORGETS_VOTE"]) this.#write("vote", this.vote);
    }
    if (message.type === "decide" && this.decision === null) {
      // Without a vote on disk, a participant is free to abort.
      this.#decide(this.vote === true ? message.decision : "abort");
    }
  }

  #decide(decision: Decision): void {
    this.decision = decision;
    this.#write("decision", decision);
  }

  #write(key: string, value: boolean | string): void {
    this.environment.disk.write(key, value);
    this.environment.disk.sync();
  }
}

export default defineSystem<Coordinator | Participant>((parameters) => {
  const participant = (environment: Environment): Participant => new Participant(environment, parameters);
  return {
    nodes: {
      coordinator: (environment) => new Coordinator(environment, parameters),
      alice: participant,
      bob: participant,
    },
    network: { loss: true },
    faults: { crashes: Number(parameters["CRASHES"] ?? 1) },
    guide: ({ nodes, names, isUp }) =>
      names.map((name) => (isUp(name) ? String(nodes[name]!.decision).slice(0, 1) : "-")).join(""),
    // Compared by --refines ../refinement/recovery.pml.
    observe: ({ nodes }) => ({
      alice: nodes["alice"] ? (nodes["alice"].decision ?? "none") : "down",
      bob: nodes["bob"] ? (nodes["bob"].decision ?? "none") : "down",
    }),
    always: {
      "all decide alike": ({ nodes }) => {
        const decisions = Object.values(nodes).flatMap((node) => node?.decision ?? []);
        return new Set(decisions).size < 2;
      },
    },
    sometimes: {
      "all commit": ({ nodes }) => Object.values(nodes).every((node) => node?.decision === "commit"),
    },
  };
});
