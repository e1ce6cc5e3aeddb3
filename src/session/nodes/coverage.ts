/** What of a system's code a check runs. */
import { relative, resolve } from "node:path";
import { V8Coverage, pointsOf, summarize, usersFiles } from "../../code/covering/index.js";
import { bundleName } from "../../code/system/index.js";
import type { CodeCoverage, Subject } from "../../model/index.js";
import { isNodesSubject } from "./load.js";

/** Begins when it is made, which is to be before anything is loaded: what was compiled earlier is not counted. */
export class CoverageMeter {
  readonly #v8 = new V8Coverage();

  end(): void {
    this.#v8.end();
  }

  /** By file, as the user would write its name. */
  found(subject: Subject | undefined): CodeCoverage | undefined {
    if (!isNodesSubject(subject)) return undefined;
    const { text, map, directory } = subject.source;
    const points = pointsOf(text);
    const run = this.#v8.found(bundleName, text.length, points);
    const files = summarize({ text, map, isWanted: usersFiles(directory) }, points, (point) => run[point]!);
    return files.map((each) => ({ ...each, file: relative(process.cwd(), resolve(each.file)) }));
  }
}
