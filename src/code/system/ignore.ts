/** Paths of fields that do not distinguish states: `stats.sent`, `table.*.lastUsed`, `**.createdAt`. */
import { IGNORED } from "../heap/index.js";

/** Undefined if no field is ignored, which saves computing paths. */
export function ignoring(
  patterns: readonly string[],
): ((path: readonly string[], value: unknown) => unknown) | undefined {
  if (patterns.length === 0) return undefined;
  const all = patterns.map(compile);
  return (path, value) => {
    const text = path
      .map(segment)
      .join(".")
      .replace(/^node\./, "");
    return all.some((pattern) => pattern.test(text)) ? IGNORED : value;
  };
}

function compile(pattern: string): RegExp {
  const parts = pattern.split(".").map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^.]*" : part.replace(/[\\^$+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("\\.").replace(/\.\*\\\./g, "(?:.*\\.)?")}$`);
}

/** Key of a property, map entry or array element. */
const segment = (label: string): string => label.replace(/^(?:get|set)?[0-7]?\./, "").replace(/^v\w+:/, "");
