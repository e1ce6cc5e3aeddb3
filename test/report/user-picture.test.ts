/** Pictures of users' code: what is allowed arrives, and nothing else can. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadPicture, renderUserPicture } from "../../src/report/user-picture.js";

const svg = (inside: string): string => `<svg viewBox="0 0 10 10">${inside}</svg>`;
const render = (text: string): string => renderUserPicture(text, "a & b");

test("writes allowed elements, attributes and texts anew", () => {
  expect(
    render(`<svg xmlns="http://www.w3.org/2000/svg" viewBox='0 0 10 10'><!-- gone -->
<g transform="rotate(45)"><rect x="1" fill="#fff"/></g><text x="1">a &lt; b &amp; "c" &#65;</text></svg>`),
  ).toBe(
    `<svg viewBox="0 0 10 10" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="a &amp; b">
<g transform="rotate(45)"><rect x="1" fill="#fff"></rect></g><text x="1">a &lt; b &amp; &quot;c&quot; A</text></svg>`,
  );
});

test.each([
  ["a script", svg("<script>alert(1)</script>"), "<script> is not allowed in a picture"],
  ["HTML inside", svg("<foreignObject/>"), "<foreignObject> is not allowed in a picture"],
  ["a style", svg("<style>*{}</style>"), "<style> is not allowed in a picture"],
  ["a link", svg("<a/>"), "<a> is not allowed in a picture"],
  ["an image", svg('<image href="x"/>'), "<image> is not allowed in a picture"],
  ["a reference", svg('<use href="#x"/>'), "<use> is not allowed in a picture"],
  ["an animation", svg('<set attributeName="href"/>'), "<set> is not allowed in a picture"],
  ["capitals", svg("<SCRIPT/>"), "<SCRIPT> is not allowed in a picture"],
  ["a namespace", svg("<svg:script/>"), "<svg:script> is not allowed in a picture"],
  ["a handler", svg('<rect onclick="x"/>'), "the attribute onclick of <rect> is not allowed in a picture"],
  [
    "a handler of the root",
    '<svg onload="x"></svg>',
    "the attribute onload of <svg> is not allowed in a picture",
  ],
  ["a style attribute", svg('<g style="x"/>'), "the attribute style of <g> is not allowed in a picture"],
  ["a class", svg('<g class="x"/>'), "the attribute class of <g> is not allowed in a picture"],
  ["an address", svg('<rect fill="url(#x)"/>'), "the value of fill of <rect> is not allowed in a picture"],
  [
    "an escaped address",
    svg('<rect fill="&#117;rl(x)"/>'),
    "the value of fill of <rect> is not allowed in a picture",
  ],
  ["a scheme", svg('<rect fill="javascript:x"/>'), "the value of fill of <rect> is not allowed in a picture"],
  ["an inner svg", svg(svg("")), "a picture is one <svg> element"],
  ["two pictures", svg("") + svg(""), "a picture is one <svg> element"],
  ["another root", "<g></g>", "a picture is one <svg> element"],
  ["a document type", `<!DOCTYPE svg>${svg("")}`, "the picture is not well-formed SVG"],
  ["CDATA", svg("<![CDATA[<script/>]]>"), "the picture is not well-formed SVG"],
  ["an attribute without quotes", svg("<rect x=1/>"), "the picture is not well-formed SVG"],
  ["no end", "<svg><g></g>", "the picture is not one whole <svg> element"],
  ["ends in disorder", "<svg><g></svg></g>", "</svg> closes nothing"],
  ["text outside", `${svg("")} more`, "the picture has text outside <svg>"],
  ["an attribute twice", svg('<g x="1" x="2"/>'), "<g> has x twice"],
  ["depth", svg("<g>".repeat(60)), "the picture is nested deeper than 50 elements"],
  ["length", svg(" ".repeat(200_001)), "the picture has 200032 characters, more than 200000"],
  ["something else", "no picture", "the picture is neither SVG nor a scene"],
  ["no shapes", "{}", "a scene is { shapes: [ … ] }"],
  ["a shape of no form", '{"shapes":[{"text":"a"}]}', "shape 1 needs one of: box, circle, line, at"],
  [
    "a shape of two forms",
    '{"shapes":[{"at":[1,1],"box":[1,1,1,1]}]}',
    "shape 1 needs one of: box, circle, line, at",
  ],
  [
    "a number in quotes",
    '{"shapes":[{"circle":[1,"1\\"/><script>",1]}]}',
    "shape 1 needs 3 numbers of at most 10000 as 'circle'",
  ],
  ["infinity", '{"shapes":[{"circle":[1,1e9,1]}]}', "shape 1 needs 3 numbers of at most 10000 as 'circle'"],
  [
    "a colour",
    '{"shapes":[{"circle":[1,1,1],"colour":"url(x)"}]}',
    "shape 1 has a 'colour' that is none of: plain, accent, good, bad, faint",
  ],
  ["a text that is none", '{"shapes":[{"at":[1,1],"text":{}}]}', "shape 1 has a 'text' that is not a string"],
])("refuses %s", (_, text, message) => {
  expect(() => render(text)).toThrow(new BadPicture(message));
});

describe("a scene", () => {
  test("has its shapes, with texts escaped", () => {
    const shapes = [
      { box: [0, 0, 40, 20], text: "<b>" },
      { circle: [80, 10, 10], colour: "bad" },
      { line: [40, 10, 70, 10], arrow: true, dashed: true, text: "m" },
      { at: [20, 40], text: "one\ntwo" },
    ];
    const drawn = render(JSON.stringify({ shapes }));
    expect(drawn).toContain(
      '<rect x="0" y="0" width="40" height="20" rx="4"/><text x="20" y="14">&lt;b&gt;</text>',
    );
    expect(drawn).toContain('class="scene-shape scene-bad"><circle cx="80" cy="10" r="10"/>');
    expect(drawn).toContain('<line x1="40" y1="10" x2="70" y2="10" marker-end="url(#scene-tip)"/>');
    expect(drawn.match(/<text/g)).toHaveLength(4);
    expect(drawn).toContain('viewBox="-12 -17 114 84"');
  });
});

test("whatever is not refused has allowed elements and attributes only", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      "/",
      '"',
      "'",
      "=",
      "&",
      ";",
      "<svg>",
      "</svg>",
      "<g ",
      "<script",
      "</script>",
      "on",
      "x=",
      "href",
      "&lt;script&gt;",
      "<!--",
      "-->",
      "url(",
      "#60",
      "\n",
      "<text>",
      "</text>",
      "/>",
    ),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      let drawn: string;
      try {
        drawn = render(svg(pieces.join("")));
      } catch (error) {
        expect(error).toBeInstanceOf(BadPicture);
        return;
      }
      const tags = [...drawn.matchAll(/<(\/?)([^\s>/]+)([^>]*)>/g)];
      for (const [, , name = "", rest = ""] of tags) {
        expect(["svg", "g", "text"]).toContain(name);
        expect(rest.replace(/ [\w-]+="[^"<>]*"/g, "")).toBe("");
        expect(rest).not.toMatch(/ (?:on|href|style)/);
      }
      expect(drawn.match(/</g)).toHaveLength(tags.length);
    }),
    { numRuns: 5000 },
  );
});
