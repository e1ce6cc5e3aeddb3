/** Models with a loop, a quantifier or a condition over a scalarset, in which the order of its elements shows, or does not. */

const HEAD = `type S: scalarset(3); R: record f: boolean; g: 0..3; end; B: array [S] of boolean;
var a: B; b: B; r: boolean; n: 0..3; o: S; p: S; z: R; done: boolean; net: multiset [3] of S;
`;
const START = `startstate begin for i: S do a[i] := false; b[i] := false; end; r := false; n := 0; z.f := false; z.g := 0; done := false; end;
ruleset i: S do rule "set" !done ==> begin a[i] := true; end; rule "own" !done ==> begin o := i; p := i; end; end;
rule "undo" done ==> begin for i: S do a[i] := false; b[i] := false; end; r := false; n := 0; undefine o; undefine p; undefine net; z.f := false; z.g := 0; done := false; end;
`;

export interface Case {
  readonly before?: string;
  readonly locals?: string;
  readonly body: string;
  readonly after?: string;
}

export const modelOf = ({ before = "", locals = "", body, after = "" }: Case): string =>
  `${HEAD}${before}${START}rule "act" !done ==> ${locals} begin ${body} done := true; end;\n${after}`;

export const REFUSED: Readonly<Record<string, Case>> = {
  "a reference parameter": {
    before: "procedure pick(var x: boolean); begin for i: S do x := a[i]; end; end;",
    body: "pick(r);",
  },
  "a reference parameter that stands for what the loop reads": {
    before:
      "procedure pick(var x: boolean); begin for i: S do if !r then x := a[i]; b[i] := true; end; end; end;",
    body: "pick(r);",
  },
  "two reference parameters that may be the same": {
    before:
      "procedure pick(var x: boolean; var y: boolean); begin for i: S do if !x then y := true; b[i] := true; end; end; end;",
    body: "pick(r, r);",
  },
  "a reference parameter that is a part of what the loop writes": {
    before: "procedure spread(var x: boolean); begin for i: S do b[i] := x; a[i] := !x; end; end;",
    body: "if !isundefined(o) then spread(a[o]); end;",
  },
  "an alias around the loop": { body: "alias x: r do for i: S do x := a[i]; end; end;" },
  "an alias around the loop and its variable": {
    body: "alias x: r do for i: S do if !x then r := true; b[i] := a[i]; end; end; end;",
  },
  "an alias of an alias": {
    body: "alias x: z do alias y: x.f do for i: S do if z.f then b[i] := true; end; y := true; end; end; end;",
  },
  "an alias of a local": {
    locals: "var t: boolean;",
    body: "alias x: t do for i: S do x := a[i]; end; r := t; end;",
  },
  "an alias before the rule": {
    body: "r := true;",
    after: `alias x: r do rule "pick" !done ==> begin for i: S do x := a[i]; end; done := true; end; end;`,
  },
  "a local that reads itself": {
    locals: "var t: boolean;",
    body: "for i: S do t := isundefined(t) ? a[i] : t; b[i] := t; end;",
  },
  "a local that reads a part of itself": {
    locals: "var t: R;",
    body: "t := z; for i: S do t.f := a[i]; t.g := t.f ? t.g : 1; if t.g = 1 then b[i] := true; end; end;",
  },
  "a local of which each round sets a part": {
    locals: "var t: R;",
    body: "for i: S do t.f := a[i]; if isundefined(t.g) then t.g := 1; b[i] := true; end; end;",
  },
  "a local that is passed to its own value": {
    before: "function either(x: boolean; y: boolean): boolean; begin return isundefined(x) ? y : x; end;",
    locals: "var t: boolean;",
    body: "for i: S do t := either(t, a[i]); b[i] := t; end;",
  },
  "a local that is used after the loop": {
    locals: "var t: boolean;",
    body: "for i: S do t := a[i]; end; r := t;",
  },
  "a local that only some rounds set": {
    locals: "var t: boolean;",
    body: "for i: S do if a[i] then t := true; end; if !isundefined(t) then b[i] := true; end; end;",
  },
  "a function with effects in a quantifier": {
    before: "function act(i: S): boolean; begin b[i] := true; return a[i]; end;",
    body: "if exists i: S do act(i) end then r := true; end;",
  },
  "a function that writes a local in a quantifier": {
    before: "function act(var x: S; i: S): boolean; begin x := i; return a[i]; end;",
    locals: "var t: S;",
    body: "if exists i: S do act(t, i) end then o := t; end;",
  },
  "a function with effects that counts elements": {
    before: "function act(x: S): boolean; begin o := x; return true; end;",
    body: "for i: S do if a[i] then multisetadd(p, net); end; end; n := multisetcount(i: net, act(net[i]));",
    after: `ruleset i: S do rule "add" !done & multisetcount(k: net, true) < 3 ==> var t: S; begin t := i; multisetadd(t, net); end; end;`,
  },
  "an assertion beside an undefined value": {
    body: "for i: S do if a[i] then assert false; else r := o = i; end; end;",
  },
  "an assertion in a function of a quantifier": {
    before: "function bad(i: S): boolean; begin if a[i] then assert b[i]; end; return o = i; end;",
    body: "r := forall i: S do bad(i) end;",
  },
  "an assumption beside an error": { body: "for i: S do assume !a[i]; assert a[i] | o = i; end;" },
  "a cover before an assumption": { body: `for i: S do cover "seen" a[i]; assume a[i]; end;` },
  "two different constants": {
    body: "for i: S do if a[i] then n := 1; else n := 2; end; end;",
  },
  "counting up and down": {
    body: "for i: S do if a[i] then n := n + 1; else n := n - 1; end; end;",
  },
  "a first element": { body: "for i: S do if isundefined(o) then o := i; end; end;" },
  "a constant element by clearing": { body: "clear o;" },
  "leaving the loop": {
    before: "function first(): S; begin for i: S do if a[i] then return i; end; end; return p; end;",
    body: "o := first();",
  },
  "undefining what another round sets": {
    body: "for i: S do if a[i] then undefine o; else o := i; end; end;",
  },
  "an alias of a local that the loop reads": {
    locals: "var t: boolean;",
    body: "t := false; alias x: t do for i: S do if !t then b[i] := true; end; x := true; end; end;",
  },
  "an assumption beside an undefined value": {
    body: "for i: S do assume !isundefined(o); b[i] := o = i; end;",
  },
  "a cover beside an assumption": {
    body: `for i: S do cover "seen" isundefined(a[i]); assume isundefined(a[i]); end;`,
  },
  "a cover beside an undefined value": {
    body: `for i: S do cover "seen" isundefined(a[i]); b[i] := o = i; end;`,
  },
  "undefining and clearing": {
    body: "for i: S do if isundefined(a[i]) then undefine z; else clear z; end; end;",
  },
  "setting what another round undefines": {
    body: "for i: S do if isundefined(a[i]) then undefine r; else r := true; end; end;",
  },
  "counting and setting": {
    body: "for i: S do if isundefined(a[i]) then n := n + 1; else n := 2; end; end;",
  },
  "an element that all rounds write": {
    body: "if !isundefined(o) then for i: S do b[o] := a[i]; end; end;",
  },
  "an element that another round writes": {
    body: "if !isundefined(o) then for i: S do b[i] := !b[o]; end; end;",
  },
  "an element that another round reads": {
    body: "if !isundefined(o) then for i: S do if !b[i] then a[i] := true; b[o] := true; end; end; end;",
  },
  "an assumption of each element that may be undefined": {
    body: "r := true;",
    after: `ruleset i: S do assume "given" !a[i] | o = i; end;`,
  },
};

