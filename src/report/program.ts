/**
 * A `Program` as text: the result of lowering, for developers of a language and for golden files.
 *
 * Each location is a block of its edges in the order in which they are tried:
 * `guard; message; effects -> target [flags] // statement as written`.
 */
import type {
  Communication,
  Edge,
  Effect,
  Expr,
  Guard,
  Initialiser,
  Location,
  Pattern,
  Place,
  Program,
  ScalarType,
  Template,
  Type,
  Variable,
} from "../model/index.js";
import { nth } from "../model/known.js";

export function renderProgram(program: Program): string {
  const printer = new Printer(program, undefined);
  const lines = [
    ...program.globals.map((variable) => `global ${declaration(variable)}`),
    ...program.channelTypes.map(
      ({ name, capacity, fields }) =>
        `channel ${name} = [${capacity}] of { ${fields.map(scalarName).join(", ")} }`,
    ),
    ...program.initialisers.map((initialiser) => `initially ${printer.initialiser(initialiser)}`),
    ...program.invariants.map(({ name, condition }) => `invariant ${name}: ${printer.expression(condition)}`),
    ...(program.endCondition ? [`end: ${printer.expression(program.endCondition)}`] : []),
    ...program.instances.map(
      ({ template }, pid) => `process ${pid}: ${nth(program.templates, template).name}`,
    ),
  ];
  const templates = program.templates.map((template) => renderTemplate(template, program));
  return [...(lines.length > 0 ? [lines.join("\n")] : []), ...templates].join("\n\n") + "\n";
}

function renderTemplate(template: Template, program: Program): string {
  const printer = new Printer(program, template);
  const { parameters, locals } = template;
  const lines = [
    `template ${template.name}(${locals.slice(0, parameters).map(declaration).join(", ")})`,
    ...locals.slice(parameters).map((variable) => `  local ${declaration(variable)}`),
    ...template.initialisers.map((initialiser) => `  initially ${printer.initialiser(initialiser)}`),
    ...(template.provided ? [`  provided ${printer.expression(template.provided)}`] : []),
    ...(template.priority === 1 ? [] : [`  priority ${template.priority}`]),
    ...template.claims.map(
      ({ access, channel }) =>
        `  only ${access === "send" ? "sender" : "receiver"} of ${printer.expression(channel)}`,
    ),
    ...template.locations.flatMap((location, index) => renderLocation(location, index, template, printer)),
  ];
  return lines.join("\n");
}

function renderLocation(location: Location, index: number, template: Template, printer: Printer): string[] {
  const flags = [
    ...(index === template.initial ? ["initial"] : []),
    ...(location.inside === "step" ? ["inside a step"] : []),
    ...(location.isEnd ? ["end"] : []),
    ...(location.isProgress ? ["progress"] : []),
    ...(location.isAccept ? ["accept"] : []),
    ...(location.number === undefined ? [] : [`state ${location.number}`]),
  ];
  const labels = location.labels.map((label) => `${label}: `).join("");
  return [
    `  ${index}: ${labels}${flags.length > 0 ? `(${flags.join(", ")})` : ""}`.trimEnd(),
    ...location.edges.map((edge) => `    ${printer.edge(edge)}`),
  ];
}

class Printer {
  constructor(
    readonly program: Program,
    /** Whose locals are meant. */
    readonly template: Template | undefined,
  ) {}

