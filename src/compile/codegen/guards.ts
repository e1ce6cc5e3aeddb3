/** Guards that may fault, and checks of claims on channels. */
import type { Channel } from "./channels.js";
import type { Emitter } from "./expressions.js";
import { sum, type Scope } from "./scope.js";
import { block } from "./unit.js";

/** A guard that can fault: the fault is a separate entry. */
export function guarded(em: Emitter, test: string, scope: Scope, body: string): string {
  const t = em.temporary();
  // sound: test/compile/cases/values.test.ts
  return `${t} = ${test} ? 1 : 0;\nif (fault !== 0) ${failed(scope)}\nelse ${block(`if (${t} !== 0)`, body)}`;
}

/** Leaves after a fault, which from the source state is a separate entry. */
export function failed(scope: Scope): string {
  // sound: test/compile/cases/values.test.ts test/compile/cases/control.test.ts test/compile/conditions.test.ts
  return scope.array === "s" ? "failHere();" : "return;";
}

/** Records a failure if a process other than `pid` has claimed the channel; the step continues, as in Spin. */
export function claim(
  em: Emitter,
  pid: string,
  k: number,
  q: Pick<Channel, "header">,
  access: "receive" | "send",
): string {
  const slot = access === "receive" ? em.shapes.shapes[k]!.receiver : em.shapes.shapes[k]!.sender;
  if (!slot) return "";
  const t = em.temporary();
  const scope: Scope = { array: "w", pid, base: "0", record: undefined };
  em.bad(0); // so that the end of the entry tests for failures
  const site = `${access}Claims[templateOf(w, o, ${t} - 1)]`;
  // sound: test/compile/cases/channels.test.ts
  return `if ((${t} = ${em.places.scalar(slot, scope, q.header)}) !== 0 && ${t} !== ${sum(pid, 1)}) note(${site});\n`;
}
