/* expected: holds */
/* expected with -D DOUBLE_VOTE: violated (one leader a term) */
/* expected with -D STALE_LEADER: violated (committed entries stay) */
/**
 * Raft, handler style: elections and replication of a bounded log among three servers, over a network that loses and
 * reorders messages.
 *
 * -D TERMS=2 terms at most; -D LOG=1 entries in a log; -D Q=2 messages in flight.
 * -D DOUBLE_VOTE: a server forgets its vote. -D STALE_LEADER: a candidate with a shorter log may win.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

interface LogEntry {
  term: number;
  value: string;
}

type Message =
  | { type: "requestVote"; term: number; lastIndex: number; lastTerm: number }
  | { type: "vote"; term: number }
  | {
      type: "append";
      term: number;
      previous: number;
      previousTerm: number;
      entries: LogEntry[];
      commit: number;
    }
  | { type: "appended"; term: number; match: number };

class Server {
  term = 0;
  role: "follower" | "candidate" | "leader" = "follower";
  votedFor: string | null = null;
  log: LogEntry[] = [];
  commit = 0;
  /** Of a candidate: its voters. */
  votes: string[] = [];
  /** Of a leader: the known length of the common log with each other server. */
  match: Record<string, number> = {};
  readonly #environment: Environment;
  readonly #bugs: Parameters;

  constructor(environment: Environment, bugs: Parameters) {
    this.#environment = environment;
    this.#bugs = bugs;
  }

  stand(): void {
    this.term++;
    this.role = "candidate";
    this.votedFor = this.#environment.name;
    this.votes = [this.#environment.name];
    this.match = {};
    const lastIndex = this.log.length;
    this.#environment.broadcast({
      type: "requestVote",
      term: this.term,
      lastIndex,
      lastTerm: this.#termAt(lastIndex),
    });
  }

  /** A client asks the leader to store something. */
  store(): void {
    this.log.push({ term: this.term, value: `of term ${this.term}` });
  }

  replicate(): void {
    for (const peer of this.#peers()) {
      const previous = this.match[peer] ?? 0;
      this.#environment.send(peer, {
        type: "append",
        term: this.term,
        previous,
        previousTerm: this.#termAt(previous),
        entries: this.log.slice(previous).map((entry) => ({ ...entry })),
        commit: this.commit,
      });
    }
  }

  onMessage(from: string, message: Message): void {
    if (message.term > this.term) this.#follow(message.term);
    if (message.term < this.term) return;
    switch (message.type) {
      case "requestVote":
        return this.#onRequestVote(from, message);
      case "vote":
        return this.#onVote(from);
      case "append":
        return this.#onAppend(from, message);
      case "appended":
        return this.#onAppended(from, message.match);
    }
  }

  #follow(term: number): void {
    this.term = term;
    this.role = "follower";
    this.votedFor = null;
    this.votes = [];
    this.match = {};
  }

  #onRequestVote(from: string, { lastIndex, lastTerm }: Message & { type: "requestVote" }): void {
    const ownTerm = this.#termAt(this.log.length);
    const isCurrent = lastTerm > ownTerm || (lastTerm === ownTerm && lastIndex >= this.log.length);
    const isFree = this.votedFor === null || this.votedFor === from || this.#bugs["DOUBLE_VOTE"] === true;
    if (!isFree || this.role === "leader" || !(isCurrent || this.#bugs["STALE_LEADER"])) return;
    if (this.role === "candidate" && this.#bugs["DOUBLE_VOTE"] !== true) return;
    this.votedFor = from;
    this.#environment.send(from, { type: "vote", term: this.term });
  }

  #onVote(from: string): void {
    if (this.role !== "candidate" || this.votes.includes(from)) return;
    this.votes = [...this.votes, from].sort();
    if (2 * this.votes.length <= this.#environment.nodes.length) return;
    this.role = "leader";
    this.votes = [];
    this.match = Object.fromEntries(this.#peers().map((peer) => [peer, 0]));
  }

  #onAppend(from: string, { previous, previousTerm, entries, commit }: Message & { type: "append" }): void {
    this.role = "follower";
    this.votes = [];
    if (previous > this.log.length || this.#termAt(previous) !== previousTerm) return;
    const isConflict = entries.some(
      (entry, i) => this.log[previous + i] && this.log[previous + i]!.term !== entry.term,
    );
    if (isConflict) this.log = this.log.slice(0, previous);
    if (previous + entries.length > this.log.length) this.log = [...this.log.slice(0, previous), ...entries];
    this.commit = Math.max(this.commit, Math.min(commit, previous + entries.length));
    this.#environment.send(from, { type: "appended", term: this.term, match: previous + entries.length });
  }

  #onAppended(from: string, match: number): void {
    if (this.role !== "leader" || match <= (this.match[from] ?? 0)) return;
    this.match[from] = match;
    const known = [this.log.length, ...Object.values(this.match)].sort((a, b) => b - a);
    const majority = known[Math.floor(this.#environment.nodes.length / 2)]!;
    // Only entries of the current term are committed by counting.
    if (majority > this.commit && this.#termAt(majority) === this.term) this.commit = majority;
  }

  #termAt(index: number): number {
    return index === 0 ? 0 : this.log[index - 1]!.term;
  }

  #peers(): string[] {
    return this.#environment.nodes.filter((name) => name !== this.#environment.name);
  }
}

export default defineSystem<Server>((parameters) => {
  const terms = Number(parameters["TERMS"] ?? 2);
  const length = Number(parameters["LOG"] ?? 1);
  const server = (environment: Environment): Server => new Server(environment, parameters);
  return {
    nodes: { s1: server, s2: server, s3: server },
    network: { capacity: Number(parameters["Q"] ?? 2), loss: true },
    actions: {
      stand: { when: (node) => node.role !== "leader" && node.term < terms, run: (node) => node.stand() },
      store: {
        when: (node) => node.role === "leader" && node.log.length < length,
        run: (node) => node.store(),
      },
      replicate: { when: (node) => node.role === "leader", run: (node) => node.replicate() },
    },
    always: {
      "one leader a term": ({ nodes }) => {
        const leaders = Object.values(nodes)
          .flatMap((node) => node ?? [])
          .filter((node) => node.role === "leader");
        return new Set(leaders.map((node) => node.term)).size === leaders.length;
      },
      "logs match": ({ nodes }) =>
        everyPair(nodes, (a, b) =>
          a.log.every((entry, i) => b.log[i]?.term !== entry.term || b.log[i].value === entry.value),
        ),
      "committed entries stay": ({ nodes }) =>
        everyPair(nodes, (a, b) => {
          const both = Math.min(a.commit, b.commit);
          return a.log.slice(0, both).every((entry, i) => entry.term === b.log[i]?.term);
        }),
    },
    sometimes: {
      "an entry is committed everywhere": ({ nodes }) =>
        Object.values(nodes)
          .flatMap((node) => node ?? [])
          .every((node) => node.commit === 1),
      "a leader of the last term": ({ nodes }) =>
        Object.values(nodes)
          .flatMap((node) => node ?? [])
          .some((n) => n.role === "leader" && n.term === terms),
    },
  };
});

function everyPair(
  nodes: Readonly<Record<string, Server | undefined>>,
  holds: (a: Server, b: Server) => boolean,
): boolean {
  const all = Object.values(nodes).flatMap((node) => node ?? []);
  return all.every((a) => all.every((b) => a === b || holds(a, b)));
}
