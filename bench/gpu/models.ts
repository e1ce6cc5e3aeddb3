/** Models for a device: of ten million to billions of states, with counts that are known by formula, by a hand-written kernel, or by Spin. */
import { hugeModels, largeModels } from "../models/index.js";

export interface GpuModel {
  readonly name: string;
  readonly text: string;
  readonly states: number;
  readonly transitions: number;
  readonly depth?: number;
  /** Too large for the processor: only the device searches it. */
  readonly isHuge?: boolean;
}

/** Peterson's filter lock for n processes, one statement a step. */
export const filterLock = (n: number): string => `#define N ${n}
byte published[N];
byte last[N];
active [N] proctype P() {
  byte level, other;
  do
  :: level = 1;
     do
     :: published[_pid] = level;
        d_step { last[level] = _pid; other = 0 };
        do
        :: d_step { other == N && level + 1 < N -> other = 0; level++ }; break
        :: d_step { other == N && level + 1 >= N -> other = 0; level = 0 }; goto inside
        :: d_step { other < N && (other == _pid || published[other] < level || last[level] != _pid) -> other++ }
        od
     od;
inside:
     d_step { published[_pid] = 0; other = 0 }
  od
}
`;

/** Each of n counters goes from 0 to m - 1 and back to 0: m^n states, n steps from each. */
const counters = (n: number, m: number): string => `byte c[${n}];
active [${n}] proctype P() {
  do
  :: d_step { c[_pid] < ${m - 1} -> c[_pid]++ }
  :: d_step { c[_pid] == ${m - 1} -> c[_pid] = 0 }
  od
}
`;

/** Likewise with values of 31 bits, each of which has copies: wide vectors. */
const wideCounters = (n: number, copies: number): string => `int c[${n}];
int d[${copies}];
active [${n}] proctype P() {
  do
  :: d_step { c[_pid] < 1879048192 -> c[_pid] = c[_pid] + 268435456; ${copiesOf(n, copies)} }
  :: d_step { c[_pid] == 1879048192 -> c[_pid] = 0; ${copiesOf(n, copies)} }
  od
}
`;

/** Copy k belongs to counter k modulo n. */
const copiesOf = (n: number, copies: number): string =>
  `if ${Array.from({ length: n }, (_, i) => {
    const own = Array.from({ length: copies }, (_x, k) => k).filter((k) => k % n === i);
    return `:: _pid == ${i} -> ${own.map((k) => `d[${k}] = c[${i}]`).join("; ")}`;
  }).join(" ")} fi`;

const counted = (name: string, text: string, n: number, m: number, isHuge = false): GpuModel => ({
  name,
  text,
  states: m ** n,
  transitions: n * m ** n,
  depth: n * (m - 1),
  isHuge,
});

/** pan counts the entry of the first state as a transition. */
function ofPan({ name, text, states, transitions }: Omit<GpuModel, "depth">): GpuModel {
  return { name, text, states, transitions: transitions - 1 };
}

export const gpuModels: readonly GpuModel[] = [
  ...largeModels.filter(({ states }) => states > 5e6).map(ofPan),
  ...hugeModels.map(ofPan),
  { name: "filter-5", text: filterLock(5), states: 10_294_228, transitions: 40_935_055, depth: 125 },
  counted("counters-6-16", counters(6, 16), 6, 16),
  counted("wide-8-18", wideCounters(8, 18), 8, 8),
  {
    name: "filter-6",
    text: filterLock(6),
    states: 983_313_468,
    transitions: 4_699_184_428,
    depth: 199,
    isHuge: true,
  },
  counted("wide-10-16", wideCounters(10, 16), 10, 8, true),
  counted("counters-7-23", counters(7, 23), 7, 23, true),
];
