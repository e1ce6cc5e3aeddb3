/**
 * Pictures that a user's code returns: a scene of a few shapes, or SVG. The code is not trusted: a picture is read element by
 * element and written anew from what is allowed, which excludes scripts, styles, links, and anything loaded from elsewhere.
 */
import { escapeMarkup } from "./escape.js";
import { isScene, renderScene } from "./user-scene.js";

/** The reason why a picture is refused. */
export class BadPicture extends Error {}

/** Throws `BadPicture`. */
export function renderUserPicture(text: string, title: string): string {
  if (text.length > LONGEST)
    throw new BadPicture(`the picture has ${text.length} characters, more than ${LONGEST}`);
  return text.trimStart().startsWith("<") ? sanitised(text, title) : renderScene(sceneOf(text), title);
}

const LONGEST = 200_000;
const DEEPEST = 50;

function sceneOf(text: string): Parameters<typeof renderScene>[0] {
  let scene: unknown;
  try {
    scene = JSON.parse(text);
  } catch {
    throw new BadPicture("the picture is neither SVG nor a scene");
  }
  const problem = isScene(scene);
  if (typeof problem === "string") throw new BadPicture(problem);
  return scene as Parameters<typeof renderScene>[0];
}

const elements = new Set(
  "svg g rect circle ellipse line polyline polygon path text tspan title desc".split(" "),
);
const attributes = new Set(
  `x y x1 y1 x2 y2 dx dy cx cy r rx ry width height points d transform viewBox fill fill-opacity fill-rule stroke
  stroke-width stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity opacity font-size font-family font-weight
  font-style text-anchor dominant-baseline preserveAspectRatio`.split(/\s+/),
);
/** Numbers, names, colours, lists of them, and functions of numbers; no address can be written with it. */
const plain = /^[\w\s.,#%()+-]*$/;
const isPlain = (value: string): boolean => plain.test(value) && !/url\s*\(/i.test(value);

const token =
  /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|<!--[\s\S]*?-->|([^<]+)|</g;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function sanitised(svg: string, title: string): string {
  const open: string[] = [];
  const parts: string[] = [];
  let isClosed = false;
  for (const [all, slash = "", name = "", list = "", ends = "", text] of svg.matchAll(token)) {
    if (text !== undefined) {
      if (open.length > 0) parts.push(escapeMarkup(unescaped(text)));
      else if (text.trim() !== "") throw new BadPicture("the picture has text outside <svg>");
    } else if (name === "") {
      if (!all.startsWith("<!--")) throw new BadPicture("the picture is not well-formed SVG");
    } else if (slash !== "") {
      if (open.pop() !== name) throw new BadPicture(`</${name}> closes nothing`);
      isClosed = open.length === 0;
      parts.push(`</${name}>`);
    } else {
      if (!elements.has(name)) throw new BadPicture(`<${name}> is not allowed in a picture`); // sound: test/report/user-picture.test.ts
      if (isClosed || (open.length === 0) !== (name === "svg"))
        throw new BadPicture("a picture is one <svg> element");
      parts.push(`<${name}${attributesOf(name, list)}${open.length === 0 ? rootAttributes(title) : ""}>`);
      open.push(name);
      if (open.length > DEEPEST)
        throw new BadPicture(`the picture is nested deeper than ${DEEPEST} elements`);
      if (ends !== "") {
        open.pop();
        parts.push(`</${name}>`);
        isClosed = open.length === 0;
      }
    }
  }
  if (!isClosed) throw new BadPicture("the picture is not one whole <svg> element");
  return parts.join("");
}

const rootAttributes = (title: string): string =>
  ` xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeMarkup(title)}"`;

function attributesOf(element: string, list: string): string {
  const seen = new Set<string>();
  return [...list.matchAll(attribute)]
    .map(([, name = "", double, single]) => {
      const value = unescaped(double ?? single ?? "");
      if (element === "svg" && name === "xmlns") return "";
      if (!attributes.has(name))
        throw new BadPicture(`the attribute ${name} of <${element}> is not allowed in a picture`); // sound: test/report/user-picture.test.ts
      if (!isPlain(value))
        throw new BadPicture(`the value of ${name} of <${element}> is not allowed in a picture`); // sound: test/report/user-picture.test.ts
      if (seen.has(name)) throw new BadPicture(`<${element}> has ${name} twice`);
      seen.add(name);
      return ` ${name}="${escapeMarkup(value)}"`;
    })
    .join("");
}

const known: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Entities of XML only; what is none stays as written and is escaped again. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return known[name] ?? all;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
