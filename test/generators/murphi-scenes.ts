/**
 * Scenes: tiny Murphi models of one construct that symmetry treats specially, similar to models that once exposed a
 * missing condition. They contain by design the constructs that `murphi-symmetric.ts` draws at random.
 */
import type { Random } from "./random.js";

export function drawScene(random: Random): string {
  const { routine = "", locals = "", body } = random.pick(scenes)(random);
  const size = random.chance(70) ? 2 : 3;
  const often = random.chance(50) ? "!done & " : "";
  const value = random.pick(["true", "false"]);
  return `type s: scalarset(${size}); kind: enum { red, blue };
var a: array [s] of boolean; c: array [s] of boolean; n: 0..2; b: boolean; p: s; done: boolean;
${routine}
ruleset i: s do startstate begin for k: s do a[k] := false; c[k] := false; end; n := ${random.below(2)}; b := ${value}; p := i; done := false; end; end;
ruleset j: s do rule "set" ${often}${random.pick(["!a[j]", "forall k: s do !a[k] end", "j != p"])} ==> begin a[j] := true; ${random.pick(["", "p := j;", "c[j] := b;"])} end; end;
ruleset j: s do rule "act" ${random.pick(["!done", "!done & exists k: s do a[k] end", "a[j]"])} ==> ${locals} begin ${body} done := true; end; end;
rule "back" done ==> begin for k: s do a[k] := false; end; done := false; end;
invariant "p" ${random.pick(["done -> b", "done -> !b", "n < 2", "forall k: s do c[k] -> a[k] end", "exists k: s do !a[k] | c[k] end"])};
${random.chance(30) ? `cover "met" ${random.pick(["b & done", "n = 2", "forall k: s do c[k] end"])};` : ""}
`;
}

interface Scene {
  readonly routine?: string;
  readonly locals?: string;
  /** Uses `j`, an element of s; loops use `i`. */
  readonly body: string;
}

const last = (random: Random, place: string): string =>
  random.pick([`${place} := a[i];`, `${place} := !${place};`, `if a[i] then ${place} := c[i]; end;`]);

const scenes: readonly ((random: Random) => Scene)[] = [
  // A reference parameter is not a variable of the iteration,
  (r) => ({
    routine: `procedure pick(var x: boolean); begin for i: s do ${last(r, "x")} end; end;`,
    body: r.pick(["pick(b);", "pick(c[j]);"]),
  }),
  // nor is a local that is read before it is set,
  (r) => ({
    locals: "var t: boolean;",
    body: `for i: s do ${r.pick(["t := isundefined(t) ? a[i] : t;", "t := isundefined(t) ? a[i] : !t;"])} c[i] := t; end;`,
  }),
  // or that is used after the loop,
  (r) => ({
    locals: "var t: boolean;",
    body: `for i: s do t := ${r.pick(["a[i]", "!a[i]", "c[i]"])}; ${r.pick(["", "c[i] := t;"])} end; b := t;`,
  }),
  // nor an alias of a place around the loop.
  (r) => ({
    body: `alias z: ${r.pick(["b", "c[j]"])} do for i: s do z := ${r.pick(["a[i]", "!a[i]"])}; ${r.pick(["", "c[i] := z;"])} end; end;`,
  }),
  // A reference parameter may alias the variable that the loop writes.
  (r) => ({
    routine: `procedure mix(var x: boolean); begin for i: s do a[i] := ${r.pick(["!x", "x", "x | c[i]"])}; end; end;`,
    body: "mix(a[j]);",
  }),
  // Iterations that fail in two ways, or next to an assumption or a cover.
  (r) => ({
    body: `for i: s do ${r.pick(["assert !a[i];", "assume !a[i];", 'cover "c" a[i];', 'if a[i] then error "no"; end;'])} if ${r.pick(["c[i]", "!a[i]"])} then ${r.pick(["n := n + 2;", "undefine c[i]; b := c[i];", 'error "yes";'])} end; end;`,
  }),
  // Distinct constants, and counting in both directions.
  (r) => ({
    body: r.pick([
      `for i: s do if ${r.pick(["a[i]", "c[i]"])} then b := true; else b := false; end; end;`,
      "for i: s do if a[i] then n := n + 1; else n := n - 1; end; end;",
    ]),
  }),
  // Quantifiers with effects, and with errors after which they stop.
  (r) =>
    r.chance(40)
      ? {
          routine: `function ask(x: s): boolean; begin if isundefined(c[x]) then error "no"; end; return ${r.pick(["true", "isundefined(p)"])}; end;`,
          body: `if ${r.pick(["exists", "forall"])} i: s do ask(i) end then undefine c[j]; else undefine p; undefine c[j]; end;`,
        }
      : {
          routine: `function ask(x: s): boolean; begin ${r.pick(["p := x;", "b := a[x];", "n := n + 1;", "assert !c[x];"])} return ${r.pick(["a[x]", "!a[x]", "true"])}; end;`,
          body: `if ${r.pick(["exists", "forall"])} i: s do ask(i) end then ${r.pick(["c[j] := true;", "b := !b;"])} end;`,
        },
  // Symmetry cannot name the first element.
  (r) => ({
    body: r.pick(["clear p;", "clear p; a[p] := true;", "for i: s do if a[i] then clear p; end; end;"]),
  }),
];
