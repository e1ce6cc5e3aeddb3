/** Message-passing programs for one feature each, and reproducible random ones. */
import fc from "fast-check";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import type { MessageProgram } from "../../../src/model/index.js";
import { anyProgram } from "../../generators/mpp.js";

const head = "message a, b; channel c, d; op swap { a -> b; b -> a; }\n";

const texts: Readonly<Record<string, string>> = {
  "two of a kind": `
    principal P { var x; x = a; send(c, x); send(c, x); } principal Q { var y; recv(c, y); recv(c, y); send(d, y); }
    principal R { var z; recv(d, z); } property p: provenance(R.z) in eps | P P;`,
  "as many as one likes": `
    principal P { var x; x = a; loop { send(c, x); } } principal Q { var y; loop { recv(c, y); send(d, y); } }
    principal R { var z; recv(d, z); recv(d, z); recv(d, z); } property p: provenance(R.z) in eps | P Q;`,
  "round and round": `
    principal P { var x; x = a; loop { send(c, x); recv(d, x); } } principal Q { var y; loop { recv(c, y); send(d, y); } }
    property p: provenance(P.x) in eps | P Q P Q P Q;`,
  "a value for a moment": `
    principal P { var x, y; recv(c, x); send(d, x); x = a; } principal Q { var z; z = a; send(c, z); }
    property p: provenance(P.x) in eps when P.x == b;`,
  "a value that is bad for a moment": `
    principal P { var x; recv(c, x); x = swap(x); x = a; recv(c, x); } principal Q { var z; z = a; send(c, z); }
    property p: provenance(P.x) in eps when P.x == b;`,
  "two at once": `
    principal P { var x; recv(c, x); send(d, x); x = a; } principal Q { var z, y; z = b; send(c, z); recv(d, y); }
    property p: provenance(P.x) in eps when Q.y == b;`,
  "at the start": `
    principal P { var x; skip; } principal Q { var z; skip; } property p: provenance(P.x) in P;`,
  "at the start, when": `
    principal P { var x; x = a; } principal Q { var z; skip; } property p: provenance(P.x) in P when P.x == none;`,
  "born bad": `
    principal P { var x; spawn R; } principal R { var y; y = a; } property p: provenance(R.y) in R;`,
  "born, and bad when": `
    principal P { var x; loop { spawn R; } } principal R { var y; y = a; send(c, y); recv(c, y); }
    property p: provenance(R.y) in eps when R.y == b;`,
  "spawned ones exchange": `
    principal P { var x; loop { spawn R; } } principal R { var y; y = a; choose { [] send(c, y); [] recv(c, y); send(c, y); } }
    property p: provenance(R.y) in eps | R | R R;`,
  "what is tested": `
    principal P { var x; x = a; send(c, x); send(d, x); } principal Q { var y; recv(c, y); send(d, y); }
    principal R { var z; recv(d, z); if (provenance(z) in P Q) { z = a; } else { z = swap(z); } }
    property p: provenance(R.z) in eps | P Q | P when R.z == b;`,
  "what is assumed": `
    principal P { var x; choose { [] x = a; [] x = b; } send(c, x); }
    principal Q { var y; recv(c, y); assume(y != a); send(d, y); } principal R { var z; recv(d, z); }
    property p: provenance(R.z) in eps when R.z == a;`,
  "what is not read again": `
    principal P { var x, y; x = a; send(c, x); y = b; send(c, y); } principal Q { var x, y; recv(c, x); y = x; recv(c, x); send(d, y); }
    principal R { var z; recv(d, z); } property p: provenance(R.z) in eps | P Q when R.z == a;`,
  "stuck on its way": `
    principal P { var x; x = a; send(c, x); assume(x == b); send(c, x); } principal Q { var y; recv(c, y); recv(c, y); send(d, y); }
    principal R { var z; recv(d, z); } property p: provenance(R.z) in eps;`,
  "where it has been, in any order": `provenance set;
    principal P { var x; x = a; send(c, x); } principal Q { var y; recv(c, y); send(c, y); }
    principal R { var z; recv(c, z); } property p: provenance(R.z) in subset {P};`,
  "what must be on the way": `provenance set;
    principal P { var x; x = a; send(c, x); } principal Q { var y; recv(c, y); send(d, y); }
    principal R { var z; recv(d, z); } property p: provenance(R.z) in contains {P, Q} when R.z == a;`,
  "classes of a domain": `
    domain Sealed { init clean; clean - send P -> sealed; sealed - recv Q -> open; open - op swap -> clean; open - send any -> lost; }
    provenance Sealed;
    principal P { var x; x = a; send(c, x); } principal Q { var y; recv(c, y); choose { [] y = swap(y); [] skip; } send(d, y); }
    principal R { var z; recv(d, z); if (provenance(z) in classes {lost}) { z = a(z); } else { z = swap(z); } }
    property p: provenance(R.z) in classes {clean, sealed};`,
  "a new message of a domain": `
    domain Two { init low; low - send any -> high; } provenance Two;
    principal P { var x; x = a; send(c, x); x = b; } property p: provenance(P.x) in classes {high};`,
};

/** Larger ones, only run step by step. */
const larger: Readonly<Record<string, string>> = {
  "two kinds that are spawned": `
    principal P { var x; spawn R; spawn Q; } principal Q { var y; y = a; send(c, y); recv(c, y); } principal R { var z; z = a; }
    property p: provenance(R.z) in eps;`,
  "a condition on the same one of several": `
    principal P { var x; x = a; send(c, x); spawn R; spawn R; }
    principal R { var y, z; choose { [] recv(c, y); [] z = b; } } property p: provenance(R.y) in eps when R.z == b;`,
  "a copy is no operation": `
    domain Worn { init clean; clean - op any -> worn; } provenance Worn;
    principal P { var x, y; x = a; y = x; skip; y = swap(x); } property p: provenance(P.y) in classes {clean} when P.y == a;`,
};

export const largerPrograms = (): readonly (readonly [string, MessageProgram])[] =>
  loaded(Object.entries(larger));

export function messagePrograms(random: number): readonly (readonly [string, MessageProgram])[] {
  const sampled = fc.sample(anyProgram, { numRuns: random, seed: 5 });
  return loaded([...Object.entries(texts), ...sampled.map((text): [string, string] => [text, text])]);
}

const loaded = (
  named: readonly (readonly [string, string])[],
): readonly (readonly [string, MessageProgram])[] =>
  named.map(([name, text]) => {
    const { program, diagnostics } = loadMpp("p.mpp", text.startsWith("message") ? text : head + text);
    if (!program) throw new Error(`${name}: ${diagnostics[0]!.message}`);
    return [name, program] as const;
  });
