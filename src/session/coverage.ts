/** What of a system's code a check runs. */
import { relative, resolve } from "node:path";
import { V8Coverage, pointsOf, summarize, usersFiles } from "../code/covering/index.js";
import { bundleName } from "../code/system/index.js";
import type { CodeCoverage, Diagnostic, Model, Subject } from "../model/index.js";
import { isNodesSubject } from "./code.js";
import type { Input } from "./request.js";

interface Measured {
  readonly model: Model | undefined;
  readonly subject?: Subject | undefined;
  readonly language: string;
}

/** Begins when it is made, which is to be before anything is loaded: what was compiled earlier is not counted. */
export class CoverageMeter {
  readonly #v8 = new V8Coverage();

  /** Why there is nothing to measure. */
  problem({ model, subject, language }: Measured, { file }: Input): Diagnostic[] {
    if ((!model && !subject) || isNodesSubject(subject)) return [];
    const message = `--coverage is about systems of nodes in TypeScript, and this is ${language}`;
    const hint = "what is never executed in a model is listed without it";
    return [
      { code: "session/no-coverage", severity: "error", message, span: { file, start: 0, end: 0 }, hint },
    ];
  }

  end(): void {
    this.#v8.end();
  }

  /** By file, as the user would write its name. */
  found({ subject }: Measured): CodeCoverage | undefined {
    if (!isNodesSubject(subject)) return undefined;
    const { text, map, directory } = subject.source;
    const points = pointsOf(text);
    const run = this.#v8.found(bundleName, text.length, points);
    const files = summarize({ text, map, isWanted: usersFiles(directory) }, points, (point) => run[point]!);
    return files.map((each) => ({ ...each, file: relative(process.cwd(), resolve(each.file)) }));
  }
}
