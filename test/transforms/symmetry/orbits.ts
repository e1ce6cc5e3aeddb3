/** Renaming the obvious way, by every permutation. */
import { Renamer, type Renaming } from "../../../src/compile/rules/renaming.js";
import type { Words } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";

export class Orbits extends Renamer {
  readonly renamings: readonly Renaming[];

  constructor(program: RuleProgram, scalarsets: readonly number[]) {
    super(program);
    this.renamings = scalarsets.reduce<Renaming[]>(
      (all, scalarset) =>
        all.flatMap((before) =>
          permutations(program.scalarsets[scalarset]!.size).map(
            (permutation) => new Map([...before, [scalarset, permutation]]),
          ),
        ),
      [new Map()],
    );
  }

  /** The same for all states of an orbit, and for no other. */
  nameOf(state: Words): string {
    return this.renamings.map((renaming) => this.renamed(state, renaming).join()).sort()[0]!;
  }
}

function permutations(size: number): number[][] {
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((shorter) =>
    Array.from({ length: size }, (_, at) => [...shorter.slice(0, at), size - 1, ...shorter.slice(at)]),
  );
}
