/** Sends requests to a running explorer like its page, without a browser. */
import { request as send } from "node:http";
import type { Started } from "./started.js";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface AskOptions {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly method?: string;
}

/** Sends a request as any program on this machine could. */
export function ask({ port }: Started, path: string, options: AskOptions = {}): Promise<Answer> {
  const { headers = {}, body, method = body === undefined ? "GET" : "POST" } = options;
  return new Promise((resolve, reject) => {
    const request = send({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, text }));
    });
    request.on("error", reject);
    if (body !== undefined) request.write(typeof body === "string" ? body : JSON.stringify(body));
    request.end();
  });
}

export const own = ({ origin }: Started): Record<string, string> => ({ origin });

/** Exchanges the token for the secret; returns the headers of the page. */
export async function enter(started: Started): Promise<Record<string, string>> {
  const { text } = await ask(started, "/api/session", {
    headers: own(started),
    body: { token: started.token },
  });
  const { secret } = JSON.parse(text) as { secret: string };
  return { ...own(started), "x-everypath-secret": secret };
}
