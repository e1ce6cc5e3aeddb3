/** Calls and results that send data to other hosts, extensions or applications. */
import type TypeScript from "typescript";
import { textIn } from "./constants.js";
import { Flows, REMOTE } from "./flows.js";
import { choose, type Line } from "./lines.js";
import { unwrapped } from "./syntax.js";
import { isUpgrade } from "./upgrades.js";

export abstract class Sinks extends Flows {
  /** The event that triggers the current handler. */
  protected event = "";

  protected submitted(node: TypeScript.Node): Line[] {
    this.around.note(node, "the fields of the form are sent");
    return this.sending("Network", node);
  }

  /** `runtime.sendMessage("other@extension", …)`: the behaviour of the other extension is unknown. */
  protected toOtherExtension(
    path: string,
    given: readonly TypeScript.Expression[],
    node: TypeScript.CallExpression,
  ): Line[] {
    const [first, ...rest] = given;
    if (path !== "runtime.sendMessage" || !first || rest.length === 0) return [];
    if (this.ts.isObjectLiteralExpression(first)) return [];
    this.around.note(node, "this may be sent to another extension");
    return this.effect({ kind: "sink", sink: "Network" }, rest, node); // sound: test/languages/webextension/calls.test.ts
  }

  /** Sends to an unknown port or window, if any outside of the extension exist. */
  protected toOutside(
    path: string,
    given: readonly TypeScript.Expression[],
    node: TypeScript.CallExpression,
  ): Line[] {
    if (!/(^|\.)postMessage$/.test(path) || !this.#talksToOutside()) return [];
    this.around.note(node, "this may be sent to another application or page");
    return this.effect({ kind: "sink", sink: "Network" }, given, node); // sound: test/languages/webextension/calls.test.ts
  }

  /** A notification fetches its images. */
  protected pictured(
    path: string,
    given: readonly TypeScript.Expression[],
    node: TypeScript.CallExpression,
  ): Line[] {
    if (!/^notifications\.(create|update)$/.test(path)) return [];
    const isPlain = given.every((each) => !/\bhttps?:/.test(textIn(this.ts, each, this.facts.constants)));
    return isPlain ? [] : this.effect({ kind: "sink", sink: "Network" }, given, node); // sound: test/languages/webextension/calls.test.ts
  }

  #talksToOutside(): boolean {
    const { scripts, isPage, showsOthers } = this.facts;
    return (
      showsOthers ||
      scripts.some(
        ({ text }) =>
          OPENS_OTHERS.test(text) || (isPage && /\bcontentWindow\b/.test(text) && REMOTE.test(text)),
      )
    ); // sound: test/languages/webextension/calls.test.ts
  }

  /** Arguments of a callback that the event provided: the name of a file, headers of a request. */
  protected given(given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    if (this.isEmpty(given)) return [];
    if (/^downloads\./.test(this.event)) return this.effect({ kind: "sink", sink: "Storage" }, given, node); // sound: test/languages/webextension/calls.test.ts
    return isOfRequests(this.event) ? given.flatMap((each) => this.toRequest(each, node)) : [];
  }

  /** Decision of a request listener: another address, other headers, a proxy. */
  protected toRequest(node: TypeScript.Expression, at: TypeScript.Node): Line[] {
    const ts = this.ts;
    const inner = unwrapped(ts, node);
    if (ts.isConditionalExpression(inner))
      return this.maybe(() =>
        choose([this.toRequest(inner.whenTrue, at), this.toRequest(inner.whenFalse, at)]),
      );
    if (this.isConstant(inner) && !ts.isObjectLiteralExpression(inner)) return [];
    const parts = ts.isObjectLiteralExpression(inner) ? inner.properties : undefined;
    if (!parts) return this.sending("Network", at);
    return parts.flatMap((part) => {
      const name = part.name?.getText().replace(/["']/g, "") ?? "";
      if (/^(cancel|responseHeaders|upgradeToSecure)$/.test(name)) return [];
      // Headers of a private window's request go to the host it visits.
      if (name === "requestHeaders") return this.mode === "Priv" ? [] : this.sending("Network", at);
      const value = ts.isPropertyAssignment(part) ? unwrapped(ts, part.initializer) : undefined;
      const isOwnPage =
        value !== undefined &&
        ts.isCallExpression(value) &&
        /\.getURL$/.test(value.expression.getText()) &&
        value.arguments.every((each) => this.isConstant(each));
      const isData =
        value !== undefined && ts.isStringLiteralLike(value) && /^(data:|about:)/.test(value.text);
      const isSame = name === "redirectUrl" && value !== undefined && isUpgrade(ts, this.facts.roles, value);
      return isOwnPage || isData || isSame ? [] : this.sending("Network", at); // sound: test/languages/webextension/calls.test.ts
    });
  }
}

/** Opens connections to native applications, or windows. */
const OPENS_OTHERS = /\bconnectNative\b|(?<!\b(indexedDB|caches|xhr|request)\??\.)\bopen\b/;

export const isOfRequests = (event: string): boolean =>
  /^(webRequest\.on\w+|proxy\.onRequest)\.addListener$/.test(event);
