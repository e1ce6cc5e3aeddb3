/**
 * Elements and attributes that are interpreted, or irrelevant to behaviour. `index.ts` refuses all others: some tools
 * write markings and weights as attributes, or inhibitor arcs as elements, and ignoring them would change the net.
 */

/** Drawings and tool data; their contents are skipped. */
const ASIDE = ["graphics", "toolspecific"];

const NODES = ["page", "place", "transition", "arc", "referencePlace", "referenceTransition"];
/** Final markings are properties; token classes and notes belong to the drawing. */
const PAGE = [...ASIDE, ...NODES, "name", "token", "labels", "finalmarkings"];

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  pnml: [...ASIDE, "name", "net"],
  net: PAGE,
  page: PAGE,
  place: [...ASIDE, "name", "initialMarking", "capacity"],
  // Rates matter only with times; the number of servers has no effect.
  transition: [...ASIDE, "name", "label", "priority", "timed", "rate", "infiniteServer", "orientation"],
  arc: [...ASIDE, "name", "inscription", "type", "arctype", "arcpath", "tagged"],
  referencePlace: [...ASIDE, "name", "initialMarking"],
  referenceTransition: [...ASIDE, "name"],
  text: [],
  value: [],
};

/** Labels have their content in `<text>` or `<value>`. */
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

/** Labels that affect behaviour. */
const MEANINGFUL = ["initialMarking", "inscription", "capacity", "priority", "timed", "type", "arctype"];

/** Children that an element may have; undefined: any. */
export function knownChildren(element: string): readonly string[] | undefined {
  return CHILDREN[element] ?? (MEANINGFUL.includes(element) ? LABEL : undefined);
}

/** Attributes that an element may have; undefined: any. */
export function knownAttributes(element: string): readonly string[] | undefined {
  return ATTRIBUTES[element] ?? ([...MEANINGFUL, "text", "value"].includes(element) ? [] : undefined);
}

/** Whether an element may occur only once in its parent. */
export const isSingle = (element: string): boolean => [...MEANINGFUL, "text", "value"].includes(element);

/** Whether text may occur directly inside an element with these children: some tools omit `<text>`. */
export const mayHoldText = (element: string, children: ReadonlySet<string>): boolean =>
  CHILDREN[element] === undefined
    ? !MEANINGFUL.includes(element) || !(children.has("text") || children.has("value"))
    : CHILDREN[element].length === 0;

/** Elements whose contents do not belong to the net. */
export const isAside = (element: string): boolean =>
  [...ASIDE, "token", "labels", "finalmarkings", "delay", "arcpath"].includes(element);
