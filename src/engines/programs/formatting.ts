/** Floating-point numbers as text, as C writes them. */
import { bitsOfFloat } from "./access.js";
import type { Provided } from "./calls.js";
import { isTerm, NULL } from "./values.js";

/** `everypath_format(buffer, number, precision, conversion)`: the digits of a floating-point number; their count. */
export const format: Provided = ({ executor, state, args }) => {
  const { access, machine } = executor;
  const [buffer = NULL, number, precision = 0, conversion = 0] = args;
  const text = formatted(number as number, Number(precision), String.fromCharCode(Number(conversion)));
  const { id, offset } = access.place(state, buffer, text.length, 1, "writes");
  if (isTerm(offset)) throw machine.unsupported(state, "a symbolic buffer");
  [...text].forEach((character, index) => {
    state.own(id).writeNumber(offset + index, 1, character.charCodeAt(0));
  });
  return text.length;
};

/** Of a number that is not negative, as C writes it. */
function formatted(value: number, precision: number, conversion: string): string {
  const isUpper = conversion !== conversion.toLowerCase();
  const kind = conversion.toLowerCase();
  const shown = !Number.isFinite(value)
    ? Number.isNaN(value)
      ? "nan"
      : "inf"
    : inKind(value, precision, kind);
  return isUpper ? shown.toUpperCase() : shown;
}

function inKind(value: number, precision: number, kind: string): string {
  if (kind === "f") return fixed(value, precision);
  if (kind === "e") return exponential(value, precision);
  const digits = Math.max(1, precision);
  const power = value === 0 ? 0 : Number(exponential(value, digits - 1).split("e")[1]);
  const text =
    power < -4 || power >= digits ? exponential(value, digits - 1) : fixed(value, digits - 1 - power);
  const [mantissa = "", exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return exponent === undefined ? short : `${short}e${exponent}`;
}

function exponential(value: number, precision: number): string {
  // The shortest form of a subnormal number may be of another magnitude: 9.88e-324 is written 1e-323.
  let power = value === 0 ? 0 : Number(value.toExponential(20).split("e")[1]);
  // Rounding may carry into another digit.
  if (`${rounded(value, precision - power)}`.length > precision + 1) power++;
  const digits = `${rounded(value, precision - power)}`.padStart(precision + 1, "0");
  const mantissa = precision === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${mantissa}e${power < 0 ? "-" : "+"}${`${Math.abs(power)}`.padStart(2, "0")}`;
}

function fixed(value: number, precision: number): string {
  const digits = `${rounded(value, precision)}`.padStart(precision + 1, "0");
  const at = digits.length - precision;
  return precision === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}

/** A number times a power of ten, exactly, then rounded to the nearest integer, ties to even: `toFixed` rounds ties up. */
function rounded(value: number, power: number): bigint {
  const bits = BigInt(bitsOfFloat(value, 64));
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n);
  const shift = Math.max(exponent, 1) - 1075;
  const above = mantissa * 2n ** BigInt(Math.max(shift, 0)) * 10n ** BigInt(Math.max(power, 0));
  const below = 2n ** BigInt(Math.max(-shift, 0)) * 10n ** BigInt(Math.max(-power, 0));
  const quotient = above / below;
  const twice = 2n * (above % below);
  return twice > below || (twice === below && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
