/**
 * Translates a Petri net into a message-passing program: a channel for each place, and one principal that receives the
 * tokens a transition removes and sends the tokens it adds. After receiving the tokens of a target it keeps one, which
 * has been sent: `provenance(Net.x) in eps` is violated if and only if the target is coverable.
 */
import { nth } from "../../model/known.js";
import { isCoverProperty, type Net, type NetTransition, type Tokens } from "../../model/net.js";
import { distinctNames } from "../toolkit/names.js";

/** Returns undefined if the net has no target. */
export function programOfNet(net: Net): string | undefined {
  const alternatives = net.properties.flatMap((property) =>
    isCoverProperty(property) ? property.alternatives : [],
  );
  if (alternatives.length === 0) return undefined;
  const channels = distinctNames(
    net.places.map(({ name }) => name),
    ["reached"],
    (name) => `p_${name.replace(/\W/g, "_")}`,
  );
  const receive = ([place, count]: Tokens[number], into = "t"): string =>
    `recv(${nth(channels, place)}, ${into}); `.repeat(count);
  const send = ([place, count]: Tokens[number]): string => `send(${nth(channels, place)}, t); `.repeat(count);
  const branch = ({ name, guard, effect }: NetTransition): string => {
    const changes = new Map(effect);
    const back = guard.map(([place, count]) => [place, count + (changes.get(place) ?? 0)] as const);
    const added = effect.filter(([place]) => !guard.some(([other]) => other === place));
    const text = [
      ...guard.map((each) => receive(each)),
      "t = token; ",
      ...[...back, ...added].map(send),
    ].join("");
    return `    [] ${text.trimEnd()} // ${name.replace(/\s+/g, " ")}`;
  };
  const goal = (tokens: Tokens): string =>
    `    [] ${tokens.map((each) => receive(each)).join("")}t = token; send(reached, t); recv(reached, x); halt;`;
  const initial = net.initial.map((count, place) => send([place, count])).join("");
  return [
    `// ${net.name.replace(/\s+/g, " ")}: can the target be covered?`,
    "message token;",
    `channel ${["reached", ...channels].join(", ")};`,
    "provenance language;",
    "principal Net {",
    "  var t, x;",
    `  t = token; ${initial}`.trimEnd(),
    "  loop { choose {",
    ...net.transitions.map(branch),
    ...alternatives.map(goal),
    "  } }",
    "}",
    "property not_covered: provenance(Net.x) in eps;",
    "",
  ].join("\n");
}
