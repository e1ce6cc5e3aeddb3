/** The part of a realm that is its node's state: the node, and every binding of its modules. */
import { Script } from "node:vm";
import {
  LiveHeap,
  hiddenIntrinsics,
  isTemplate,
  realmMakers,
  realmRules,
  type CodeInspector,
  type LiveHeapOptions,
  type Makers,
  type RealmRules,
  type Roots,
} from "../heap/index.js";
import type { Realm } from "../realm/index.js";
import { Closures } from "./closures.js";
import { ignoring } from "./ignore.js";
import type { Mailbox } from "./node-runtime.js";
import { openRealm, type OpenedRealm, type RealmPlan, type SystemSource } from "./source.js";
import { known, nth } from "../../model/known.js";

export interface NodeHeap extends OpenedRealm {
  readonly heap: LiveHeap;
  readonly rules: RealmRules;
  readonly makers: Makers;
  readonly closures: Closures;
}

export interface CaptureOptions extends Pick<LiveHeapOptions, "hash"> {
  readonly inspector: CodeInspector;
  readonly ignore: readonly string[];
}

/** Opens a realm with the user's code loaded but without a node. */
export function openNode(source: SystemSource, plan: RealmPlan, options: CaptureOptions): NodeHeap {
  let begun: { readonly rules: RealmRules; readonly makers: Makers } | undefined;
  const opened = openRealm(source, {
    ...plan,
    before: (realm, mailbox) => {
      begun = {
        rules: rulesOf(realm, mailbox, options),
        makers: makersScript.runInContext(realm.context) as Makers,
      };
    },
  });
  const { realm, mailbox } = opened;
  const { rules, makers } = known(begun, "the rules of the realm");
  // The file's definition is not state of the node, and may close over parameters.
  rules.exempt(mailbox.file(), "the system file");
  rules.exempt(mailbox.definition(), "the system");
  rules.exempt(mailbox.environment(), "the environment");
  const heap = new LiveHeap(new NodeRoots(realm, mailbox, rules), rules, options);
  const { outside } = (mailbox.file() ?? {}) as {
    readonly outside?: { readonly functions?: readonly object[] };
  };
  return {
    ...opened,
    rules,
    makers,
    heap,
    closures: new Closures(outside?.functions ?? [], options.inspector),
  };
}

function rulesOf(realm: Realm, mailbox: Mailbox, options: CaptureOptions): RealmRules {
  const { inspector, ignore } = options;
  const { weak } = mailbox;
  const global = globalScript.runInContext(realm.context) as object;
  const abstraction = ignoring(ignore);
  const own = new Map<object, string>([
    [mailbox, "mailbox"],
    [realm.context, "globalThis"],
  ]);
  const hidden = hiddenScript.runInContext(realm.context) as object[];
  const rules = realmRules(global, {
    inspector,
    weak,
    own,
    hidden,
    ...(abstraction ? { abstraction } : {}),
  });
  weak.setForeign((key) => rules.intrinsics.has(key) || isTemplate(key));
  return rules;
}

const globalScript = new Script("globalThis");
const hiddenScript = new Script(hiddenIntrinsics);
const makersScript = new Script(realmMakers);

/** The node and every binding of its modules, which are global names of the realm. */
class NodeRoots implements Roots {
  readonly #realm: Realm;
  readonly #mailbox: Mailbox;
  readonly #isOld: (name: string) => boolean;

  constructor(realm: Realm, mailbox: Mailbox, rules: RealmRules) {
    this.#realm = realm;
    this.#mailbox = mailbox;
    const old = new Set(rules.globalNames);
    this.#isOld = (name) => old.has(name);
  }

  read(): { names: string[]; values: unknown[] } {
    const global = this.#realm.context as Record<string, unknown>;
    const names = Object.getOwnPropertyNames(global).filter((name) => !this.#isOld(name));
    return {
      names: ["node", ...names],
      values: [this.#mailbox.node(), ...names.map((name) => global[name])],
    };
  }

  write(names: readonly string[], values: readonly unknown[]): void {
    const global = this.#realm.context as Record<string, unknown>;
    this.#mailbox.setNode(values[0] as never);
    for (const name of this.read().names.slice(1)) if (!names.includes(name)) delete global[name];
    for (let i = 1; i < names.length; i++)
      if (!Object.is(global[nth(names, i)], values[i])) global[nth(names, i)] = values[i];
  }
}