export const KEPT: Readonly<Record<string, Case>> = {
  "a reference parameter at the loop's own index": {
    before: "procedure turn(var x: B); begin for i: S do x[i] := !x[i]; end; end;",
    body: "turn(a);",
  },
  "an alias at the loop's own index": { body: "for i: S do alias x: a[i] do x := !x; b[i] := x; end; end;" },
  "a local that each round sets": {
    locals: "var t: boolean;",
    body: "for i: S do t := a[i]; b[i] := !t; end;",
  },
  "a procedure with locals and references to them": {
    before:
      "procedure put_(var x: boolean; y: boolean); begin x := y; end; procedure set_(i: S); var t: boolean; begin put_(t, a[i]); b[i] := t; end;",
    body: "for i: S do set_(i); end;",
  },
  "undefining in a procedure": {
    before: "procedure forget(); begin undefine o; undefine p; end;",
    body: "for i: S do forget(); end;",
  },
  "a parameter that may be undefined as index": {
    before: "procedure forget(i: S); begin undefine a[i]; a[i] := true; end;",
    body: "for i: S do forget(i); end; if !isundefined(o) then forget(o); end;",
  },
  "the same constant every time": { body: "for i: S do if a[i] then r := true; end; end;" },
  "counting in one direction": { body: "for i: S do if a[i] then n := n + 1; end; end;" },
  "sending to all": { body: "for i: S do alias x: o do multisetadd(x, net); end; end;" },
  "two different errors, each of some element": {
    body: "if exists i: S do a[i] end & exists i: S do !a[i] end then for i: S do if a[i] then b[i] := 1 / n = 1; else b[i] := o = p; end; end; end;",
  },
  "an assumption of each element": {
    body: "r := true;",
    after: `ruleset i: S do assume "given" isundefined(a[i]) | !isundefined(a[i]); end;`,
  },
  "assumptions alone": { body: "for i: S do assume !isundefined(a[i]); end;" },
  "covers alone": { body: `for i: S do cover "seen" !isundefined(a[i]); end;` },
  "undefining what all rounds undefine": { body: "for i: S do undefine z; end;" },
  "clearing what all rounds clear": { body: "for i: S do clear z; end;" },
  "counting down": { body: "n := 3; for i: S do n := n - 1; end;" },
  "a reference parameter beside a local": {
    before:
      "procedure mark(var x: boolean); var t: boolean; begin t := r; for i: S do if t then x := true; end; end; end;",
    body: "mark(z.f);",
  },
  "a reference parameter of another type": {
    before: "procedure mark(var x: 0..3); begin for i: S do b[i] := x = 1; end; end;",
    body: "mark(n);",
  },
  "a single assertion": { body: "for i: S do b[i] := true; assert true; end;" },
};
