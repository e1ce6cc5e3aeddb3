/** Reads another process's location, variables and enabledness. */
import type { Expr } from "../../model/index.js";
import type { RecordLayout } from "../layout.js";
import type { Emitter } from "./expressions.js";
import { stateOf, type Scope } from "./scope.js";

/** Number of a process; faults if absent. */
export function processNumber(em: Emitter, process: Expr, scope: Scope, site: number): string {
  const t = em.temporary();
  // sound: test/compile/cases/control.test.ts test/compile/faults.test.ts
  return `((${t} = ${em.value(process, scope)}) >>> 0 < np ? ${t} : ${em.bad(site)})`;
}

/** 0 for an absent process, as in Spin. */
export function emitPriority(em: Emitter, e: Expr & { kind: "priority" }, scope: Scope): string {
  if (!em.program.rules.usesPriorities) return "1";
  const t = em.temporary();
  // sound: test/compile/cases/control.test.ts
  return `((${t} = ${em.value(e.process, scope)}) >>> 0 < np ? priorityOf(${stateOf(scope)}, ${t}) : 0)`;
}

/** The process of a remote reference, or -1 if it does not exist. */
function remoteProcess(em: Emitter, e: Expr & { kind: "at" | "remote" }, scope: Scope): string {
  if (!e.process) return `findProcess(${stateOf(scope)}, ${e.template})`;
  return `processOf(${stateOf(scope)}, ${e.template}, ${em.value(e.process, scope)})`;
}

export function emitAt(em: Emitter, e: Expr & { kind: "at" }, scope: Scope): string {
  const process = em.temporary();
  const location = em.temporary();
  const read = `(${location} = locationOf(${stateOf(scope)}, ${process}), true)`;
  const any = e.locations.map((l) => `${location} === ${l}`).join(" || ") || "false";
  // sound: test/compile/cases/control.test.ts test/compile/cases/processes.test.ts
  return `((${process} = ${remoteProcess(em, e, scope)}) >= 0 && ${read} && (${any}))`;
}

export function emitRemote(em: Emitter, e: Expr & { kind: "remote" }, scope: Scope): string {
  const process = em.temporary();
  const there = (base: string, record: RecordLayout): string =>
    em.places.load(e.place, { array: scope.array, pid: "-1", base, record });
  const { kind, records } = em.layout.processes;
  const load =
    kind === "blocks"
      ? there(`B[${process}]`, records[e.template]!)
      : records
          .flatMap((r, p) => (r.template === e.template ? [`${process} === ${p} ? ${there("0", r)} : `] : []))
          .join("") + "0";
  // sound: test/compile/cases/control.test.ts test/compile/cases/processes.test.ts
  return `((${process} = ${remoteProcess(em, e, scope)}) >= 0 ? ${load} : ${em.bad(e.site)})`;
}

/** `enabled` of oneself is an error, as in Spin. */
export function emitEnabled(em: Emitter, e: Expr & { kind: "enabled" }, scope: Scope): string {
  const p = em.temporary();
  // sound: test/compile/cases/control.test.ts test/compile/faults.test.ts
  const isSelf = `(${p} = ${em.value(e.process, scope)}) === ${scope.pid}`;
  return `(${isSelf} ? ${em.bad(e.site)} !== 0 : canMove(${p}))`;
}
