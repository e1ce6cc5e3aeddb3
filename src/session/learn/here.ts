/** Learns a protocol in the process in which the code runs: a membership query makes the calls, from the first state on. */
import { assumptionOf } from "../../engines/learning/index.js";
import { learnProtocol, type Runnable } from "../../engines/learning/protocol.js";
import { unpacked } from "../../code/system/index.js";
import {
  Sources,
  Successors,
  faultSite,
  hasErrors,
  type Diagnostic,
  type Model,
  type Words,
} from "../../model/index.js";
import type { Worker } from "../../sandbox/index.js";
import { problemInRun, watch } from "../apart/here.js";
import { loadSource } from "../nodes/load.js";
import type { LearnAnswer, LearnJob } from "./job.js";

export const learnHere: Worker<LearnJob> = {
  problemOf: problemInRun,
  work: async (job, parent): Promise<LearnAnswer> => {
    watch(job, parent);
    const { model, diagnostics } = loadSource(unpacked(job.source), { sources: new Sources() });
    if (!model || hasErrors(diagnostics)) return { protocol: undefined, diagnostics };
    const started = performance.now();
    const isStopped = (): boolean =>
      parent.isStopped() || (job.timeMs !== undefined && performance.now() - started > job.timeMs);
    try {
      const runnable = runnableOf(model);
      const found = await learnProtocol(runnable, { maxStates: job.maxStates, isStopped });
      const { dfa, states: visited, ...figures } = found;
      const { states, edges } = assumptionOf({ name: "", of: "", alphabet: runnable.letters, dfa });
      return { protocol: { calls: runnable.letters, states, edges, visited, ...figures }, diagnostics };
    } catch (error) {
      if (!(error instanceof NoProtocol)) throw error;
      return { protocol: undefined, diagnostics: [...diagnostics, problem(job.source.file, error.message)] };
    }
  },
};

/** The object does more than to accept or refuse calls. */
class NoProtocol extends Error {}

const problem = (file: string, message: string): Diagnostic => ({
  code: "session/no-protocol",
  severity: "error",
  message,
  span: { file, start: 0, end: 0 },
});

/** States as words. Refusing leads to a state without calls, in which every object that does not refuse has all of them. */
function runnableOf({ steps }: Model): Runnable<Words> {
  const out = new Successors(steps.width);
  steps.initial(out);
  const initial = out.words.slice(0, steps.width);
  const letters = callsIn(steps, initial).map(({ call }) => call);
  return {
    letters,
    initial,
    keyOf: (state) => state.join(),
    step: (state, letter) => {
      const all = callsIn(steps, state);
      const chosen = all.filter(({ call }) => call === letters[letter]);
      // sound: test/session/learn.test.ts
      if (chosen.length !== 1 || !chosen[0])
        throw new NoProtocol(
          `'${letters[letter]}' has ${chosen.length} outcomes: the object uses timers, messages or random numbers`,
        );
      const { words } = chosen[0];
      return callsIn(steps, words).length === 0 ? undefined : words;
    },
  };
}

function callsIn(steps: Model["steps"], state: Words): { readonly call: string; readonly words: Words }[] {
  const out = new Successors(steps.width);
  steps.successors(state, 0, out);
  return Array.from({ length: out.count }, (_, choice) => {
    const { action } = steps.describe(state, 0, choice);
    const site = faultSite(out.flags[choice] ?? 0);
    // sound: test/session/learn.test.ts
    if (site >= 0 || out.isDead(choice)) throw new NoProtocol(`'${action}' fails outside of the call`);
    return { call: action, words: out.stateAt(choice) };
  }).filter(({ call }) => call !== "√");
}