  edge(edge: Edge): string {
    const parts = [
      ...this.#guard(edge.guard),
      ...(edge.communication ? [this.#communication(edge.communication)] : []),
      ...edge.effects.map((effect) => this.#effect(effect)),
    ];
    const flags = [
      ...(edge.keepsControl ? ["atomic"] : []),
      ...(edge.escapeGroup === 0 ? [] : [`escape ${edge.escapeGroup}`]),
    ];
    const action = parts.length > 0 ? parts.join("; ") : "always";
    return `${action} -> ${edge.to}${flags.length > 0 ? ` [${flags.join(", ")}]` : ""} // ${edge.text}`;
  }

  initialiser(initialiser: Initialiser): string {
    const target = this.place(initialiser.target);
    if (initialiser.kind === "value") return `${target} = ${this.expression(initialiser.value)}`;
    return `${target} = new ${nth(this.program.channelTypes, initialiser.channelType).name}`;
  }

  place(place: Place): string {
    const variables = place.scope === "global" ? this.program.globals : (this.template?.locals ?? []);
    let text = nth(variables, place.variable).name;
    let type: Type = nth(variables, place.variable).type;
    for (const step of place.path) {
      if (step.kind === "index" && type.kind === "array") {
        text += `[${this.expression(step.index)}]`;
        type = type.element;
      } else if (step.kind === "field" && type.kind === "record") {
        text += `.${nth(type.fields, step.field).name}`;
        type = nth(type.fields, step.field).type;
      }
    }
    return text;
  }

  expression(expr: Expr): string {
    switch (expr.kind) {
      case "constant":
        return String(expr.value);
      case "load":
        return this.place(expr.place);
      case "unary":
        return `${expr.op}${this.expression(expr.operand)}`;
      case "binary":
        return `(${this.expression(expr.left)} ${expr.op} ${this.expression(expr.right)})`;
      case "conditional":
        return `(${this.expression(expr.test)} -> ${this.expression(expr.then)} : ${this.expression(expr.otherwise)})`;
      case "length":
        return `len(${this.expression(expr.channel)})`;
      case "channel-test":
        return `${expr.test}(${this.expression(expr.channel)})`;
      case "poll":
        return `${this.expression(expr.channel)}${expr.random ? "??" : "?"}[${this.#pattern(expr.pattern)}]`;
      case "enabled":
      case "control-point":
      case "priority":
        return `${expr.kind}(${this.expression(expr.process)})`;
      case "at":
        return `${this.#process(expr.template, expr.process)}@{${expr.locations.join(", ")}}`;
      case "remote": {
        const other = new Printer(this.program, this.program.templates[expr.template]);
        return `${this.#process(expr.template, expr.process)}:${other.place(expr.place)}`;
      }
      default:
        return expr.kind;
    }
  }

  #guard(guard: Guard): string[] {
    if (guard.kind === "always") return [];
    return [guard.kind === "else" ? "else" : this.expression(guard.condition)];
  }

  #communication(communication: Communication): string {
    const channel = this.expression(communication.channel);
    if (communication.kind === "send") {
      const message = communication.message.map((value) => this.expression(value)).join(", ");
      return `${channel}${communication.sorted ? "!!" : "!"}${message}`;
    }
    const pattern = this.#pattern(communication.pattern);
    return `${channel}${communication.random ? "??" : "?"}${communication.keep ? `<${pattern}>` : pattern}`;
  }

  #pattern(pattern: readonly Pattern[]): string {
    return pattern
      .map((part) => {
        if (part.kind === "ignore") return "_";
        return part.kind === "store" ? this.place(part.target) : `eval(${this.expression(part.value)})`;
      })
      .join(", ");
  }

  #effect(effect: Effect): string {
    switch (effect.kind) {
      case "assign":
        return `${this.place(effect.target)} = ${this.expression(effect.value)}`;
      case "assert":
        return `assert ${this.expression(effect.condition)}`;
      case "print": {
        const values = effect.arguments.map(({ value }) => `, ${this.expression(value)}`).join("");
        return `print(${JSON.stringify(effect.format)}${values})`;
      }
      case "run": {
        const target = effect.target ? `${this.place(effect.target)} = ` : "";
        const values = effect.arguments.map((value) => this.expression(value)).join(", ");
        return `${target}run ${nth(this.program.templates, effect.template).name}(${values})`;
      }
      case "set-priority":
        return `set-priority(${this.expression(effect.process)}, ${this.expression(effect.value)})`;
      case "die":
        return "die";
    }
  }

  #process(template: number, process: Expr | undefined): string {
    const { name } = nth(this.program.templates, template);
    return process ? `${name}[${this.expression(process)}]` : name;
  }
}

const declaration = ({ name, type, hidden, internal }: Variable): string =>
  `${hidden ? "hidden " : ""}${internal ? "internal " : ""}${typeName(type)} ${name}`;

function typeName(type: Type): string {
  if (type.kind === "scalar") return scalarName(type);
  return type.kind === "record" ? type.name : `${typeName(type.element)}[${type.length}]`;
}

function scalarName({ bits, signed, display }: ScalarType): string {
  const size = `${signed ? "int" : "uint"}${bits}`;
  return display.kind === "number" ? size : `${display.kind === "names" ? "mtype" : display.kind}:${size}`;
}
