/**
 * Termination of processes. Only the youngest process can be removed, so removal distinguishes processes; symmetric searches keep
 * ended processes.
 */
import type { Program, Span, Template } from "../../../model/index.js";
import { dies, edgesOf } from "../../../model/program-walk.js";
import type { SettledProcesses } from "../../../model/symmetry.js";
import { nth } from "../../../model/known.js";

/** Side effects of termination. */
export interface Ending {
  /** A process that creates channels and ends. */
  readonly channels: Span | undefined;
  /** A claim on a channel. */
  readonly claims: Span | undefined;
}

/** Undefined: no process ends. */
export function endOf(program: Program, { templates }: SettledProcesses): Ending | undefined {
  const present = [...new Set(templates)].map((t) => nth(program.templates, t));
  const ended = present.filter(canEnd);
  if (ended.length === 0) return undefined;
  const ofChannels = ended.find(({ initialisers }) => initialisers.some((i) => i.kind === "channel"));
  const claim = present.flatMap(({ claims }) => claims)[0];
  return { channels: ofChannels?.span, claims: claim && nth(program.sites, claim.site).span };
}

/** The same program without removal of ended processes. The other edges are the same objects. */
export function withoutRemoval(program: Program): Program {
  return { ...program, templates: program.templates.map((t) => (canEnd(t) ? staying(t) : t)) };
}

const canEnd = (template: Template): boolean => [...edgesOf(template)].some(dies);

const staying = (template: Template): Template => ({
  ...template,
  locations: template.locations.map((l) => ({ ...l, edges: l.edges.filter((edge) => !dies(edge)) })),
});
