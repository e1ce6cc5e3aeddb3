/* expected: holds */
/* expected with -D IMPATIENT: violated (all decide alike) */
/**
 * Two-phase commit: a coordinator asks two participants to vote, and sends them the decision. Messages may be lost, and
 * the coordinator may crash; its decision is on its disk.
 *
 * -D IMPATIENT: a participant that voted yes aborts after a timeout.
 */
import { defineSystem, type Environment } from "everypath/system";

type Message = { type: "prepare" } | { type: "vote"; yes: boolean } | { type: "decision"; commit: boolean };
type Decision = "commit" | "abort" | undefined;

class Coordinator {
  decision: Decision;
  votes: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.decision = environment.disk.read("decision") as Decision;
  }

  onStart(): void {
    if (this.decision) this.#announce();
    else this.#environment.broadcast({ type: "prepare" });
    this.#environment.setTimer("give up");
  }

  onMessage(from: string, message: Message): void {
    if (message.type !== "vote" || this.decision) return;
    if (!message.yes) return this.#decide("abort");
    if (!this.votes.includes(from)) this.votes = [...this.votes, from].sort();
    if (this.votes.length === this.#environment.nodes.length - 1) this.#decide("commit");
  }

  onTimer(): void {
    if (!this.decision) this.#decide("abort");
  }

  #decide(decision: "commit" | "abort"): void {
    this.decision = decision;
    this.votes = [];
    this.#environment.clearTimer("give up");
    // Before sending it: the decision must survive a crash.
    this.#environment.disk.write("decision", decision);
    this.#environment.disk.sync();
    this.#announce();
  }

  #announce(): void {
    this.#environment.broadcast({ type: "decision", commit: this.decision === "commit" });
  }
}

class Participant {
  decision: Decision;
  hasVoted = false;
  readonly #environment: Environment;
  readonly #isImpatient: boolean;

  constructor(environment: Environment, isImpatient: boolean) {
    this.#environment = environment;
    this.#isImpatient = isImpatient;
  }

  onMessage(from: string, message: Message): void {
    if (message.type === "decision") this.decision ??= message.commit ? "commit" : "abort";
    if (message.type !== "prepare" || this.hasVoted) return;
    this.hasVoted = true;
    const yes = this.#environment.choose(2) === 1;
    if (!yes) this.decision ??= "abort";
    else if (this.#isImpatient) this.#environment.setTimer("waited too long");
    this.#environment.send(from, { type: "vote", yes });
  }

  onTimer(): void {
    this.decision ??= "abort";
  }
}

type Member = Coordinator | Participant;

export default defineSystem<Member>((parameters) => {
  const isImpatient = parameters["IMPATIENT"] === true;
  return {
    nodes: {
      coordinator: (environment) => new Coordinator(environment),
      alice: (environment) => new Participant(environment, isImpatient),
      bob: (environment) => new Participant(environment, isImpatient),
    },
    network: { loss: 2, capacity: 5 },
    faults: { crashes: 1, crashing: ["coordinator"] },
    // Compared by --refines ../refinement/decisions.m.
    observe: ({ nodes }) => ({
      alice: nodes["alice"]?.decision ?? "none",
      bob: nodes["bob"]?.decision ?? "none",
    }),
    always: {
      "all decide alike": ({ nodes }) => {
        const decisions = Object.values(nodes).map((node) => node?.decision);
        return !(decisions.includes("commit") && decisions.includes("abort"));
      },
    },
    sometimes: {
      "all commit": ({ nodes }) => Object.values(nodes).every((node) => node?.decision === "commit"),
      "all abort": ({ nodes }) => Object.values(nodes).every((node) => node?.decision === "abort"),
    },
  };
});
