/** Which engine takes which net: transfers, resets and infinitely many starts are not for all of them. */
import { sourceIn, transferIn, type Net } from "../model/net.js";

/** Why the engine does not take the net; undefined: it does. */
export function whyNotNet(engine: string, net: Net): string | undefined {
  const transfer = transferIn(net);
  const asksBound = net.properties.some(({ kind }) => kind === "boundedness");
  if (engine === "explicit")
    return asksBound && sourceIn(net) // sound: test/session/net-engines.test.ts
      ? "with any number of tokens at the start there are infinitely many markings, whether or not each start is bounded"
      : undefined;
  if (!transfer) return undefined;
  if (engine !== "backward") return `it does not treat transfers and resets, as in ${transfer.name}`; // sound: test/session/net-engines.test.ts
  return asksBound // sound: test/session/net-engines.test.ts
    ? `it decides the boundedness of Petri nets alone, without transfers and resets, as in ${transfer.name}`
    : undefined;
}
