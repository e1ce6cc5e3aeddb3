/* expected: holds */
/* expected with -D COMPACTS_ALL: violated (committed entries stay) */
/* expected with -D CHANGES_EARLY: violated (committed entries stay) */
/**
 * Raft with log compaction and changes of the membership, one server at a time. A server replaces the committed
 * beginning of its log by a snapshot; a leader sends it to servers that lack this beginning. The latest configuration in
 * the log counts, committed or not; a leader changes it only after the last change is committed.
 *
 * -D TERMS=2 terms; -D STORES=1 entries by clients; -D CHANGES=0 changes; -D SNAPSHOTS=1; -D Q=1 messages in flight.
 * -D COMPACTS_ALL: a snapshot may contain entries that are not committed. -D CHANGES_EARLY: a leader does not wait for
 * the last change.
 */
import { defineSystem, type Environment, type Parameters } from "everypath/system";

interface Entry {
  term: number;
  /** A value, or the members from here on. */
  value: string;
  members?: string[];
}

interface Snapshot {
  length: number;
  term: number;
  values: string[];
  members: string[];
}

type Message =
  | { type: "requestVote"; term: number; lastIndex: number; lastTerm: number }
  | { type: "vote"; term: number }
  | { type: "append"; term: number; snapshot: Snapshot; entries: Entry[]; commit: number }
  | { type: "appended"; term: number; match: number };

const FOUNDERS = ["s1", "s2", "s3"];

class Server {
  term = 0;
  role: "follower" | "candidate" | "leader" = "follower";
  votedFor: string | null = null;
  snapshot: Snapshot = { length: 0, term: 0, values: [], members: FOUNDERS };
  log: Entry[] = [];
  commit = 0;
  votes: string[] = [];
  match: Record<string, number> = {};
  /** Whether an entry that was committed here has been replaced. */
  hasLost = false;
  readonly #environment: Environment;
  readonly #bugs: Parameters;

  constructor(environment: Environment, bugs: Parameters) {
    this.#environment = environment;
    this.#bugs = bugs;
  }

  get length(): number {
    return this.snapshot.length + this.log.length;
  }

  get members(): string[] {
    return this.log.findLast(({ members }) => members)?.members ?? this.snapshot.members;
  }

  /** Values of all entries, those of the snapshot included. */
  get values(): string[] {
    return [...this.snapshot.values, ...this.log.map(({ value }) => value)];
  }

  get isMember(): boolean {
    return this.members.includes(this.#environment.name);
  }

  stand(): void {
    this.term++;
    this.role = "candidate";
    this.votedFor = this.#environment.name;
    this.votes = [this.#environment.name];
    this.match = {};
    this.#sendOthers({
      type: "requestVote",
      term: this.term,
      lastIndex: this.length,
      lastTerm: this.#lastTerm(),
    });
    this.#countVotes();
  }

  store(): void {
    this.log = [...this.log, { term: this.term, value: `${this.#environment.name}${this.term}` }];
    this.#advance();
  }

  /** Whether the last change, and an entry of this term, are committed. */
  get mayChange(): boolean {
    if (this.role !== "leader") return false;
    if (this.#bugs["CHANGES_EARLY"]) return true;
    const open = this.log.slice(Math.max(0, this.commit - this.snapshot.length));
    const isOwn = this.commit > 0 && this.#termAt(this.commit) === this.term;
    return isOwn && open.every(({ members }) => !members);
  }

  removes(name: string): void {
    const members = this.members.filter((member) => member !== name);
    const value = `${this.#environment.name}${this.term}-${name}`;
    this.log = [...this.log, { term: this.term, value, members }];
    this.#advance();
  }

  compact(): void {
    const length = this.#bugs["COMPACTS_ALL"] ? this.length : this.commit;
    const gone = this.log.slice(0, length - this.snapshot.length);
    const members = gone.findLast((entry) => entry.members)?.members ?? this.snapshot.members;
    const values = this.values.slice(0, length);
    this.snapshot = { length, term: this.#termAt(length), values, members };
    this.log = this.log.slice(gone.length);
    this.commit = Math.max(this.commit, length);
  }

  replicate(): void {
    const { snapshot, log: entries, commit, term } = this;
    this.#sendOthers({ type: "append", term, snapshot: { ...snapshot }, entries, commit });
  }

  onMessage(from: string, message: Message): void {
    if (message.term > this.term) {
      this.term = message.term;
      this.role = "follower";
      this.votedFor = null;
      this.votes = [];
      this.match = {};
    }
    if (message.term < this.term) return;
    switch (message.type) {
      case "requestVote":
        return this.#onRequest(from, message);
      case "vote":
        if (this.role !== "candidate" || this.votes.includes(from)) return;
        this.votes = [...this.votes, from].sort();
        return this.#countVotes();
      case "append":
        return this.#onAppend(from, message);
      case "appended":
        if (this.role !== "leader" || message.match <= (this.match[from] ?? 0)) return;
        this.match = { ...this.match, [from]: message.match };
        return this.#advance();
    }
  }

  #onRequest(from: string, { lastIndex, lastTerm }: Message & { type: "requestVote" }): void {
    const isCurrent =
      lastTerm > this.#lastTerm() || (lastTerm === this.#lastTerm() && lastIndex >= this.length);
    if (!isCurrent || (this.votedFor !== null && this.votedFor !== from)) return;
    this.votedFor = from;
    this.#environment.send(from, { type: "vote", term: this.term });
  }

  #onAppend(from: string, { snapshot, entries, commit }: Message & { type: "append" }): void {
    this.role = "follower";
    this.votes = [];
    const length = snapshot.length + entries.length;
    // The leader's log replaces this one from the first difference on.
    const isNewer = length > this.length || this.#differs(snapshot, entries);
    const before = this.values.slice(0, this.commit);
    if (isNewer) [this.snapshot, this.log] = [snapshot, entries];
    this.hasLost ||= this.values.slice(0, before.length).join() !== before.join();
    this.commit = Math.max(this.commit, Math.min(commit, length), this.snapshot.length);
    this.#environment.send(from, { type: "appended", term: this.term, match: length });
  }

