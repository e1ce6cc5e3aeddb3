/** The server of the explorer: loopback alone, one project, one page. Every refused request is logged. */
import { modelArguments } from "../session/request.js";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { version, visible } from "../report/index.js";
import { languageOf, registry, type ModelOptions } from "../session/index.js";
import { loadAssets, type Asset } from "./assets.js";
import { Gate, refusal, type Refusal } from "./gate.js";
import { Audience, readJson, send, sendJson } from "./http.js";
import { ModelDesk } from "./model-desk.js";
import { safePicture } from "./picture.js";
import { Project } from "./project.js";
import type { DrawnView, LanguageView, PictureRequest, ProjectView } from "./protocol.js";
import { numberOf, pictureRequest, runChoices, runRequest, textOf, textsOf } from "./requests.js";
import { Runs } from "./runs.js";
import { known, nth } from "../model/known.js";

export interface ExplorerOptions {
  readonly file: string;
  readonly model: ModelOptions;
  /** Where to begin. */
  readonly at?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Called for every refused request. */
  readonly log: (line: string) => void;
}

export interface Explorer {
  /** To be opened in a browser, once. */
  readonly url: string;
  readonly port: number;
  /** Stops every search and the server. */
  close(): Promise<void>;
}

export async function startExplorer(options: ExplorerOptions): Promise<Explorer> {
  const assets = loadAssets();
  if (!assets) throw new Error("the page of the explorer is missing: build it with npm run build");
  const site = new Site(options, assets);
  const server = createServer((request, response) => void site.answer(request, response));
  await listen(server, options.port).catch(async (error: unknown) => {
    await site.close();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  const gate = new Gate(port);
  site.open(gate);
  return {
    url: `http://127.0.0.1:${port}/#token=${gate.token}`,
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      await site.close();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
}

class Site {
  #gate: Gate | undefined;
  readonly #options: ExplorerOptions;
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #project: Project;
  readonly #audience = new Audience();
  readonly #runs: Runs;
  readonly #desk: ModelDesk;

  constructor(options: ExplorerOptions, assets: ReadonlyMap<string, Asset>) {
    this.#options = options;
    this.#assets = assets;
    this.#project = new Project(options.file);
    const source = { file: options.file, startedIn: process.cwd(), options: options.model };
    this.#runs = new Runs(source, (event) => this.#audience.broadcast(event));
    this.#desk = new ModelDesk(source);
    this.#watch([this.#project.file]);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const problem = await this.#route(request, response);
      if (problem) this.#refuse(request, response, problem);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#refuse(request, response, refusal(500, `internal error: ${message}`));
    }
  }

  async close(): Promise<void> {
    this.#project.close();
    this.#audience.close();
    await Promise.all([this.#runs.close(), this.#desk.close()]);
  }

  /** Requests come in only after this: the gate knows the port. */
  open(gate: Gate): void {
    this.#gate = gate;
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const { method = "", url = "" } = request;
    const foreign = known(this.#gate, "the gate").refuses(method, request.headers);
    if (foreign) return foreign;
    const path = nth(url.split("?"), 0);
    if (!path.startsWith("/api/")) return this.#asset(method, path, response);
    if (path !== "/api/session") {
      const stranger = known(this.#gate, "the gate").refusesSecret(request.headers);
      if (stranger) return stranger;
    }
    if (method === "GET") return this.#get(path, response);
    if (method !== "POST") return refusal(405, "only GET and POST are understood");
    const read = await readJson(request);
    if ("error" in read) return read;
    const answer = await this.#post(path, read.body);
    if (isRefusal(answer)) return answer;
    sendJson(response, 200, answer);
    return undefined;
  }

  #asset(method: string, path: string, response: ServerResponse): Refusal | undefined {
    if (method !== "GET") return refusal(405, "pages are read, not written");
    const asset = this.#assets.get(path);
    if (!asset) return refusal(404, "there is no such page");
    send(response, 200, asset.type, asset.content);
    return undefined;
  }

  #get(path: string, response: ServerResponse): Refusal | undefined {
    switch (path) {
      case "/api/project":
        return void sendJson(response, 200, this.#view());
      case "/api/runs":
        return void sendJson(response, 200, this.#runs.all());
      case "/api/events":
        return void this.#audience.add(response);
      default:
        return refusal(404, "there is no such question");
    }
  }

  async #post(path: string, body: Record<string, unknown>): Promise<unknown> {
    switch (path) {
      case "/api/session":
        return known(this.#gate, "the gate").exchange(body["token"]);
      case "/api/source":
        return withText(body, "file", (file) => this.#project.read(file));
      case "/api/save":
        return this.#save(body);
      case "/api/load":
        return this.#load(typeof body["text"] === "string" ? body["text"] : undefined);
      case "/api/run":
        return this.#run(body);
      case "/api/stop":
        return withNumber(body, "id", (id) => this.#runs.stop(id));
      case "/api/report":
        return withNumber(body, "id", (id) => ({ html: this.#runs.html(id) ?? null }));
      case "/api/trace":
        return this.#trace(body);
      case "/api/find":
        return withText(body, "schedule", (schedule) =>
          withText(body, "text", (text) => this.#desk.ask("find", { schedule, text })),
        );
      case "/api/walk":
        return withText(body, "schedule", (schedule) => this.#desk.ask("walk", { schedule }));
      case "/api/wander":
        return withText(body, "schedule", (schedule) =>
          withNumber(body, "seed", (seed) =>
            this.#desk.ask("wander", { schedule, seed, steps: WANDER_STEPS }),
          ),
        );
      case "/api/graph":
        return withText(body, "schedule", (schedule) =>
          withNumber(body, "limit", (limit) => {
            const trace = textOf(body, "trace");
            return this.#desk.ask("graph", { schedule, limit, ...(isRefusal(trace) ? {} : { trace }) });
          }),
        );
      case "/api/picture": {
        const request = pictureRequest(body);
        return isRefusal(request) ? request : this.#picture(request);
      }
      case "/api/another":
        return withTexts(body, "known", (known) => this.#desk.ask("another", { known }));
      case "/api/passing":
        return withText(body, "schedule", (schedule) => this.#desk.ask("passing", { schedule }));
      case "/api/control":
        return this.#desk.ask("control", {});
      case "/api/standing":
        return withText(body, "schedule", (schedule) => this.#desk.ask("standing", { schedule }));
      case "/api/automaton":
        return withText(body, "property", (property) => this.#desk.ask("automaton", { property }));
      default:
        return refusal(404, "there is no such question");
    }
  }

  async #picture(request: PictureRequest): Promise<DrawnView | Refusal> {
    const { isCode } = this.#desk;
    const view = await this.#desk.ask("picture", request);
    return isRefusal(view) ? view : safePicture(view, isCode, this.#project.file);
  }

  #save(body: Record<string, unknown>): unknown {
    return withText(body, "file", (file) =>
      withText(body, "text", (text) =>
        withText(body, "mark", (mark) => this.#project.save({ file, text, mark })),
      ),
    );
  }

  async #load(text: string | undefined): Promise<unknown> {
    const loaded = await this.#desk.ask("load", text === undefined ? {} : { text });
    if (!isRefusal(loaded) && text === undefined) this.#watch(loaded.files);
    return loaded;
  }

  #run(body: Record<string, unknown>): unknown {
    const request = runRequest(body);
    if (isRefusal(request)) return request;
    const source = this.#project.read(this.#project.file);
    return isRefusal(source) ? source : this.#runs.start(request, source.mark);
  }

  /** Described by the model if possible, else by the engine. */
  async #trace(body: Record<string, unknown>): Promise<unknown> {
    const schedule = textOf(body, "schedule");
    if (!isRefusal(schedule)) {
      const around = numberOf(body, "around", 2 ** 31);
      return this.#desk.ask("trace", { schedule, ...(isRefusal(around) ? {} : { around }) });
    }
    return withNumber(body, "run", (id) =>
      withNumber(body, "property", async (property) => {
        const kept = this.#runs.trace(id, property);
        if (!kept) return refusal(404, "that run has no such trace");
        const replayed = await this.#desk.ask("trace", { schedule: kept.schedule });
        return isRefusal(replayed) ? kept : replayed;
      }),
    );
  }

  #watch(files: readonly string[]): void {
    this.#project.watch(files, ({ file, mark }) => this.#audience.broadcast({ kind: "source", file, mark }));
  }

  #view(): ProjectView {
    const { model, at } = this.#options;
    return {
      version,
      file: this.#project.file,
      folder: this.#project.folder,
      language: languageView(this.#project, model.language),
      at: at ?? null,
      arguments: modelArguments(model),
      choices: runChoices,
    };
  }

  #refuse(request: IncomingMessage, response: ServerResponse, { status, error }: Refusal): void {
    // The address is untrusted and may contain a token: only the path is printed.
    const path = visible(nth((request.url ?? "").split(/[?#]/), 0).slice(0, 80));
    if (status !== 422) this.#options.log(`refused: ${request.method ?? ""} ${path}: ${error}`);
    if (response.headersSent) return void response.destroy();
    if (status === 413) response.setHeader("connection", "close");
    sendJson(response, status, { error });
  }
}

/** A walk that wanders farther than this does not get anywhere. */
const WANDER_STEPS = 200;

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "status" in value && "error" in value;

const withText = <T>(body: Record<string, unknown>, name: string, go: (text: string) => T): T | Refusal => {
  const text = textOf(body, name);
  return typeof text === "string" ? go(text) : text;
};

const withTexts = <T>(
  body: Record<string, unknown>,
  name: string,
  go: (texts: readonly string[]) => T,
): T | Refusal => {
  const texts = textsOf(body, name);
  return isRefusal(texts) ? texts : go(texts);
};

const withNumber = <T>(body: Record<string, unknown>, name: string, go: (n: number) => T): T | Refusal => {
  const number = numberOf(body, name, 2 ** 31);
  return typeof number === "number" ? go(number) : number;
};

function languageView(project: Project, asked: string | undefined): LanguageView | null {
  const input = project.input();
  const found = languageOf("error" in input ? { file: project.file, text: "" } : input, asked, registry);
  if ("code" in found) return null;
  const { name, summary, highlighting = null } = found;
  return { name, summary, highlighting, runsText: found.inspect !== undefined };
}
