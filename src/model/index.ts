/**
 * Shared types. Imports no other folder.
 *
 * Read `program.ts` (systems of guarded processes as data) and `system.ts` (transition systems as flat
 * words) first; `rules.ts` (systems of guarded rules as data) is imported by its own name, since it declares other places and
 * expressions; `trace.ts` and `verdict.ts` define findings, `diagnostic.ts` user errors.
 */
export * from "./diagnostic.js";
export * from "./program.js";
export * from "./candidacy.js";
export * from "./moves.js";
export * from "./condition.js";
export * from "./system.js";
export * from "./trace.js";
export * from "./verdict.js";
export * from "./budget.js";
export * from "./device.js";
export * from "./patience.js";
export * from "./numbering.js";
export * from "./storage.js";
export * from "./model.js";
export * from "./control.js";
export * from "./subject.js";
export * from "./net.js";
export * from "./bvas.js";
export * from "./abstract-graph.js";
export * from "./derivation.js";
export * from "./arithmetic.js";
export * from "./formula.js";
export * from "./fluents.js";
export * from "./automaton.js";
export * from "./temporal.js";
export * from "./reduction.js";
export * from "./random-walk.js";
export * from "./chooser.js";
export * from "./linearizability.js";
export * from "./sequential-models.js";
export * from "./code-coverage.js";
export * from "./messages.js";
export * from "./message-counts.js";
export * from "./provenance.js";
export * from "./certificate.js";
export * from "./assumptions.js";
export * from "./guarded.js";
export * from "./ndlog.js";
export * from "./ndlog-run.js";
export * from "./boolean.js";
export * from "./solver.js";
export * from "./sat.js";
export * from "./chi.js";
export * from "./components.js";
export * from "./compose.js";
export * from "./chi-apart.js";
export * from "./chi-control.js";
export * from "./chi-evaluate.js";
export * from "./chi-text.js";
export * from "./lts.js";
export * from "./lts-term.js";
export * from "./action-logic.js";
export * from "./composition.js";
