/**
 * A propositional solver: clause learning with two watched literals, activities, saved phases and restarts.
 *
 * Incremental: clauses stay, and each assumption is a decision with a separate level. Decisions may be limited to
 * relevant variables, so that a small question about a large set of definitions stays small.
 */
import type { Sat } from "../model/sat.js";

interface Clause {
  readonly literals: number[];
  readonly isLearnt: boolean;
  activity: number;
}

const UNASSIGNED = -1;

export class Cdcl implements Sat {
  readonly #isStopped: () => boolean;
  /** By literal: clauses that watch it. */
  readonly #watches: Clause[][] = [];
  /** By variable: -1, or the truth value as 0 or 1. */
  readonly #values: number[] = [];
  readonly #levels: number[] = [];
  readonly #reasons: (Clause | undefined)[] = [];
  readonly #phases: number[] = [];
  readonly #activities: number[] = [];
  readonly #seen: boolean[] = [];
  readonly #trail: number[] = [];
  readonly #limits: number[] = [];
  #learnt: Clause[] = [];
  #head = 0;
  #bump = 1;
  #clauseBump = 1;
  #isConsistent = true;
  #heap = new ActivityHeap(this.#activities);
  #model: number[] = [];
  #mostLearnt = 4000;
  conflicts = 0;

  constructor(isStopped: () => boolean = () => false) {
    this.#isStopped = isStopped;
  }

  get variables(): number {
    return this.#values.length;
  }

  newVariable(): number {
    this.#watches.push([], []);
    this.#levels.push(0);
    this.#reasons.push(undefined);
    this.#phases.push(0);
    this.#activities.push(0);
    this.#seen.push(false);
    return this.#values.push(UNASSIGNED) - 1;
  }

  value(variable: number): boolean {
    return this.#model[variable] === 1;
  }

