/** Pending questions. */
import type { Asked } from "../explorer/model-service.js";

export class Questions {
  #waiting: Asked[] = [];
  #listen: ((asked: Asked) => void) | undefined;

  push(asked: Asked): void {
    if (this.#listen) this.#listen(asked);
    else this.#waiting.push(asked);
  }

  take(listen: (asked: Asked) => void): void {
    this.#listen = listen;
    for (const asked of this.#waiting.splice(0)) listen(asked);
  }
}
