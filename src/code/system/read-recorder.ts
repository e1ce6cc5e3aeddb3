/**
 * Records the reads of a condition. Runs inside, in the realm of the properties.
 *
 * A node is passed as a proxy that records the names of fields. Methods, getters and enumeration may read anything;
 * then the whole node counts as read, and the condition is evaluated again with the node itself.
 */
import type { SystemView } from "./define.js";
import { nth } from "../../model/known.js";

export class ReadRecorder {
  /** Reads since the last `takeNewReads`; see `Reads`. */
  #newReads: NewReads = [];
  #isNetworkSeen = false;
  /** By node; undefined: unread, "all": arbitrary reads. */
  readonly #fields: (Set<string> | "all" | undefined)[] = [];
  readonly #proxies = new WeakMap<object, object>();
  #isTracked = true;

  /** As JSON; empty: none. */
  takeNewReads(): string {
    if (this.#newReads.length === 0) return "";
    const text = JSON.stringify(this.#newReads);
    this.#newReads = [];
    return text;
  }

  /** Evaluates a condition, again after untracked reads, unless `isVain` voids the result. */
  run<T>(view: SystemView, ask: (view: SystemView) => T, isVain: () => boolean): T {
    const watched = this.#watched(view);
    const nodes = view.names.length;
    for (;;) {
      this.#isTracked = true;
      try {
        const answer = ask(watched);
        if (this.#isTracked || isVain()) return answer;
      } catch (error) {
        // A proxy may be the cause: evaluate with the nodes themselves to be sure.
        if (isVain() || (this.#isTracked && this.#areAllGiven(nodes))) throw error;
        if (this.#isTracked) for (let node = 0; node < nodes; node++) this.#giveAll(node);
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

  /** The node as passed to a condition; undefined: it is down, which is also recorded. */
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

  /** Records a read of whether the node is up. */
  #seeNode(node: number): void {
    if (this.#fields[node]) return;
    this.#fields[node] = new Set();
    this.#newReads.push([node, UP]);
  }

  #seeNetwork(): void {
    if (this.#isNetworkSeen) return;
    this.#isNetworkSeen = true;
    this.#newReads.push([NETWORK, UP]);
  }

  #see(node: number, field: string | symbol): void {
    const fields = nth(this.#fields, node);
    if (typeof field === "symbol") this.#giveAll(node);
    else if (fields !== "all" && !fields.has(field)) {
      fields.add(field);
      this.#newReads.push([node, { field }]);
    }
  }

  #giveAll(node: number): void {
    // Repetition would loop, since a condition may have kept an old proxy.
    if (this.#fields[node] === "all") return;
    this.#fields[node] = "all";
    this.#newReads.push([node, ALL]);
    this.#isTracked = false;
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
        // Code of the node would access the proxy, and might detect that it is not its object.
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

/** A node with the kind of read: whether it is up, a field, everything. Or the network. */
export type NewReads = [node: number, what: typeof UP | typeof ALL | { field: string }][];

export const UP = "up";
export const ALL = "all";
export const NETWORK = -1;
