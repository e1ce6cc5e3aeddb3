/** `node:readline`: lines of a stream; no terminal. */
import { EventEmitter } from "./event-emitter.js";
import { takeOnly } from "./lacking.js";
import { refuse } from "../world/failure.js";
import { StringDecoder } from "./string_decoder.js";

interface Input extends EventEmitter {
  pause(): unknown;
  resume(): unknown;
}

interface Output {
  write(text: string): unknown;
}

interface Options {
  readonly input: Input;
  readonly output?: Output;
  readonly terminal?: boolean;
  readonly crlfDelay?: number;
  readonly prompt?: string;
}

export class Interface extends EventEmitter {
  readonly #input: Input;
  readonly #output: Output | undefined;
  readonly #decoder = new StringDecoder();
  #rest = "";
  #prompt: string;
  #endsInReturn = false;
  #question: ((line: string) => void) | undefined;
  closed = false;
  terminal = false;

  constructor(options: Options) {
    super();
    takeOnly(
      "readline.createInterface",
      options,
      "input output crlfDelay prompt historySize removeHistoryDuplicates",
    );
    this.#input = options.input;
    this.#output = options.output;
    this.#prompt = options.prompt ?? "> ";
    this.#input.on("data", (chunk) => this.#take(this.#decoder.write(chunk as never)));
    this.#input.on("end", () => {
      this.#take(this.#decoder.end());
      if (this.#rest !== "") this.#line(this.#rest);
      this.close();
    });
    this.#input.resume();
  }

  #take(text: string): void {
    if (text === "") return;
    const fresh = this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith("\r");
    const lines = (this.#rest + fresh).split(/\r\n|\n|\r|\u2028|\u2029/);
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const question = this.#question;
    this.#question = undefined;
    if (question) question(line);
    else this.emit("line", line);
  }

  close(): void {
    if (this.closed) return;
    this.pause();
    this.closed = true;
    this.emit("close");
  }

  pause(): this {
    this.#input.pause();
    this.emit("pause");
    return this;
  }

  resume(): this {
    this.#input.resume();
    this.emit("resume");
    return this;
  }

  setPrompt(prompt: string): void {
    this.#prompt = prompt;
  }

  getPrompt(): string {
    return this.#prompt;
  }

  prompt(): void {
    this.#output?.write(this.#prompt);
  }

  question(query: string, ...rest: unknown[]): void {
    if (rest.length > 1) refuse("readline question with options");
    if (this.closed) throw Object.assign(new Error("readline was closed"), { code: "ERR_USE_AFTER_CLOSE" });
    this.#output?.write(query);
    this.#question = rest[0] as (line: string) => void;
  }

  write(): void {
    refuse("readline.Interface.write");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = [];
    let wake: () => void = () => {};
    this.on("line", (line) => {
      lines.push(line as string);
      wake();
    });
    this.on("close", () => wake());
    try {
      for (;;) {
        while (lines.length > 0) yield lines.shift()!;
        if (this.closed) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.close();
    }
  }
}

export const createInterface = (options: Options, output?: Output): Interface =>
  new Interface("input" in options ? options : { input: options as Input, ...(output ? { output } : {}) });

export default { Interface, createInterface };
