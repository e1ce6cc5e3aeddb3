/** Edges of processes as transitions: ordered effects become simultaneous assignments, by substitution along each path. */
import type {
  Communication,
  Condition,
  Edge,
  Effect,
  GuardedTransition,
  LinearSum,
  Span,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { casesOf, conditionOf, Refused, type Scope } from "./expressions.js";
import type { Channel, Process, Storage } from "./storage.js";
import { and, constantSum, equal, FALSE, not, or, TRUE, variableSum } from "./sums.js";

/** One way through an edge: its condition on the state before, and the values after. */
interface Path {
  readonly when: Condition;
  readonly values: ReadonlyMap<number, LinearSum>;
  readonly hasFailed: boolean;
}

export class Steps {
  readonly #storage: Storage;
  readonly #refuse: (span: Span, what: string) => void;
  readonly #enabled = new Map<Process, Condition>();
  readonly #refused = new Set<string>();

  constructor(storage: Storage, refuse: (span: Span, what: string) => void) {
    this.#storage = storage;
    this.#refuse = refuse;
  }

  /** Of conditions on states. */
  outside(): Scope {
    return this.#storage.scope(undefined, variableSum);
  }

  transitions(): GuardedTransition[] {
    const { processes } = this.#storage;
    return processes.flatMap((process) => {
      const free = this.#free(process);
      return this.#each(process, (edge, location, isExecutable) =>
        this.#pathsOf(edge, process, and([at(process, location), isExecutable, free])).map(
          ({ when, values }): GuardedTransition => ({
            label: "",
            process: process.name,
            guard: when,
            assignments: [...values].map(([variable, value]) => ({ variable, value })),
            span: edge.span,
            text: edge.text,
          }),
        ),
      );
    });
  }

  /** Can the process move, if no other holds control? */
  enabled(process: Process): Condition {
    const known = this.#enabled.get(process);
    if (known) return known;
    const found = or(
      this.#each(process, (_, location, isExecutable) => [and([at(process, location), isExecutable])]),
    );
    this.#enabled.set(process, found);
    return found;
  }

  /** No other process is inside an atomic sequence that can go on. */
  #free(process: Process): Condition {
    const { processes, control } = this.#storage;
    const holders = processes.filter((other) => other !== process && isAtomic(other));
    // sound: test/transforms/unbounded.test.ts
    return and(
      holders.map((other) =>
        not(and([equal(variableSum(control), constantSum(BigInt(other.number) + 1n)), this.enabled(other)])),
      ),
    );
  }

  #each<T>(
    process: Process,
    visit: (edge: Edge, location: number, isExecutable: Condition) => readonly T[],
  ): T[] {
    return process.template.locations.flatMap(({ edges, inside }, location) => {
      const before: Condition[] = [];
      return edges.flatMap((edge) =>
        this.#guarded(edge.span, () => {
          if (inside === "step") throw new Refused("`d_step`");
          const isExecutable = this.#executable(edge, process, before);
          before.push(isExecutable);
          return visit(edge, location, isExecutable);
        }),
      );
    });
  }

  #guarded<T>(span: Span, make: () => readonly T[]): readonly T[] {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const key = `${span.file} ${span.start} ${error.message}`;
      if (!this.#refused.has(key)) this.#refuse(span, error.message);
      this.#refused.add(key);
      return [];
    }
  }

  #executable(edge: Edge, process: Process, before: readonly Condition[]): Condition {
    if (edge.escapeGroup !== 0) throw new Refused("`unless`");
    const scope = this.#storage.scope(process, variableSum);
    const { guard, communication, effects } = edge;
    const holds =
      guard.kind === "always"
        ? TRUE
        : guard.kind === "else"
          ? not(or(before))
          : conditionOf(guard.condition, scope);
    // The youngest process dies first.
    const dies = effects.some(({ kind }) => kind === "die");
    const younger = dies ? this.#storage.processes.filter(({ number }) => number > process.number) : [];
    return and([
      holds,
      communication ? this.#possible(communication, process, scope) : TRUE,
      ...younger.map(({ location, dead }) => equal(variableSum(location), constantSum(dead))),
    ]);
  }

  #possible(communication: Communication, process: Process, scope: Scope): Condition {
    const channel = this.#storage.channel(communication.channel, process);
    const { length, capacity, fields } = channel;
    const isAt = (count: number): Condition => equal(variableSum(length), constantSum(BigInt(count)));
    const given = communication.kind === "send" ? communication.message : communication.pattern;
    if (given.length !== fields.length) throw new Refused("a message of another length than its channel");
    if (communication.kind === "send") {
      if (communication.sorted) throw new Refused("a sorted send");
      return not(isAt(capacity));
    }
    if (communication.random) throw new Refused("a receive from the middle of a channel");
    const first = nth(channel.slots, 0);
    const matches = communication.pattern.map((pattern, field) =>
      pattern.kind === "match"
        ? or(
            casesOf(pattern.value, scope).map(({ when, value }) =>
              and([when, equal(value, variableSum(nth(first, field)))]),
            ),
          )
        : TRUE,
    );
    return and([not(isAt(0)), ...matches]);
  }

  #pathsOf(edge: Edge, process: Process, when: Condition): Path[] {
    const { control } = this.#storage;
    let paths: readonly Path[] = [{ when, values: new Map(), hasFailed: false }];
    if (edge.communication) paths = this.#communicated(paths, edge.communication, process);
    for (const effect of edge.effects)
      paths = paths.flatMap((path) => (path.hasFailed ? [path] : this.#after(path, effect, process)));
    const dies = edge.effects.some(({ kind }) => kind === "die");
    return paths
      .filter((path) => path.when !== FALSE)
      .map((path) => {
        const to = path.hasFailed ? process.failed : dies ? process.dead : BigInt(edge.to);
        const holder = edge.keepsControl && !path.hasFailed ? BigInt(process.number) + 1n : 0n;
        const values = new Map(path.values).set(process.location, constantSum(to));
        if (this.#storage.processes.some(isAtomic)) values.set(control, constantSum(holder));
        return { ...path, values };
      });
  }

  #communicated(paths: readonly Path[], communication: Communication, process: Process): Path[] {
    const channel = this.#storage.channel(communication.channel, process);
    return paths.flatMap((path) =>
      communication.kind === "send"
        ? Array.from({ length: channel.capacity }, (_, count) => count).flatMap((count) =>
            this.#sent(path, communication, channel, count, process),
          )
        : [this.#received(path, communication, channel, process)],
    );
  }

  #sent(
    path: Path,
    { message }: Extract<Communication, { kind: "send" }>,
    { length, slots }: Channel,
    count: number,
    process: Process,
  ): Path[] {
    const isHere = equal(variableSum(length), constantSum(BigInt(count)));
    let found: readonly Path[] = [{ ...path, when: and([path.when, isHere]) }];
    const scope = this.#storage.scope(process, variableSum);
    message.forEach((value, field) => {
      const slot = nth(nth(slots, count), field);
      found = found.flatMap((each) =>
        casesOf(value, scope).map((one) => this.#assigned(each, slot, one.value, one.when)),
      );
    });
    return found.map((each) => this.#assigned(each, length, constantSum(BigInt(count + 1))));
  }

  #received(
    path: Path,
    { pattern, keep }: Extract<Communication, { kind: "receive" }>,
    { length, slots }: Channel,
    process: Process,
  ): Path {
    const first = nth(slots, 0);
    let found = path;
    pattern.forEach((each, field) => {
      if (each.kind !== "store") return;
      found = this.#assigned(found, this.#storage.leaf(each.target, process), variableSum(nth(first, field)));
    });
    if (keep) return found;
    slots.forEach((slot, index) =>
      slot.forEach((variable, field) => {
        const next = slots[index + 1]?.[field];
        found = this.#assigned(found, variable, next === undefined ? constantSum(0n) : variableSum(next));
      }),
    );
    const shorter: LinearSum = { parts: variableSum(length).parts, constant: -1n };
    return { ...found, values: new Map(found.values).set(length, shorter) };
  }

  #assigned(path: Path, variable: number, value: LinearSum, when: Condition = TRUE): Path {
    this.#storage.assignable(variable, value);
    return { ...path, when: and([path.when, when]), values: new Map(path.values).set(variable, value) };
  }

  #after(path: Path, effect: Effect, process: Process): Path[] {
    // Effects read what earlier effects of the edge have written.
    // sound: test/transforms/unbounded.test.ts
    const scope = this.#storage.scope(
      process,
      (variable) => path.values.get(variable) ?? variableSum(variable),
    );
    switch (effect.kind) {
      case "print":
      case "die":
        return [path];
      case "assert": {
        const holds = conditionOf(effect.condition, scope);
        return [
          { ...path, when: and([path.when, holds]) },
          { ...path, when: and([path.when, not(holds)]), hasFailed: true },
        ];
      }
      case "assign": {
        const target = this.#storage.leaf(effect.target, process);
        return casesOf(effect.value, scope).map(({ when, value }) =>
          this.#assigned(path, target, value, when),
        );
      }
      case "run":
        throw new Refused("`run`: processes must be fixed");
      case "set-priority":
        throw new Refused("`set_priority`");
    }
  }
}

const at = ({ location }: Process, value: number): Condition =>
  equal(variableSum(location), constantSum(BigInt(value)));

const isAtomic = ({ template }: Process): boolean =>
  template.locations.some(({ edges }) => edges.some(({ keepsControl }) => keepsControl));
