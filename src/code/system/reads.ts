/**
 * What conditions look at: of which nodes which fields, and whether at the network. Noted while they run, over all states in which they
 * ran: what a condition has not looked at cannot have changed its answer.
 *
 * A node is given as a proxy that notes the names of fields. Whoever calls a method or asks for all names may look at anything; then
 * all of the node counts as read, and the condition is run once more with the node itself.
 */
export class Reads {
  network = false;
  /** By node; undefined: nobody looked, "all": at anything. */
  readonly #fields: (Set<string> | "all" | undefined)[] = [];
  readonly #proxies = new WeakMap<object, object>();
  /** Grows with every field that is new. */
  #size = 0;
  #isTold = true;

  /** Equal numbers: nothing new was looked at in between. */
  get size(): number {
    return this.#size;
  }

  fieldsOf(node: number): ReadonlySet<string> | "all" | undefined {
    return this.#fields[node];
  }

  /** Runs a condition, again if it looked at more than can be told. */
  watch<T>(run: () => T, nodes: number): T {
    for (;;) {
      this.#isTold = true;
      try {
        const answer = run();
        if (this.#isTold) return answer;
      } catch (error) {
        // A proxy may be to blame: nodes that are given as they are show what the condition itself does.
        if (this.#isTold && this.#areAllGiven(nodes)) throw error;
        if (this.#isTold) for (let node = 0; node < nodes; node++) this.#giveAll(node);
      }
    }
  }

  /** The node as a condition may look at it; undefined: it is down, and that is seen, too. */
  look(node: number, view: unknown): unknown {
    this.seeNode(node);
    if (typeof view !== "object" || view === null || this.#fields[node] === "all") return view;
    let proxy = this.#proxies.get(view);
    if (!proxy) {
      proxy = new Proxy(view, this.#notes(node));
      this.#proxies.set(view, proxy);
    }
    return proxy;
  }

  /** Whether it is up. */
  seeNode(node: number): void {
    if (this.#fields[node]) return;
    this.#fields[node] = new Set();
    this.#size++;
  }

  seeNetwork(): void {
    if (!this.network) this.#size++;
    this.network = true;
  }

  #see(node: number, field: string | symbol): void {
    const fields = this.#fields[node]!;
    if (typeof field === "symbol") this.#giveAll(node);
    else if (fields !== "all" && !fields.has(field)) {
      fields.add(field);
      this.#size++;
    }
  }

  #giveAll(node: number): void {
    if (this.#fields[node] !== "all") this.#size++;
    this.#fields[node] = "all";
    this.#isTold = false;
  }

  #areAllGiven(nodes: number): boolean {
    for (let node = 0; node < nodes; node++) if (this.#fields[node] !== "all") return false;
    return true;
  }

  #notes(node: number): ProxyHandler<object> {
    const refuse = (): boolean => {
      this.#giveAll(node);
      return false;
    };
    return {
      get: (target, field, receiver): unknown => {
        this.#see(node, field);
        const value: unknown = Reflect.get(target, field, receiver);
        if (typeof value === "function") this.#giveAll(node);
        return value;
      },
      has: (target, field) => {
        this.#see(node, field);
        return Reflect.has(target, field);
      },
      getOwnPropertyDescriptor: (target, field) => {
        this.#see(node, field);
        return Reflect.getOwnPropertyDescriptor(target, field);
      },
      ownKeys: (target) => {
        this.#giveAll(node);
        return Reflect.ownKeys(target);
      },
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      preventExtensions: refuse,
      setPrototypeOf: refuse,
    };
  }
}
