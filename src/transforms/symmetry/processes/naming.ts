/** The symmetry of a program as data: the element that each part of a state names. */
import type { Initialiser, Program, Type } from "../../../model/index.js";
import {
  fieldKey,
  placeKey,
  type ChannelName,
  type ElementName,
  type Named,
  type Naming,
  type ProcessSymmetry,
  type RepresentativeForm,
  type SettledProcesses,
} from "../../../model/symmetry.js";
import type { Identities, Identity } from "./identities.js";
import type { Uses } from "./uses.js";
import { entryOf, nth } from "../../../model/known.js";

/** Undefined: there are no interchangeable elements. */
export function symmetryOf(
  program: Program,
  settled: SettledProcesses,
  uses: Uses,
  identities: Identities,
  form: RepresentativeForm,
): ProcessSymmetry | undefined {
  if (identities.sets.length === 0) return undefined;
  return new NamingBuilder(program, settled, uses, identities).build(form);
}

class NamingBuilder {
  readonly #program: Program;
  readonly #settled: SettledProcesses;
  readonly #uses: Uses;
  readonly #identities: Identities;
  readonly #kinds: readonly (readonly ElementName[])[];
  /** The kind of each class that names elements. */
  readonly #kindOf: ReadonlyMap<number, Named>;

  constructor(program: Program, settled: SettledProcesses, uses: Uses, identities: Identities) {
    this.#program = program;
    this.#settled = settled;
    this.#uses = uses;
    this.#identities = identities;
    const { classes } = uses;
    const kindOf = new Map<number, Named>();
    // sound: test/transforms/symmetry/processes.test.ts
    if (identities.namesProcesses) kindOf.set(classes.find(classes.processes), 0);
    // sound: test/transforms/symmetry/processes.test.ts
    if (identities.namesChannels)
      for (const node of classes.all) if (classes.facts(node).isChannel) kindOf.set(node, "channel");
    const kinds = [this.#processNumbers()];
    for (const { node, identities: own } of identities.classes) {
      kindOf.set(classes.find(node), kinds.length);
      kinds.push(this.#valuesOf(own));
    }
    this.#kinds = kinds;
    this.#kindOf = kindOf;
  }

  build(form: RepresentativeForm): ProcessSymmetry {
    const { globals, templates, channelTypes } = this.#program;
    return {
      processes: this.#settled.templates,
      sets: this.#identities.sets.map((set) => nth([...set.values()], 0).length),
      kinds: this.#kinds,
      globals: globals.map(({ type }, g) => this.#naming(type, placeKey(-1, g, ""))),
      locals: templates.map(({ locals }, t) =>
        locals.map(({ type }, k) => this.#naming(type, placeKey(t, k, ""))),
      ),
      fields: channelTypes.map(({ fields }, c) => fields.map((_, i) => this.#named(fieldKey(c, i)))),
      channels: this.#channels(),
      form,
    };
  }

  #processNumbers(): ElementName[] {
    return this.#identities.sets.flatMap((processes, set) =>
      [...processes].flatMap(([family, own]) =>
        own.map((value, element) => ({ value, set, element, family })),
      ),
    );
  }

  /** Values that identify processes of two templates name their common element. */
  #valuesOf(identities: readonly Identity[]): ElementName[] {
    const found = new Map<number, ElementName>();
    for (const { template, values } of identities) {
      const set = this.#identities.sets.findIndex((one) => one.has(template));
      if (set < 0) continue;
      const order = entryOf(nth(this.#identities.sets, set), template);
      const processes = this.#settled.templates.flatMap((t, p) => (t === template ? [p] : []));
      values.forEach((value, i) => {
        const element = order.indexOf(nth(processes, i));
        if (!found.has(value)) found.set(value, { value, set, element, family: template });
      });
    }
    return [...found.values()];
  }

  #naming(type: Type, key: string): Naming {
    switch (type.kind) {
      case "scalar":
        return { kind: "scalar", named: this.#named(key) };
      case "array": {
        const index = this.#named(`${key}#`);
        return { kind: "array", index, element: this.#naming(type.element, `${key}[]`) };
      }
      case "record":
        return { kind: "record", fields: type.fields.map((f, i) => this.#naming(f.type, `${key}.${i}`)) };
    }
  }

  #named(key: string): Named {
    const node = this.#uses.classes.known(key);
    return (node === undefined ? undefined : this.#kindOf.get(node)) ?? "data";
  }

  #channels(): ChannelName[] {
    const made = this.#program.initialisers.filter((i) => i.kind === "channel");
    return made.map((initialiser, i) => {
      const byPlace = this.#nameByPlace(initialiser);
      const named = byPlace.elements.length > 0 ? byPlace : (this.#nameByOwner(i + 1) ?? byPlace);
      const isMoved = this.#identities.namesChannels && named.elements.length > 0;
      return isMoved ? named : { family: `${i}`, elements: [] };
    });
  }

  /** Names a channel by its index in an array. */
  #nameByPlace({ target }: Initialiser): ChannelName {
    const elements: { set: number; element: number }[] = [];
    let key = placeKey(-1, target.variable, "");
    let family = key;
    for (const step of target.path) {
      if (step.kind === "field") {
        key += `.${step.field}`;
        family += `.${step.field}`;
        continue;
      }
      if (step.index.kind !== "constant") return { family, elements: [] };
      const { value } = step.index;
      const named = this.#named(`${key}#`);
      const name =
        typeof named === "number" ? nth(this.#kinds, named).find((n) => n.value === value) : undefined;
      if (name) elements.push({ set: name.set, element: name.element });
      family += name ? `[family ${name.family}]` : `[${value}]`;
      key += "[]";
    }
    return { family, elements };
  }

  /** Names a channel by its only owner. */
  #nameByOwner(number: number): ChannelName | undefined {
    for (const identity of this.#identities.channels) {
      const [name] = this.#valuesOf([identity]).filter(({ value }) => value === number);
      if (name && this.#isUniform(identity))
        return {
          family: `owner ${identity.template}.${identity.slot}`,
          elements: [{ set: name.set, element: name.element }],
        };
    }
    return undefined;
  }

  /** All have one type, and none is created by a process or indexed in an array. */
  #isUniform({ values }: Identity): boolean {
    const made = this.#program.initialisers.filter((i) => i.kind === "channel");
    const own = values.flatMap((value) => made[value - 1] ?? []);
    return (
      own.length === values.length && // sound: test/transforms/symmetry/processes.test.ts
      own.every(
        (i) =>
          // sound: test/transforms/symmetry/processes.test.ts
          i.channelType === nth(own, 0).channelType && this.#nameByPlace(i).elements.length === 0,
      )
    );
  }
}
