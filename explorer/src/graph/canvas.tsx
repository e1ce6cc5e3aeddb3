/** The drawing: pans by dragging or arrow keys, zooms by the wheel or + and -; a click selects a state. */
import { memo, useEffect, useRef, useState } from "react";
import { useKeyNotes } from "../parts/use-keys.js";
import { edgeKey } from "./model.js";
import { labelLines, type Drawing, type Placed, type Point, type Routed } from "./layout.js";

interface Props {
  readonly drawing: Drawing;
  readonly selected: string | null;
  readonly matches: ReadonlySet<string>;
  readonly classOf: (key: string) => string;
  readonly onSelect: (key: string) => void;
  readonly label: string;
  /** Keys of the states and edges on the trace. */
  readonly path: ReadonlySet<string>;
  readonly pathEdges: ReadonlySet<string>;
}

interface Frame extends Point {
  readonly width: number;
  readonly height: number;
}

export function Canvas({ drawing, selected, matches, classOf, onSelect, label, path, pathEdges }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [frame, setFrame] = useState<Frame>(() => whole(drawing));
  const hasWords = drawing.nodes.some(({ isSmall }) => !isSmall);
  const drag = useRef<(Point & { frame: Frame }) | null>(null);
  useEffect(() => setFrame(hasWords ? readable(drawing, svg.current!) : whole(drawing)), [drawing, hasWords]);

  useKeyNotes(keyNotes);

  const zoom = (factor: number, at?: Point): void =>
    setFrame((f) => {
      const middle = at ?? { x: f.x + f.width / 2, y: f.y + f.height / 2 };
      return {
        x: middle.x - (middle.x - f.x) * factor,
        y: middle.y - (middle.y - f.y) * factor,
        width: f.width * factor,
        height: f.height * factor,
      };
    });
  const pan = (dx: number, dy: number): void =>
    setFrame((f) => ({ ...f, x: f.x + dx * f.width, y: f.y + dy * f.height }));

  // React's wheel listeners are passive and cannot keep the page from scrolling.
  useEffect(() => {
    const element = svg.current!;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const matrix = element.getScreenCTM()!.inverse();
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, at);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);

  const onKeyDown = (event: React.KeyboardEvent): void => {
    const actions: Record<string, (() => void) | undefined> = {
      "+": () => zoom(1 / 1.25),
      "=": () => zoom(1 / 1.25),
      "-": () => zoom(1.25),
      "0": () => setFrame(whole(drawing)),
      ArrowLeft: () => pan(-0.1, 0),
      ArrowRight: () => pan(0.1, 0),
      ArrowUp: () => pan(0, -0.1),
      ArrowDown: () => pan(0, 0.1),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const onPointerMove = (event: React.PointerEvent): void => {
    const start = drag.current;
    if (!start) return;
    const scale = Math.max(
      start.frame.width / svg.current!.clientWidth,
      start.frame.height / svg.current!.clientHeight,
    );
    setFrame({
      ...start.frame,
      x: start.frame.x - (event.clientX - start.x) * scale,
      y: start.frame.y - (event.clientY - start.y) * scale,
    });
  };
  return (
    <>
      <div className="zoom" role="group" aria-label="Zoom">
        <button aria-label="zoom in" onClick={() => zoom(1 / 1.25)}>
          +
        </button>
        <button aria-label="zoom out" onClick={() => zoom(1.25)}>
          −
        </button>
        <button onClick={() => setFrame(whole(drawing))}>Fit</button>
      </div>
      <svg
        ref={svg}
        className="graph"
        viewBox={viewBox(frame)}
        data-whole={viewBox(whole(drawing))}
        role="application"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => (drag.current = { x: event.clientX, y: event.clientY, frame })}
        onPointerMove={onPointerMove}
        onPointerUp={() => (drag.current = null)}
        onPointerLeave={() => (drag.current = null)}
      >
        <defs>
          <marker
            id="edge-tip"
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path className="edge-tip" d="M0 1L10 5L0 9z" />
          </marker>
        </defs>
        <Edges edges={drawing.edges} selected={selected} pathEdges={pathEdges} />
        {drawing.nodes.map((placed) => (
          <Box
            key={placed.node.key}
            placed={placed}
            kind={classOf(placed.node.key)}
            isSelected={placed.node.key === selected}
            isMatch={matches.has(placed.node.key)}
            isOnPath={path.has(placed.node.key)}
            onSelect={onSelect}
          />
        ))}
      </svg>
    </>
  );
}

const keyNotes = [
  {
    keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    does: "move the drawing, once it has the focus",
  },
  { keys: ["+", "-"], does: "zoom the drawing" },
  { keys: ["0"], does: "show the whole drawing" },
];

const viewBox = ({ x, y, width, height }: Frame): string => `${x} ${y} ${width} ${height}`;

/** Frames the whole drawing, or its beginning if the whole would be too small to read. */
function readable(drawing: Drawing, { clientWidth, clientHeight }: Element): Frame {
  const all = whole(drawing);
  const scale = Math.max(all.width / clientWidth, all.height / clientHeight);
  // A slightly smaller scale is better than a clipped drawing.
  if (scale <= 1.2 * SMALLEST_SCALE) return all;
  const first = drawing.nodes.find(({ node }) => node.level === 0);
  const [width, height] = [clientWidth * SMALLEST_SCALE, clientHeight * SMALLEST_SCALE];
  return {
    x: within(first?.x ?? 0, width, all.x, all.width),
    y: within(first?.y ?? 0, height, all.y, all.height),
    width,
    height,
  };
}

/** Start of an interval centred at `middle`, shifted to lie within the whole. */
function within(middle: number, size: number, start: number, whole: number): number {
  if (whole < size) return start - (size - whole) / 2;
  return Math.min(Math.max(middle - size / 2, start), start + whole - size);
}

/** Drawn units per pixel; a letter is twelve units high. */
const SMALLEST_SCALE = 1.45;

const whole = ({ width, height }: Drawing): Frame => ({
  x: -10,
  y: -10,
  width: width + 20,
  height: height + 20,
});

const Edges = memo(function Edges({
  edges,
  selected,
  pathEdges,
}: {
  readonly edges: readonly Routed[];
  readonly selected: string | null;
  readonly pathEdges: ReadonlySet<string>;
}) {
  return (
    <>
      {edges.map(({ edge, points, label }, index) => {
        const isNear = selected !== null && (edge.from === selected || edge.to === selected);
        return (
          <g
            key={index}
            className={`edge${isNear ? " is-near" : ""}${pathEdges.has(edgeKey(edge)) ? " is-path" : ""}`}
          >
            <path d={pathOf(points)} markerEnd="url(#edge-tip)">
              <title>{edge.labels.join("\n")}</title>
            </path>
            {label && <EdgeLabel at={label} labels={edge.labels} />}
          </g>
        );
      })}
    </>
  );
});

interface EdgeLabelProps {
  readonly at: Point;
  readonly labels: readonly string[];
}

function EdgeLabel({ at, labels }: EdgeLabelProps) {
  const lines = labelLines(labels);
  return (
    <text x={at.x} y={at.y - (lines.length - 1) * 6 + 3}>
      {lines.map((line, index) => (
        <tspan key={index} x={at.x} dy={index === 0 ? 0 : 13}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Straight lines; the corners of those with right angles are round. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const start = `M${round(first.x)} ${round(first.y)}`;
  const list = (some: readonly Point[]): string =>
    some.map(({ x, y }) => `${round(x)} ${round(y)}`).join(" ");
  return `${start}${rest
    .map((point, index) => {
      const next = rest[index + 1];
      if (!next) return `L${list([point])}`;
      const before = points[index]!;
      return `L${list([near(point, before)])}Q${list([point, near(point, next)])}`;
    })
    .join("")}`;
}

/** A point on the way to another one, at most six units away and at most in the middle. */
function near(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(0.5, 6 / length);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

const round = (value: number): number => Math.round(value * 10) / 10;

interface BoxProps {
  readonly placed: Placed;
  readonly kind: string;
  readonly isSelected: boolean;
  readonly isMatch: boolean;
  readonly isOnPath: boolean;
  readonly onSelect: (key: string) => void;
}

const Box = memo(function Box({ placed, kind, isSelected, isMatch, isOnPath, onSelect }: BoxProps) {
  const { node, x, y, width, height, lines, isSmall } = placed;
  const classes = [
    "node",
    kind,
    isSelected ? "is-selected" : "",
    isMatch ? "is-match" : "",
    isOnPath ? "is-path" : "",
    isSmall ? "is-small" : "",
    node.isExpanded ? "" : "is-open",
    node.level === 0 ? "is-first" : "",
  ];
  return (
    <g
      className={classes.filter(Boolean).join(" ")}
      data-node={node.number}
      onClick={() => onSelect(node.key)}
    >
      <title>{`state ${node.number}${node.text ? `: ${node.text}` : ""}`}</title>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={isSmall ? 9 : 5} />
      {lines.map((line, index) => (
        <text key={index} x={x} y={y - ((lines.length - 1) * 15) / 2 + index * 15 + 4}>
          {line}
        </text>
      ))}
    </g>
  );
});
