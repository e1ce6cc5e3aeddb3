/** Coverage of a system's code by a check. */
import { relative, resolve } from "node:path";
import { V8Coverage, pointsOf, summarize, usersFiles } from "../../code/covering/index.js";
import { bundleName } from "../../code/system/index.js";
import type { CodeCoverage, Subject } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { isNodesSubject } from "./load.js";

/** Measures from its construction on. Construct it before loading: functions compiled earlier do not count. */
export class CoverageMeter {
  readonly #v8 = new V8Coverage();

  end(): void {
    this.#v8.end();
  }

  /** By file, relative to the working directory. */
  found(subject: Subject | undefined): CodeCoverage | undefined {
    if (!isNodesSubject(subject)) return undefined;
    const { text, map, directory } = subject.source;
    const points = pointsOf(text);
    const run = this.#v8.found(bundleName, text.length, points);
    const files = summarize({ text, map, isWanted: usersFiles(directory) }, points, (point) =>
      nth(run, point),
    );
    return files.map((each) => ({ ...each, file: relative(process.cwd(), resolve(each.file)) }));
  }
}
