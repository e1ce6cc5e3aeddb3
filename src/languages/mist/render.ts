/**
 * Prints a net in Mist's format; parsing the output yields the same net. The format has targets but cannot express
 * boundedness.
 */
import { NOWHERE, isCoverProperty, type Net, type NetTransition, type Tokens } from "../../model/net.js";
import { distinctNames } from "../toolkit/names.js";
import { nth } from "../../model/known.js";

export function renderSpec(net: Net): string {
  const names = distinctNames(
    net.places.map(({ name }) => name),
    words,
    (name) => name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?![A-Za-z_])/, "p"),
  );
  const condition = ([place, count]: Tokens[number]): string => `${nth(names, place)} >= ${count}`;
  const rule = ({ guard, effect, transfers = [] }: NetTransition): string => {
    const counts = new Map(effect);
    const emptied = new Set(transfers.map(([from]) => from));
    const into = transfers.flatMap(([, to]) => (to === NOWHERE ? [] : [to]));
    const touched = [...new Set([...counts.keys(), ...emptied, ...into])].toSorted((a, b) => a - b);
    const updates = touched.map((place) => {
      const added = transfers.filter(([, to]) => to === place).map(([from]) => from);
      const terms = [...(emptied.has(place) ? [] : [place]), ...added].map((each) => nth(names, each));
      const count = counts.get(place) ?? 0;
      const sum = terms.join(" + ") || (count === 0 ? "" : "0");
      const rest = count === 0 && terms.length > 0 ? "" : `${Math.abs(count)}`;
      return `${nth(names, place)}' = ${[sum, rest].filter((part) => part !== "").join(count < 0 ? " - " : " + ")}`;
    });
    return `  ${guard.length === 0 ? "true" : guard.map(condition).join(", ")} -> ${updates.join(", ")};`;
  };
  const free = new Set(
    net.transitions.flatMap(({ isSource, effect }) => (isSource ? [nth(effect, 0)[0]] : [])),
  );
  const initial = net.initial.map(
    (count, place) => `${nth(names, place)} ${free.has(place) ? ">=" : "="} ${count}`,
  );
  const targets = net.properties
    .flatMap((property) => (isCoverProperty(property) ? property.alternatives : []))
    .map((tokens) => (tokens.length === 0 ? `${nth(names, 0)} >= 0` : tokens.map(condition).join(", ")));
  return [
    "vars",
    `  ${names.join(" ")}`,
    "rules",
    ...net.transitions.filter(({ isSource }) => !isSource).map(rule),
    "init",
    `  ${initial.join(", ")}`,
    "target",
    ...targets.map((target) => `  ${target}`),
    "",
  ].join("\n");
}

const words = new Set(["vars", "rules", "init", "target", "invariants", "true", "in"]);
