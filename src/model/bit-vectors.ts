/** Operations on bit-vectors, as SMT-LIB defines them: values are unsigned, division by zero is all ones. */
export type BitOperation =
  | "bvadd"
  | "bvsub"
  | "bvmul"
  | "bvudiv"
  | "bvurem"
  | "bvsdiv"
  | "bvsrem"
  | "bvand"
  | "bvor"
  | "bvxor"
  | "bvnot"
  | "bvneg"
  | "bvshl"
  | "bvlshr"
  | "bvashr"
  | "bvult"
  | "bvule"
  | "bvslt"
  | "bvsle"
  | "concat"
  | "extract"
  | "zero_extend"
  | "sign_extend";

/** Widths: of the first argument, of the result, and of the second argument; `low`: lowest extracted bit. */
export function bitOperation(
  operation: BitOperation,
  values: readonly bigint[],
  width: number,
  result: number,
  low: number,
  second = width,
): bigint {
  const [a = 0n, b = 0n] = values;
  const signed = (value: bigint): bigint => BigInt.asIntN(width, value);
  const fit = (value: bigint): bigint => BigInt.asUintN(result, value);
  const truth = (value: boolean): bigint => (value ? 1n : 0n);
  switch (operation) {
    case "bvadd":
      return fit(a + b);
    case "bvsub":
      return fit(a - b);
    case "bvmul":
      return fit(a * b);
    case "bvudiv":
      return b === 0n ? fit(-1n) : a / b;
    case "bvurem":
      return b === 0n ? a : a % b;
    case "bvsdiv":
      return b === 0n ? fit(signed(a) < 0n ? 1n : -1n) : fit(signed(a) / signed(b));
    case "bvsrem":
      return b === 0n ? a : fit(signed(a) % signed(b));
    case "bvand":
      return a & b;
    case "bvor":
      return a | b;
    case "bvxor":
      return a ^ b;
    case "bvnot":
      return fit(~a);
    case "bvneg":
      return fit(-a);
    case "bvshl":
      return b >= BigInt(width) ? 0n : fit(a << b);
    case "bvlshr":
      return b >= BigInt(width) ? 0n : a >> b;
    case "bvashr":
      return fit(signed(a) >> (b >= BigInt(width) ? BigInt(width) : b));
    case "bvult":
      return truth(a < b);
    case "bvule":
      return truth(a <= b);
    case "bvslt":
      return truth(signed(a) < signed(b));
    case "bvsle":
      return truth(signed(a) <= signed(b));
    case "concat":
      return (a << BigInt(second)) | b;
    case "extract":
      return fit(a >> BigInt(low));
    case "zero_extend":
      return a;
    case "sign_extend":
      return fit(signed(a));
  }
}
