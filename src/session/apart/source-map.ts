/** For debuggers: maps lines of the bundle to absolute file addresses. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackedSource } from "../../code/system/index.js";

export function withSourceMap(source: PackedSource): PackedSource {
  const map = JSON.parse(source.mapText) as { sources: string[] };
  const sources = map.sources.map((name) =>
    name.includes("://") ? name : pathToFileURL(resolve(source.directory, name)).href,
  );
  const data = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  return { ...source, text: `${source.text}\n//# sourceMappingURL=data:application/json;base64,${data}` };
}
