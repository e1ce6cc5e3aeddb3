/** Writes deterministic or other transition systems without error states as FSP, the language of LTSA. */
import { END_NAME, TAU, assumptionSystem, type Assumption, type Lts } from "../model/index.js";
import { nth } from "../model/known.js";

/** Lines. The alphabet may have labels that the system never takes. Internal steps are `hidden`, and hidden. */
export function ltsFsp(name: string, lts: Lts, alphabet: Iterable<string>): string[] {
  const names = fspLabels(
    [...new Set([...alphabet, ...lts.labels.slice(1)])].filter((each) => each !== END_NAME),
  );
  const labelOf = (action: number): string =>
    action === TAU ? HIDDEN : (names.get(nth(lts.labels, action)) ?? HIDDEN);
  const local = (state: number): string => {
    const branches: string[] = [];
    for (let t = nth(lts.firsts, state); t < nth(lts.firsts, state + 1); t++) {
      if (lts.labels[nth(lts.actions, t)] === END_NAME) return "END";
      branches.push(`${labelOf(nth(lts.actions, t))} -> ${stateName(nth(lts.targets, t))}`);
    }
    if (branches.length > 0) return `(${branches.join(" | ")})`;
    return state === lts.error ? "ERROR" : "STOP";
  };
  const stateName = (state: number): string => (state === lts.error ? "ERROR" : `Q${state}`);
  const states = Array.from({ length: lts.states }, (_, state) => state).filter((s) => s !== lts.error);
  const first = stateName(nth(lts.initial, 0));
  const hides = lts.actions.includes(TAU) ? ` \\ {${HIDDEN}}` : "";
  const renamed = [...names].filter(([label, written]) => label !== written && indexed(label) !== written);
  return [
    ...renamed.map(([label, written]) => `// ${written}: ${label.replaceAll(/\s+/g, " ")}`),
    `${name} = ${first},`,
    ...states.map((state, i) => {
      const isLast = i === states.length - 1;
      return `${stateName(state)} = ${local(state)}${isLast ? ` + {${[...names.values()].join(", ")}}${hides}.` : ","}`;
    }),
  ];
}

const HIDDEN = "hidden_step";

export function assumptionFsp(assumption: Assumption): string[] {
  const { name, of, states, alphabet } = assumption;
  const lts = assumptionSystem(assumption);
  const head = `// ${name}, an assumption of ${of}: ${states} state${states === 1 ? "" : "s"}`;
  return lts ? [head, ...ltsFsp(name, lts, alphabet)] : [`${head}; it excludes every run`];
}

/** `a.1.b` is written `a[1].b`. */
const indexed = (label: string): string => label.replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]");

/** Different labels, each as FSP can write it. */
function fspLabels(labels: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set([HIDDEN]);
  return new Map(
    labels.map((label) => {
      const exact = indexed(label);
      const isLegal = /^[a-z]\w*(\[\d+\]|\.[a-z]\w*)*$/.test(exact) && !RESERVED.has(label);
      const words = label.replaceAll(/\W+/g, "_").replaceAll(/^_+|_+$/g, "");
      const isName = /^[a-z]/.test(words) && !RESERVED.has(words);
      const plain = isLegal ? exact : isName ? words : `a_${words}`;
      let written = plain;
      for (let i = 2; taken.has(written); i++) written = `${plain}_${i}`;
      taken.add(written);
      return [label, written];
    }),
  );
}

const RESERVED = new Set(
  "const range set property progress menu fluent initially assert deterministic minimal when if then else forall exists rigid tau".split(
    " ",
  ),
);
