/**
 * The search core alone, on a hand-written system in the form of generated code: transitions per second and bytes per
 * state. `node scripts/run-ts.mjs bench/core.ts [processes] [repetitions] [bfs,dfs]`.
 *
 * The system is Peterson's filter lock for N processes. Words 0 to N-1 hold one process each (4 bits each for location,
 * attempted level, compared process and published level), word N the last arrival at each level (4 bits each), word N+1
 * the number of processes inside.
 */
import { spawnSync } from "node:child_process";
import { checkExplicit, type ExplicitOptions } from "../src/engines/explicit/index.js";
import type { Model, Successors, System, Words } from "../src/model/index.js";

const processes = Number(process.argv[2] ?? 5);
const repetitions = Number(process.argv[3] ?? 3);
const orders = (process.argv[4] ?? "bfs,dfs").split(",") as ExplicitOptions["order"][];

if (repetitions > 0) for (const order of orders) report(order);
else console.log(JSON.stringify(await measure(orders[0]!)));

/** Runs each repetition in a separate process, so that V8's optimisations do not carry over. */
function report(order: string): void {
  const runs = Array.from({ length: repetitions }, () => {
    const child = spawnSync(process.execPath, [process.argv[1]!, String(processes), "0", order], {
      encoding: "utf8",
    });
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout) as Awaited<ReturnType<typeof measure>>;
  }).sort((a, b) => a.seconds - b.seconds);
  const { states, transitions, seconds, bytesPerState, depth, residentMiB } = runs[runs.length >> 1]!;
  const rates = (of: "seconds" | "cpuSeconds"): string =>
    runs.map((run) => (run.transitions / run[of] / 1e6).toFixed(2)).join(" ");
  console.log(
    `${order}: ${states} states, ${transitions} transitions, depth ${depth}, ${bytesPerState.toFixed(1)} bytes/state, ` +
      `peak resident ${residentMiB} MiB, median ${seconds.toFixed(2)} s\n` +
      `  M transitions/s: ${rates("seconds")}; by processor time: ${rates("cpuSeconds")}`,
  );
}

async function measure(order: ExplicitOptions["order"]) {
  const before = process.cpuUsage();
  const { stats, isComplete } = await checkExplicit(filterLock(processes), {
    order,
    checkDeadlock: true,
    errors: 1,
    budget: {},
    control: {},
  });
  if (!isComplete) throw new Error("the search did not end by itself");
  const { user, system } = process.cpuUsage(before);
  const residentMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  return { ...stats, cpuSeconds: (user + system) / 1e6, residentMiB };
}

function filterLock(n: number): Model {
  const system = filterLockSystem(n);
  const explainsNothing = {
    describe: () => ({ participants: [], action: "", sources: [], messages: [], output: "" }),
    snapshot: () => [],
    processes: () => [],
  };
  const span = { file: "filter lock", start: 0, end: 0 };
  return {
    system,
    steps: Object.assign(filterLockSystem(n), explainsNothing),
    properties: [
      { name: "assertions", kind: "assertion", span: undefined },
      { name: "deadlock", kind: "deadlock", span: undefined },
    ],
    sites: [{ fault: "assertion", message: "two processes inside", span }],
    holds: () => true,
    invariants: [],
    coverage: { parts: [], reached: new Uint8Array(0) },
  };
}

function filterLockSystem(n: number): System {
  const width = n + 2;
  const [WAIT, PUBLISH, ARRIVE, LOOK, NEXT, ENTER, LEAVE, RETREAT] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

  /** Copies the state; returns the copy's position. */
  function push(state: Words, at: number, out: Successors): number {
    if (out.count === out.capacity) out.grow();
    const words = out.words;
    const to = out.count * width;
    for (let k = 0; k < width; k++) words[to + k] = state[at + k]!;
    out.flags[out.count++] = 0;
    return to;
  }

  function successors(state: Words, at: number, out: Successors): void {
    for (let i = n - 1; i >= 0; i--) {
      const own = state[at + i]!;
      const level = (own >> 4) & 15;
      const other = (own >> 8) & 15;
      switch (own & 15) {
        case WAIT: {
          const to = push(state, at, out);
          out.words[to + i] = (own & ~255) | (1 << 4) | PUBLISH;
          break;
        }
        case PUBLISH: {
          const to = push(state, at, out);
          out.words[to + i] = (own & ~0xf00f) | (level << 12) | ARRIVE;
          break;
        }
        case ARRIVE: {
          const to = push(state, at, out);
          out.words[to + i] = (own & ~0xf0f) | LOOK;
          out.words[to + n] = (state[at + n]! & ~(15 << (4 * level))) | (i << (4 * level));
          break;
        }
        case LOOK:
          if (other === n) {
            const to = push(state, at, out);
            out.words[to + i] = (own & ~0xf0f) | NEXT;
          } else if (
            other === i ||
            ((state[at + other]! >> 12) & 15) < level ||
            ((state[at + n]! >> (4 * level)) & 15) !== i
          ) {
            const to = push(state, at, out);
            out.words[to + i] = own + (1 << 8);
          }
          break;
        case NEXT: {
          const to = push(state, at, out);
          out.words[to + i] =
            level + 1 < n ? (own & ~255) | ((level + 1) << 4) | PUBLISH : (own & ~255) | ENTER;
          break;
        }
        case ENTER: {
          const to = push(state, at, out);
          out.words[to + i] = (own & ~15) | LEAVE;
          out.words[to + n + 1] = state[at + n + 1]! + 1;
          break;
        }
        case LEAVE: {
          if (state[at + n + 1] !== 1) {
            out.addFault(0);
            break;
          }
          const to = push(state, at, out);
          out.words[to + i] = (own & ~15) | RETREAT;
          out.words[to + n + 1] = 0;
          break;
        }
        case RETREAT: {
          const to = push(state, at, out);
          out.words[to + i] = 0;
          break;
        }
      }
    }
  }

  return {
    width,
    compareFrom: 0,
    initial(out) {
      out.words.fill(0, 0, width);
      out.flags[out.count++] = 0;
    },
    successors,
    status: () => 0,
  };
}
