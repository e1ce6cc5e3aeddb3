/**
 * Prints declarations; parsing the output yields the same declarations. Imported topologies are inlined, so that a
 * network is one text.
 */
import type * as ast from "./ast.js";
import { printExpression, printTemplate, printType } from "./print-expressions.js";
import { printBlock } from "./print-statements.js";

export const printSdn = (declarations: readonly ast.Declaration[]): string =>
  declarations.map((declaration) => `${printDeclaration(declaration)}\n`).join("\n");

function printDeclaration(declaration: ast.Declaration): string {
  switch (declaration.kind) {
    case "topology":
      return `topology "${declaration.path}";`;
    case "network":
      return group(`network ${declaration.name.text}`, declaration.items.map(printItem));
    case "packet":
      return group("packet", [
        ...declaration.fields.map(({ name, type }) => `${name.text}: ${printType(type)};`),
        ...(declaration.tracksVisited ? ["visited;"] : []),
      ]);
    case "type":
      return `type ${declaration.name.text} = ${printType(declaration.type)};`;
    case "const":
      return `const ${declaration.name.text} = ${printExpression(declaration.value)};`;
    case "behaviour":
      return printBehaviour(declaration);
    case "controller":
      return printController(declaration);
    case "event": {
      const { name, parameters, guard, body } = declaration;
      const given = parameters.length === 0 ? "" : `(${parameters.map(printParameter).join(", ")})`;
      return `event ${name.text}${given}${when(guard)} ${printBlock(body)}`;
    }
    case "property":
      return `property ${declaration.name.text}: ${printClaim(declaration.claim)};`;
    case "options":
      return group(
        "options",
        declaration.options.map(({ name, value }) =>
          typeof value === "number" ? `${name.text} = ${value};` : `${name.text} = "${value}";`,
        ),
      );
  }
}

function group(head: string, lines: readonly string[]): string {
  if (lines.length === 0) return `${head} { }`;
  return [`${head} {`, ...lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}`), "}"].join("\n");
}

function printItem(item: ast.NetworkItem): string {
  switch (item.kind) {
    case "switch":
      return `switch ${names(item.names)} ports ${range(item.ports)};`;
    case "client": {
      const kind = item.group ? ` kind ${item.group.text}` : "";
      const ports = item.ports ? ` ports ${range(item.ports)}` : "";
      const contacts = item.contacts ? ` contacts ${names(item.contacts)}` : "";
      return `client ${names(item.names)}${kind}${ports}${contacts};`;
    }
    case "link":
      return `link ${item.ends.map(endpoint).join(" -- ")}${item.mayFail ? " fails" : ""};`;
  }
}

function printBehaviour({ clients, group: kind, sends, receive }: ast.BehaviourDeclaration): string {
  const whose = kind ? `kind ${kind.text}` : `client ${names(clients)}`;
  return group(`behaviour ${whose}`, [
    ...sends.map(({ template, to }) => `send ${printTemplate(template)}${to ? ` to ${endpoint(to)}` : ""};`),
    ...(receive
      ? [`on receive(${receive.packet.text})${when(receive.guard)} ${printBlock(receive.body)}`]
      : []),
  ]);
}

function printController({
  kappa,
  state,
  functions,
  packetIn,
  portDown,
  barrierReply,
}: ast.ControllerDeclaration): string {
  const variables = state.map(
    ({ name, type, value }) => `${name.text}: ${printType(type)} = ${printExpression(value)};`,
  );
  const handler = (name: string, given: ast.Handler | undefined): string[] =>
    given ? [`on ${name}(${names(given.parameters)}) ${printBlock(given.body)}`] : [];
  return group("controller", [
    ...(kappa ? [`kappa ${kappa.value};`] : []),
    ...(variables.length > 0 ? [group("state", variables)] : []),
    ...functions.map(({ name, parameters, result, body }) => {
      const type = result ? `: ${printType(result)}` : "";
      return `function ${name.text}(${parameters.map(printParameter).join(", ")})${type} ${printBlock(body)}`;
    }),
    ...handler("packetIn", packetIn),
    ...handler("portDown", portDown),
    ...handler("barrierReply", barrierReply),
  ]);
}

function printClaim(claim: ast.Claim): string {
  switch (claim.kind) {
    case "always":
      return `always ${printExpression(claim.condition)}`;
    case "never": {
      const parameters = claim.parameters.length === 0 ? "" : `(${names(claim.parameters)})`;
      const moment = claim.isAtExecution ? " at execution" : "";
      return `never ${claim.event.text}${parameters}${moment} when ${printExpression(claim.condition)}`;
    }
    case "ltl":
      return `ltl "${claim.formula.text}"`;
    case "builtin": {
      const given = claim.arguments.map((each) => printExpression(each)).join(", ");
      return claim.arguments.length === 0 ? claim.name.text : `${claim.name.text}(${given})`;
    }
  }
}

const names = (all: readonly ast.Name[]): string => all.map(({ text }) => text).join(", ");

const range = ({ low, high }: ast.PortRange): string => `${low}..${high}`;

const endpoint = ({ node, port }: ast.EndpointName): string => `${node.text}:${port}`;

const when = (guard: ast.Expression | undefined): string => (guard ? ` when ${printExpression(guard)}` : "");

const printParameter = ({ name, type }: ast.Parameter): string => `${name.text}: ${printType(type)}`;
