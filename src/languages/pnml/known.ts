/**
 * The elements and attributes of a net that are read here, or that say nothing about its behaviour. Everything else is refused by
 * `index.ts`: some tools write markings and weights as attributes, or arcs that inhibit as elements, and none of it may be lost.
 */

/** What tools draw or keep for themselves. Nothing below it is looked at. */
const ASIDE = ["graphics", "toolspecific"];

const NODES = ["page", "place", "transition", "arc", "referencePlace", "referenceTransition"];
/** Final markings are a question, not a behaviour; token classes and notes are for drawings. */
const PAGE = [...ASIDE, ...NODES, "name", "token", "labels", "finalmarkings"];

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  pnml: [...ASIDE, "name", "net"],
  net: PAGE,
  page: PAGE,
  place: [...ASIDE, "name", "initialMarking", "capacity"],
  // Without times there are no rates either, and how many servers there are changes nothing.
  transition: [...ASIDE, "name", "label", "priority", "timed", "rate", "infiniteServer", "orientation"],
  arc: [...ASIDE, "name", "inscription", "type", "arctype", "arcpath", "tagged"],
  referencePlace: [...ASIDE, "name", "initialMarking"],
  referenceTransition: [...ASIDE, "name"],
  text: [],
  value: [],
};

/** Labels stand in `<text>`, or in `<value>`. */
const LABEL = [...ASIDE, "text", "value"];

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  place: ["id"],
  transition: ["id"],
  arc: ["id", "source", "target", "type"],
  referencePlace: ["id", "ref"],
  referenceTransition: ["id", "ref"],
  type: ["value"],
  arctype: ["value"],
};

/** Labels that say what a net does. */
const MEANINGFUL = ["initialMarking", "inscription", "capacity", "priority", "timed", "type", "arctype"];

/** The children that an element may have; undefined: any. */
export function knownChildren(element: string): readonly string[] | undefined {
  return CHILDREN[element] ?? (MEANINGFUL.includes(element) ? LABEL : undefined);
}

/** The attributes that an element may have; undefined: any. */
export function knownAttributes(element: string): readonly string[] | undefined {
  return ATTRIBUTES[element] ?? ([...MEANINGFUL, "text", "value"].includes(element) ? [] : undefined);
}

/** May an element have only one of these? */
export const isSingle = (element: string): boolean => [...MEANINGFUL, "text", "value"].includes(element);

/** May there be text directly inside an element with these children? Some tools write labels without `<text>`. */
export const mayHoldText = (element: string, children: ReadonlySet<string>): boolean =>
  CHILDREN[element] === undefined
    ? !MEANINGFUL.includes(element) || !(children.has("text") || children.has("value"))
    : CHILDREN[element].length === 0;

/** Elements below which there is nothing of the net. */
export const isAside = (element: string): boolean =>
  [...ASIDE, "token", "labels", "finalmarkings", "delay", "arcpath"].includes(element);
