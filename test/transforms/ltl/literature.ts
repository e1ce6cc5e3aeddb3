/**
 * Formulas of the literature on which translations are compared: the 94 "human" formulas of Couvreur, Duret-Lutz
 * and Poitrenaud (SPIN 2005), collected from Etessami and Holzmann (CONCUR 2000), Somenzi and Bloem (CAV 2000) and
 * the specification patterns of Dwyer, Avrunin and Corbett (FMSP 1998).
 */
import { parseLtl, type ParsedFormula } from "../../../src/transforms/ltl/index.js";

export const etessamiHolzmann: readonly string[] = [
  "p0 U (p1 & G p2)",
  "p0 U (p1 & X(p2 U p3))",
  "p0 U (p1 & X(p2 & F(p3 & X F(p4 & X F(p5 & X F p6)))))",
  "F(p0 & X G p1)",
  "F(p0 & X(p1 & X F p2))",
  "F(p0 & X(p1 U p2))",
  "F G p0 | F G p1",
  "G(!p0 | (p1 U p2))",
  "F(p0 & X F(p1 & X F(p2 & X F p3)))",
  "GFp0 & GFp1 & GFp2 & GFp3 & GFp4",
  "(p0 U (p1 U p2)) | (p1 U (p2 U p0)) | (p2 U (p0 U p1))",
  "G(!p0 | (p1 U (G p2 | G p3)))",
];

export const somenziBloem: readonly string[] = [
  "p U q",
  "p U (q U r)",
  "!(p U (q U r))",
  "GFp -> GFq",
  "Fp U Gq",
  "Gp U q",
  "!(FFp <-> Fp)",
  "!(GFp -> GFq)",
  "GFp ^ GFq",
  "p R (p | q)",
  "(Xp U Xq) | !X(p U q)",
  "(Xp U q) | !X(p U (p & q))",
  "G(p -> Fq) & ((Xp U q) | !X(p U (p & q)))",
  "G(p -> Fq) & ((Xp U Xq) | !X(p U q))",
  "G(p -> Fq)",
  "!G(p -> X(q R r))",
  "!(GFp | FGq)",
  "G(Fp & Fq)",
  "Fp & F!p",
  "(X!q & !r) R X(((!s U !p) R !r) U (!s R !r))",
  "(G(q | GFp) & G(r | GF!p)) | Gq | Gr",
  "(G(q | FGp) & G(r | FG!p)) | Gq | Gr",
  "!((G(q | GFp) & G(r | GF!p)) | Gq | Gr)",
  "!((G(q | FGp) & G(r | FG!p)) | Gq | Gr)",
  "G(q | XGp) & G(r | XG!p)",
  "G(p | (Xq & X!q))",
  "(p U q) | (q U p)",
];

export const dwyerAvruninCorbett: readonly string[] = [
  "G(!a)",
  "Fb -> (!a U b)",
  "G(c -> G(!a))",
  "G((c & !b & Fb) -> (!a U b))",
  "G(c & !b -> (!a U (b | G!a)))",
  "F(a)",
  "!b U ((a & !b) | G!b)",
  "G(!c) | F(c & Fa)",
  "G(c & !b -> (!b U ((a & !b) | G!b)))",
  "G(c & !b -> (!b U (a & !b)))",
  "Fb -> ((!a & !b) U (b | ((a & !b) U (b | ((!a & !b) U (b | ((a & !b) U (b | (!a U b)))))))))",
  "G((c & Fb) -> ((!a & !b) U (b | ((a & !b) U (b | ((!a & !b) U (b | ((a & !b) U (b | (!a U b))))))))))",
  "G(c -> ((!a & !b) U (b | ((a & !b) U (b | ((!a & !b) U (b | ((a & !b) U (b | (!a U (b | G!a)) | Ga)))))))))",
  "G(a)",
  "Fb -> (a U b)",
  "G(c -> G(a))",
  "G((c & !b & Fb) -> (a U b))",
  "G(c & !b -> (a U (b | G a)))",
  "!a U (d | G!a)",
  "Fb -> (!a U (d | b))",
  "G!c | F(c & (!a U (d | G!a)))",
  "G((c & !b & Fb) -> (!a U (d | b)))",
  "G(c & !b -> (!a U ((d | b) | G!a)))",
  "G(a -> Fd)",
  "Fb -> (a -> (!b U (d & !b))) U b",
  "G(c -> G(a -> Fd))",
  "G((c & !b & Fb) -> (a -> (!b U (d & !b))) U b)",
  "G(c & !b -> ((a -> (!b U (d & !b))) U (b | G(a -> (!b U (d & !b))))))",
  "Fa -> (!a U (d & !a & X(!a U e)))",
  "Fb -> (!a U (b | (d & !a & X(!a U e))))",
  "(G!c) | (!c U (c & Fa -> (!a U (d & !a & X(!a U e)))))",
  "G((c & Fb) -> (!a U (b | (d & !a & X(!a U e)))))",
  "G(c -> (Fa -> (!a U (b | (d & !a & X(!a U e))))))",
  "(F(d & XFe)) -> ((!d) U a)",
  "Fb -> ((!(d & (!b) & X(!b U (e & !b)))) U (b | a))",
  "(G!c) | ((!c) U (c & ((F(d & XFe)) -> ((!d) U a))))",
  "G((c & Fb) -> ((!(d & (!b) & X(!b U (e & !b)))) U (b | a)))",
  "G(c -> (!(d & (!b) & X(!b U (e & !b))) U (b | a) | G(!(d & XFe))))",
  "G(d & XF e -> X(F(e & F a)))",
  "Fb -> (d & X(!b U e) -> X(!b U (e & F a))) U b",
  "G(c -> G(d & XF e -> X(!e U (e & F a))))",
  "G((c & Fb) -> (d & X(!b U e) -> X(!b U (e & F a))) U b)",
  "G(c -> (d & X(!b U e) -> X(!b U (e & F a))) U (b | G(d & X(!b U e) -> X(!b U (e & F a)))))",
  "G(a -> F(d & XFe))",
  "Fb -> (a -> (!b U (d & !b & X(!b U e)))) U b",
  "G(c -> G(a -> (d & XF e)))",
  "G((c & Fb) -> (a -> (!b U (d & !b & X(!b U e)))) U b)",
  "G(c -> (a -> (!b U (d & !b & X(!b U e)))) U (b | G(a -> (d & XF e))))",
  "G(a -> F(d & !f & X(!f U e)))",
  "Fb -> (a -> (!b U (d & !b & !f & X((!b & !f) U e)))) U b",
  "G(c -> G(a -> (d & !f & X(!f U e))))",
  "G((c & Fb) -> (a -> (!b U (d & !b & !f & X((!b & !f) U e)))) U b)",
  "G(c -> (a -> (!b U (d & !b & !f & X((!b & !f) U e)))) U (b | G(a -> (d & !f & X(!f U e)))))",
  "!a U ((a U ((!a U ((a U (G!a | Ga)) | G!a)) | G!a)) | G!a)",
  "Fc -> (!c U (c & (!a U ((a U ((!a U ((a U (G!a | Ga)) | G!a)) | G!a)) | G!a))))",
];
/** All 94. */
export const collected = (): string[] => [...etessamiHolzmann, ...somenziBloem, ...dwyerAvruninCorbett];

/** As a list of one, so that it can be spread; a mistake in the text throws. */
export function parsed(text: string): [ParsedFormula] {
  const result = parseLtl(text);
  if ("diagnostics" in result) throw new Error(`${text}: ${result.diagnostics[0]!.message}`);
  return [result];
}