  addClause(given: readonly number[]): void {
    if (!this.#isConsistent) return;
    this.#backtrack(0);
    const literals: number[] = [];
    for (const literal of given) {
      const value = this.#valueOf(literal);
      if (value === 1 || given.includes(literal ^ 1)) return; // already true
      if (value === UNASSIGNED && !literals.includes(literal)) literals.push(literal);
    }
    if (literals.length === 0) this.#isConsistent = false;
    else if (literals.length === 1) {
      this.#assign(literals[0] as number, undefined);
      if (this.#propagate()) this.#isConsistent = false;
    } else this.#watch({ literals, isLearnt: false, activity: 0 });
  }

  solve(assumptions: readonly number[], relevant?: readonly number[]): boolean | undefined {
    if (!this.#isConsistent) return false;
    this.#backtrack(0);
    const deciding = relevant ?? this.#values.map((_, variable) => variable);
    this.#heap = new ActivityHeap(this.#activities);
    const isRelevant = relevant && new Set(relevant);
    for (const variable of deciding) if (this.#values[variable] === UNASSIGNED) this.#heap.insert(variable);
    let restart = 0;
    for (;;) {
      const answer = this.#search(100 * luby(restart++), assumptions, isRelevant);
      if (answer !== "restart") {
        if (answer === true) this.#model = this.#values.slice();
        this.#backtrack(0);
        return answer;
      }
      if (this.#isStopped()) {
        this.#backtrack(0);
        return undefined;
      }
    }
  }

  #search(
    mostConflicts: number,
    assumptions: readonly number[],
    isRelevant: ReadonlySet<number> | undefined,
  ): boolean | "restart" {
    let conflicts = 0;
    for (;;) {
      const conflict = this.#propagate();
      if (conflict) {
        this.conflicts++;
        conflicts++;
        if (this.#limits.length === 0) {
          this.#isConsistent = false;
          return false;
        }
        this.#learn(conflict, isRelevant);
        this.#bump /= 0.95;
        this.#clauseBump /= 0.999;
        continue;
      }
      if (conflicts >= mostConflicts) {
        this.#backtrack(0, isRelevant);
        return "restart";
      }
      if (this.#learnt.length > this.#mostLearnt) this.#forget();
      const next = this.#decide(assumptions);
      if (next === undefined) return true;
      if (next < 0) return false;
      this.#limits.push(this.#trail.length);
      this.#assign(next, undefined);
    }
  }

  /** Undefined: everything relevant is assigned. -1: an assumption is false. */
  #decide(assumptions: readonly number[]): number | undefined {
    while (this.#limits.length < assumptions.length) {
      const literal = assumptions[this.#limits.length] as number;
      const value = this.#valueOf(literal);
      if (value === 0) return -1;
      if (value === UNASSIGNED) return literal;
      this.#limits.push(this.#trail.length); // an empty level, so that levels count assumptions
    }
    for (;;) {
      const variable = this.#heap.pop();
      if (variable === undefined) return undefined;
      if (this.#values[variable] === UNASSIGNED) return 2 * variable + (this.#phases[variable] === 1 ? 0 : 1);
    }
  }

  #valueOf(literal: number): number {
    const value = this.#values[literal >> 1] as number;
    return value === UNASSIGNED ? UNASSIGNED : value ^ (literal & 1);
  }

  #assign(literal: number, reason: Clause | undefined): void {
    const variable = literal >> 1;
    this.#values[variable] = (literal & 1) ^ 1;
    this.#levels[variable] = this.#limits.length;
    this.#reasons[variable] = reason;
    this.#trail.push(literal);
  }

  #watch(clause: Clause): void {
    const [first, second] = clause.literals as [number, number];
    this.#watches[first]?.push(clause);
    this.#watches[second]?.push(clause);
  }

  /** The clause that became false, if any. */
  #propagate(): Clause | undefined {
    const values = this.#values;
    while (this.#head < this.#trail.length) {
      const isFalse = (this.#trail[this.#head++] as number) ^ 1;
      const watching = this.#watches[isFalse] as Clause[];
      let kept = 0;
      for (let i = 0; i < watching.length; i++) {
        const clause = watching[i] as Clause;
        const { literals } = clause;
        if (literals.length === 0) continue; // forgotten
        if (literals[0] === isFalse) {
          literals[0] = literals[1] as number;
          literals[1] = isFalse;
        }
        const first = literals[0] as number;
        const firstValue = values[first >> 1] as number;
        if (firstValue !== UNASSIGNED && (firstValue ^ (first & 1)) === 1) {
          watching[kept++] = clause;
          continue;
        }
        let isMoved = false;
        for (let k = 2; k < literals.length; k++) {
          const literal = literals[k] as number;
          const value = values[literal >> 1] as number;
          if (value === UNASSIGNED || (value ^ (literal & 1)) === 1) {
            literals[1] = literal;
            literals[k] = isFalse;
            (this.#watches[literal] as Clause[]).push(clause);
            isMoved = true;
            break;
          }
        }
        if (isMoved) continue;
        watching[kept++] = clause;
        if (firstValue === UNASSIGNED) this.#assign(first, clause);
        else {
          for (i++; i < watching.length; i++) watching[kept++] = watching[i] as Clause;
          watching.length = kept;
          this.#head = this.#trail.length;
          return clause;
        }
      }
      watching.length = kept;
    }
    return undefined;
  }

  /** Adds the clause of the first unique implication point of a conflict, and backtracks until it is a unit. */
  #learn(conflict: Clause, isRelevant: ReadonlySet<number> | undefined): void {
    const level = this.#limits.length;
    const learnt: number[] = [-1];
    const marked: number[] = [];
    let open = 0;
    let at = this.#trail.length - 1;
    let clause: Clause | undefined = conflict;
    let literal = -1;
    for (;;) {
      if (clause) {
        if (clause.isLearnt) this.#bumpClause(clause);
        for (const each of clause.literals) {
          const variable = each >> 1;
          if (each === literal || this.#seen[variable] || this.#levels[variable] === 0) continue;
          this.#seen[variable] = true;
          marked.push(variable);
          this.#bumpVariable(variable);
          if (this.#levels[variable] === level) open++;
          else learnt.push(each);
        }
      }
      while (!this.#seen[(this.#trail[at] as number) >> 1]) at--;
      literal = this.#trail[at--] as number;
      clause = this.#reasons[literal >> 1];
      if (--open === 0) break;
    }
    learnt[0] = literal ^ 1;
    const short = learnt.filter((each, index) => index === 0 || !this.#isImplied(each));
    for (const variable of marked) this.#seen[variable] = false;
    this.#add(short, isRelevant);
  }

  /** All other literals of its reason are in the learnt clause. */
  #isImplied(literal: number): boolean {
    const reason = this.#reasons[literal >> 1];
    return (
      reason?.literals.every(
        (each) => each >> 1 === literal >> 1 || this.#seen[each >> 1] || this.#levels[each >> 1] === 0,
      ) === true
    );
  }

  #add(learnt: number[], isRelevant: ReadonlySet<number> | undefined): void {
    if (learnt.length === 1) {
      this.#backtrack(0, isRelevant);
      this.#assign(learnt[0] as number, undefined);
      return;
    }
    let highest = 1;
    for (let i = 2; i < learnt.length; i++)
      if (this.#levelOf(learnt[i]) > this.#levelOf(learnt[highest])) highest = i;
    [learnt[1], learnt[highest]] = [learnt[highest] as number, learnt[1] as number];
    this.#backtrack(this.#levelOf(learnt[1]), isRelevant);
    const clause: Clause = { literals: learnt, isLearnt: true, activity: this.#clauseBump };
    this.#learnt.push(clause);
    this.#watch(clause);
    this.#assign(learnt[0] as number, clause);
  }

  #levelOf(literal: number | undefined): number {
    return this.#levels[(literal as number) >> 1] as number;
  }

  #backtrack(level: number, isRelevant?: ReadonlySet<number>): void {
    if (this.#limits.length <= level) return;
    const start = this.#limits[level] as number;
    for (let i = this.#trail.length - 1; i >= start; i--) {
      const variable = (this.#trail[i] as number) >> 1;
      this.#phases[variable] = this.#values[variable] as number;
      this.#values[variable] = UNASSIGNED;
      this.#reasons[variable] = undefined;
      if (!isRelevant || isRelevant.has(variable)) this.#heap.insert(variable);
    }
    this.#trail.length = start;
    this.#limits.length = level;
    this.#head = start;
  }

  #bumpVariable(variable: number): void {
    const activity = (this.#activities[variable] as number) + this.#bump;
    this.#activities[variable] = activity;
    if (activity > 1e100) {
      for (let i = 0; i < this.#activities.length; i++)
        this.#activities[i] = (this.#activities[i] as number) * 1e-100;
      this.#bump *= 1e-100;
    }
    this.#heap.raise(variable);
  }

  #bumpClause(clause: Clause): void {
    clause.activity += this.#clauseBump;
    if (clause.activity < 1e20) return;
    for (const each of this.#learnt) each.activity *= 1e-20;
    this.#clauseBump *= 1e-20;
  }

  /** Drops the less active half of the learnt clauses, except reasons and short ones. */
  #forget(): void {
    const sorted = this.#learnt.toSorted((a, b) => b.activity - a.activity);
    const half = sorted.length / 2;
    this.#learnt = sorted.filter((clause, index) => {
      const [first] = clause.literals;
      const isReason = first !== undefined && this.#reasons[first >> 1] === clause;
      if (index < half || clause.literals.length === 2 || isReason) return true;
      clause.literals.length = 0; // propagation drops it
      return false;
    });
    this.#mostLearnt *= 1.1;
  }
}

/** 1, 1, 2, 1, 1, 2, 4, … */
function luby(index: number): number {
  let size = 1;
  let power = 0;
  while (size < index + 1) {
    size = 2 * size + 1;
    power++;
  }
  let at = index;
  while (size - 1 !== at) {
    size = (size - 1) >> 1;
    power--;
    at %= size;
  }
  return 2 ** power;
}

/** Variables by activity, the most active first. */
class ActivityHeap {
  readonly #activities: readonly number[];
  readonly #heap: number[] = [];
  readonly #positions = new Map<number, number>();

  constructor(activities: readonly number[]) {
    this.#activities = activities;
  }

  insert(variable: number): void {
    if (this.#positions.has(variable)) return;
    this.#positions.set(variable, this.#heap.length);
    this.#heap.push(variable);
    this.#up(this.#heap.length - 1);
  }

  raise(variable: number): void {
    const position = this.#positions.get(variable);
    if (position !== undefined) this.#up(position);
  }

  pop(): number | undefined {
    const first = this.#heap[0];
    if (first === undefined) return undefined;
    const last = this.#heap.pop() as number;
    this.#positions.delete(first);
    if (this.#heap.length > 0) {
      this.#place(last, 0);
      this.#down(0);
    }
    return first;
  }

  #activityAt(position: number): number {
    return this.#activities[this.#heap[position] as number] as number;
  }

  #place(variable: number, position: number): void {
    this.#heap[position] = variable;
    this.#positions.set(variable, position);
  }

  #up(from: number): void {
    const variable = this.#heap[from] as number;
    const activity = this.#activities[variable] as number;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#activityAt(parent) >= activity) break;
      this.#place(this.#heap[parent] as number, at);
      at = parent;
    }
    this.#place(variable, at);
  }

  #down(from: number): void {
    const variable = this.#heap[from] as number;
    const activity = this.#activities[variable] as number;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && this.#activityAt(child + 1) > this.#activityAt(child)) child++;
      if (this.#activityAt(child) <= activity) break;
      this.#place(this.#heap[child] as number, at);
      at = child;
    }
    this.#place(variable, at);
  }
}
