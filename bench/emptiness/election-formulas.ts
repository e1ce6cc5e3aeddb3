/** The nine formulas of table 2 (negated properties), over `electionValuation`: N, then Z, O, T and H for the leader. */
export const ELECTION_PROPOSITIONS = ["n", "z", "o", "t", "h"] as const;

const rotations = (after: Readonly<Record<"z" | "o" | "t", string>>): string =>
  `!(<>[](n || z || o || t)` +
  (["z", "o", "t"] as const).map((one) => ` && <>[](${one} -> (${one} U (n U ${after[one]})))`).join("") +
  ")";

export const ELECTION_FORMULAS = {
  A: "!(<>[](n U z))",
  B: "!(<>[](n U h))",
  C: "!(<>z)",
  D: "!([]<>z)",
  E: "!(<>h)",
  F: "!([](n -> <>z))",
  G: "!([](n || z))",
  H: rotations({ z: "o", o: "t", t: "z" }),
  I: rotations({ z: "t", o: "z", t: "o" }),
} as const;
