/** `printf` with C's conversions; `%e` prints a symbolic name. */
import type { PrintArgument } from "../../model/index.js";
import { showValue } from "./names.js";

export function formatPrint(
  format: string,
  args: readonly PrintArgument[],
  values: readonly number[],
): string {
  let next = 0;
  return format.replace(
    /%([-+ 0]*)(\d*)([a-zA-Z%])/g,
    (whole, flags: string, width: string, conversion: string) => {
      if (conversion === "%") return "%";
      const [argument, value] = [args[next], values[next]];
      if (!argument || value === undefined) return whole;
      const text = convert(conversion, argument, value);
      if (text === undefined) return whole;
      next++;
      return pad(
        flags.includes("+") && /[di]/.test(conversion) && value >= 0 ? `+${text}` : text,
        flags,
        Number(width),
      );
    },
  );
}

function convert(conversion: string, { display }: PrintArgument, value: number): string | undefined {
  switch (conversion) {
    case "d":
    case "i":
      return String(value);
    case "u":
      return String(value >>> 0);
    case "x":
      return (value >>> 0).toString(16);
    case "X":
      return (value >>> 0).toString(16).toUpperCase();
    case "o":
      return (value >>> 0).toString(8);
    case "c":
      return String.fromCharCode(value & 255);
    case "e":
    case "s":
      return showValue(display, value);
    default:
      return undefined;
  }
}

function pad(text: string, flags: string, width: number): string {
  if (flags.includes("-")) return text.padEnd(width);
  if (!flags.includes("0")) return text.padStart(width);
  const sign = /^[-+]/.exec(text)?.[0] ?? "";
  return sign + text.slice(sign.length).padStart(width - sign.length, "0");
}
