/** Chooses between code for each process and code for each template. */
import type { Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { BlockLayout, Layout, RecordLayout } from "../layout.js";
import type { Unit } from "./unit.js";

export interface Units {
  /** One per process if they are known statically, otherwise one per template. */
  readonly units: readonly Unit[];
  readonly isStatic: boolean;
  readonly isPlanned: boolean;
  /** No state is wider than the initial one. */
  readonly isFixedWidth: boolean;
}

/** More copies of a template's code cost more compilation than they gain. */
const MOST_COPIED_EDGES = 1500;

export function unitsOf(program: Program, layout: Layout, analysis: Analysis): Units {
  const { processes } = layout;
  const copies = program.instances.reduce((total, i) => total + edgeCount(program, i.template), 0);
  const isPlanned = processes.kind === "planned";
  const isStatic = isPlanned || (!analysis.hasRun && copies <= MOST_COPIED_EDGES);
  // sound: test/compile/cases/processes.test.ts test/compile/narrow.test.ts
  const isFixedWidth = isPlanned || !analysis.hasRun;
  const units =
    processes.kind === "planned"
      ? processes.records.map((record, pid) => processUnit(program, record, pid, "0"))
      : isStatic
        ? instanceUnits(program, processes.records, layout.fixedWords)
        : templateUnits(program, processes.records);
  return { units, isStatic, isPlanned, isFixedWidth };
}

function instanceUnits(program: Program, records: readonly BlockLayout[], fixedWords: number): Unit[] {
  let base = fixedWords;
  return program.instances.map(({ template }, pid) => {
    const unit = processUnit(program, records[template]!, pid, String(base));
    base += records[template]!.words;
    return unit;
  });
}

/** One process, known by its number. */
function processUnit(program: Program, record: RecordLayout, pid: number, base: string): Unit {
  const { template } = record;
  const name = `${identifier(program.templates[template]!.name)}_${pid}`;
  return { name, template, record, pid: String(pid), base, parameters: "" };
}

const templateUnits = (program: Program, records: readonly RecordLayout[]): Unit[] =>
  records.map((record, template) => {
    const name = `${identifier(program.templates[template]!.name)}_${template}`;
    return { name, template, record, pid: "p", base: "b", parameters: "p, b" };
  });

/** The number of the first edge of each template, counting all edges of the program in order. */
export function firstEdges(program: Program): number[] {
  let next = 0;
  return program.templates.map((_, t) => {
    const first = next;
    next += edgeCount(program, t);
    return first;
  });
}

const edgeCount = (program: Program, t: number): number =>
  program.templates[t]!.locations.reduce((count, l) => count + l.edges.length, 0);

const identifier = (name: string): string => name.replace(/\W/g, "_");