  #differs(snapshot: Snapshot, entries: readonly Entry[]): boolean {
    const values = [...snapshot.values, ...entries.map(({ value }) => value)];
    return values.some((value, i) => i < this.length && this.values[i] !== value);
  }

  #countVotes(): void {
    if (!this.#isMajority(this.votes)) return;
    this.role = "leader";
    this.votes = [];
  }

  #advance(): void {
    for (let index = this.length; index > this.commit; index--) {
      const holders = this.members.filter(
        (name) => name === this.#environment.name || (this.match[name] ?? 0) >= index,
      );
      // Only entries of the current term are committed by counting.
      if (this.#isMajority(holders) && this.#termAt(index) === this.term) this.commit = index;
    }
  }

  #isMajority(names: readonly string[]): boolean {
    const { members } = this;
    return names.filter((name) => members.includes(name)).length > members.length / 2;
  }

  #termAt(index: number): number {
    if (index <= this.snapshot.length) return this.snapshot.term;
    return this.log[index - this.snapshot.length - 1]?.term ?? -1;
  }

  #lastTerm(): number {
    return this.#termAt(this.length);
  }

  #sendOthers(message: Message): void {
    const others = this.members.filter((name) => name !== this.#environment.name);
    if (others.length > 0) this.#environment.send(others, message as never);
  }
}

export default defineSystem<Server>((parameters) => {
  const number = (name: string, usual: number): number => Number(parameters[name] ?? usual);
  const terms = number("TERMS", 2);
  const server = (environment: Environment): Server => new Server(environment, parameters);
  return {
    nodes: { s1: server, s2: server, s3: server },
    network: { capacity: number("Q", 1), loss: true },
    budgets: {
      stores: number("STORES", parameters["COMPACTS_ALL"] ? 2 : 1),
      changes: number("CHANGES", parameters["CHANGES_EARLY"] ? 2 : 0),
      snapshots: number("SNAPSHOTS", parameters["CHANGES_EARLY"] ? 0 : 1),
    },
    actions: {
      stand: {
        when: (node) => node.role !== "leader" && node.isMember && node.term < terms,
        run: (node) => node.stand(),
      },
      store: { budget: "stores", when: (node) => node.role === "leader", run: (node) => node.store() },
      replicate: {
        when: (node) => node.role === "leader" && node.length > 0,
        run: (node) => node.replicate(),
      },
      compact: {
        budget: "snapshots",
        when: (node) =>
          node.length > node.snapshot.length &&
          (node.commit > node.snapshot.length || Boolean(parameters["COMPACTS_ALL"])),
        run: (node) => node.compact(),
      },
      remove: {
        budget: "changes",
        values: FOUNDERS,
        when: (node, value: string) =>
          node.mayChange && node.members.includes(value) && node.members.length > 1,
        run: (node, value: string) => node.removes(value),
      },
    },
    guide: ({ nodes }) =>
      Object.values(nodes)
        .flatMap((node) => node ?? [])
        .map(
          (node) =>
            `${node.role[0]} ${node.length} ${node.commit} ${node.snapshot.length} ${node.members.length}`,
        )
        .sort()
        .join(","),
    always: {
      "one leader a term": ({ nodes }) => {
        const terms = Object.values(nodes)
          .flatMap((node) => node ?? [])
          .filter(({ role }) => role === "leader")
          .map(({ term }) => term);
        return new Set(terms).size === terms.length;
      },
      "committed entries stay": ({ nodes }) => {
        const all = Object.values(nodes).flatMap((node) => node ?? []);
        if (all.some(({ hasLost }) => hasLost)) return false;
        return all.every((a) =>
          all.every((b) => {
            const both = Math.min(a.commit, b.commit);
            return a.values.slice(0, both).join() === b.values.slice(0, both).join();
          }),
        );
      },
    },
    sometimes: {
      "an entry is committed": ({ nodes }) =>
        Object.values(nodes)
          .flatMap((node) => node ?? [])
          .some(({ commit }) => commit > 0),
    },
  };
});
