/**
 * What one condition looks at, noted while it runs. Runs inside, in the realm of the properties.
 *
 * A node is given as a proxy that notes the names of fields. Whoever calls a method, asks for a getter or for all names may look at anything;
 * then all of the node counts as read, and the condition is run once more with the node itself.
 */
import type { SystemView } from "./define.js";

export class Watched {
  /** Of which node which field was looked at for the first time since this was last taken; see `Reads`. */
  #news: News = [];
  #isNetworkSeen = false;
  /** By node; undefined: nobody looked, "all": at anything. */
  readonly #fields: (Set<string> | "all" | undefined)[] = [];
  readonly #proxies = new WeakMap<object, object>();
  #isTold = true;

  /** As JSON; empty: nothing. */
  takeNews(): string {
    if (this.#news.length === 0) return "";
    const text = JSON.stringify(this.#news);
    this.#news = [];
    return text;
  }

  /** Runs a condition, again if it looked at more than can be told; unless `isVain` says that its answer does not count. */
  run<T>(view: SystemView, ask: (view: SystemView) => T, isVain: () => boolean): T {
    const watched = this.#watched(view);
    const nodes = view.names.length;
    for (;;) {
      this.#isTold = true;
      try {
        const answer = ask(watched);
        if (this.#isTold || isVain()) return answer;
      } catch (error) {
        // A proxy may be to blame: nodes that are given as they are show what the condition itself does.
        if (isVain() || (this.#isTold && this.#areAllGiven(nodes))) throw error;
        if (this.#isTold) for (let node = 0; node < nodes; node++) this.#giveAll(node);
      }
    }
  }

  #watched(view: SystemView): SystemView {
    const { names } = view;
    const nodes: SystemView["nodes"] = {};
    names.forEach((name, node) => {
      const get = (): unknown => this.#look(node, view.nodes[name]);
      Object.defineProperty(nodes, name, { get, enumerable: true });
    });
    const seeNetwork = (): void => this.#seeNetwork();
    return Object.freeze({
      nodes: Object.freeze(nodes),
      names,
      isUp: (name: string) => {
        const isUp = view.isUp(name);
        this.#seeNode(names.indexOf(name));
        return isUp;
      },
      get network() {
        seeNetwork();
        return view.network;
      },
    });
  }

  /** The node as a condition may look at it; undefined: it is down, and that is seen, too. */
  #look(node: number, view: unknown): unknown {
    this.#seeNode(node);
    if (typeof view === "function") this.#giveAll(node);
    if (typeof view !== "object" || view === null || this.#fields[node] === "all") return view;
    let proxy = this.#proxies.get(view);
    if (!proxy) {
      proxy = new Proxy(view, this.#notes(node));
      this.#proxies.set(view, proxy);
    }
    return proxy;
  }

  /** Whether it is up. */
  #seeNode(node: number): void {
    if (this.#fields[node]) return;
    this.#fields[node] = new Set();
    this.#news.push([node, UP]);
  }

  #seeNetwork(): void {
    if (this.#isNetworkSeen) return;
    this.#isNetworkSeen = true;
    this.#news.push([NETWORK, UP]);
  }

  #see(node: number, field: string | symbol): void {
    const fields = this.#fields[node]!;
    if (typeof field === "symbol") this.#giveAll(node);
    else if (fields !== "all" && !fields.has(field)) {
      fields.add(field);
      this.#news.push([node, { field }]);
    }
  }

  #giveAll(node: number): void {
    // Once is enough: a condition may have kept a proxy of before.
    if (this.#fields[node] === "all") return;
    this.#fields[node] = "all";
    this.#news.push([node, ALL]);
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
      get: (target, field): unknown => {
        this.#see(node, field);
        const own = Reflect.getOwnPropertyDescriptor(target, field);
        // Code of the node would look through the proxy, and might see that it is none of its own objects.
        if (own ? !("value" in own) || typeof own.value === "function" : field in target) this.#giveAll(node);
        return Reflect.get(target, field);
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

/** A node, and what of it: whether it is up, a field, all. Or the network. */
export type News = [node: number, what: typeof UP | typeof ALL | { field: string }][];

export const UP = "up";
export const ALL = "all";
export const NETWORK = -1;
