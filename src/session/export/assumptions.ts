/** Learned assumptions as a file, whose extension decides the format. */
import { basename, extname } from "node:path";
import { renderAut } from "../../languages/aut/index.js";
import { assumptionSystem, type Assumption, type Lts } from "../../model/index.js";
import { assumptionFsp, renderLtsDot, renderLtsSvg, type CheckReport } from "../../report/index.js";
import type { Exported } from "./net.js";

/** `.aut` and `.dot` hold one system: the assumption that the file is named after, or the only one. */
export function exportedAssumptions({ runs, file }: CheckReport, path: string): Exported {
  const all = runs.flatMap(({ properties, learning }) =>
    (learning?.assumptions ?? []).map((assumption) => ({ assumption, property: properties.join() })),
  );
  if (all.length === 0) return { why: "no assumption was needed, or none was found" };
  const assumptions = all.map(({ assumption }) => assumption);
  const extension = extname(path).toLowerCase();
  const name = basename(path, extname(path));
  switch (extension) {
    case ".fsp":
    case ".lts":
      return `${assumptions.flatMap((each) => [...assumptionFsp(each), ""]).join("\n")}`;
    case ".json":
      return `${JSON.stringify(all, null, 1)}\n`;
    case ".svg":
      return renderLtsSvg(
        `assumptions of ${file}`,
        assumptions.flatMap((each) => {
          const lts = assumptionSystem(each);
          return lts ? [{ title: `${each.name} of ${each.of}`, lts }] : [];
        }),
      );
    case ".aut":
      return single(assumptions, name, renderAut);
    case ".dot":
      return single(assumptions, name, renderLtsDot);
    default:
      return { why: "the file name must end with .fsp, .aut, .dot, .svg or .json" };
  }
}

function single(assumptions: readonly Assumption[], name: string, render: (lts: Lts) => string): Exported {
  const [only] = assumptions;
  const chosen =
    assumptions.find((each) => each.name === name) ?? (assumptions.length === 1 ? only : undefined);
  const names = assumptions.map((each) => each.name).join(", ");
  if (!chosen) return { why: `the format holds one system; name the file after one of ${names}` };
  const lts = assumptionSystem(chosen);
  return lts ? render(lts) : { why: `${chosen.name} excludes every run` };
}
