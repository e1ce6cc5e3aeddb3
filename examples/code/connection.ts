// A connection that must be opened before it is used, and closed at the end. `everypath learn examples/code/connection.ts` finds its protocol by
// calling it: send() only after open() and login(), and no second open().
export class Connection {
  #state: "new" | "open" | "ready" | "closed" = "new";

  open(): void {
    this.#move("new", "open");
  }

  login(): void {
    this.#move("open", "ready");
  }

  send(): void {
    this.#move("ready", "ready");
  }

  close(): void {
    if (this.#state === "new" || this.#state === "closed") throw new Error("not open");
    this.#state = "closed";
  }

  #move(from: string, to: "open" | "ready"): void {
    if (this.#state !== from) throw new Error(`cannot be used while ${this.#state}`);
    this.#state = to;
  }
}
