/** Finds the pages of an extension. */
import { dirname, join } from "node:path";
import type TypeScript from "typescript";
import { isPage, isScript, withoutQuery, type Scripts } from "./scripts.js";
import { fetchesByPage } from "./unread.js";

/** Scripts that run together and share variables. */
export interface Component {
  /** Name of the principal: `Background`, `Content`. */
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  /** One page for normal and private windows, with shared variables. */
  readonly sharesVariables: boolean;
  readonly isPage?: boolean;
  readonly sendsForms?: boolean;
  readonly showsOthers?: boolean;
}

/** Pages as components, including linked pages and pages named in their scripts. */
export class Pages {
  readonly components: Component[] = [];
  readonly #scripts: Scripts;
  readonly #sharesVariables: boolean;
  readonly #seen: Set<string>;

  constructor(scripts: Scripts, seen: readonly string[], sharesVariables: boolean) {
    this.#scripts = scripts;
    this.#seen = new Set(seen.map((page) => join(page)));
    this.#sharesVariables = sharesVariables;
  }

  /** `isNamed`: listed in the manifest. */
  open(page: string, name: string, isNamed: boolean): void {
    const path = join("/", withoutQuery(page)).slice(1);
    if (this.#seen.has(path) || (!isNamed && !this.#scripts.has(path))) return;
    this.#seen.add(path);
    const { files: own, sendsForms, showsOthers } = this.#scripts.ofPage(path);
    const files = this.#scripts.withImports(own);
    if (files.length > 0)
      this.components.push({
        name: this.#free(name),
        scripts: files,
        sharesVariables: this.#sharesVariables,
        isPage: true,
        sendsForms,
        showsOthers,
      });
    this.openLinked(path);
    this.follow(files);
  }

  openLinked(page: string): void {
    for (const linked of this.#scripts.ofPage(page).links) this.open(linked, "Page", false); // sound: test/languages/webextension/manifest.test.ts
  }

  /** Follows strings in scripts that name a page or script of the extension, which may be opened or injected. */
  follow(files: readonly TypeScript.SourceFile[]): void {
    for (const file of files)
      for (const text of this.#scripts.textsIn(file)) {
        const places = [text, join(dirname(this.#scripts.relative(file.fileName)), text)];
        if (isPage(text)) for (const place of places) this.open(place, "Page", false); // sound: test/languages/webextension/manifest.test.ts
        if (isScript(text)) for (const place of places) this.inject(place);
        if (/\.css$/i.test(text)) for (const place of places) this.#style(place, file, text);
      }
  }

  #style(sheet: string, { fileName: file, text: script }: TypeScript.SourceFile, name: string): void {
    if (!fetchesByPage(this.#scripts.text(join("/", sheet).slice(1)) ?? "")) return;
    const start = Math.max(0, script.indexOf(name));
    this.#scripts.refuse(`which pages make '${name}' fetch something is not followed`, {
      file,
      start,
      end: start + name.length,
    }); // sound: test/languages/webextension/manifest.test.ts
  }

  inject(script: string): void {
    const path = join("/", withoutQuery(script)).slice(1);
    if (this.#seen.has(path) || !this.#scripts.has(path) || this.#scripts.isRead(path)) return;
    this.#seen.add(path);
    const files = this.#scripts.withImports(this.#scripts.read(path));
    this.components.push({ name: this.#free("Injected"), scripts: files, sharesVariables: false });
    this.follow(files);
  }

  #free(name: string): string {
    const isTaken = (each: string): boolean => this.components.some((component) => component.name === each);
    if (!isTaken(name)) return name;
    for (let number = 2; ; number++) if (!isTaken(`${name}${number}`)) return `${name}${number}`;
  }
}
