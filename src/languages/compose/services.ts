/** Reads services, and refuses everything that would change who starts when and is not interpreted. */
import {
  composeConditions,
  type ComposeCall,
  type ComposeCondition,
  type ComposeDependency,
  type ComposeFile,
  type ComposeRestart,
  type ComposeService,
  type Span,
} from "../../model/index.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { Entry, Value } from "./document.js";
import { hostsIn } from "./hosts.js";
import { IGNORED, TOP } from "./keys.js";

const READ = ["depends_on", "healthcheck", "restart", "links", "profiles", "x-everypath"];

export class Services {
  readonly #error: ReportError;
  readonly #warn: ReportError;

  constructor(error: ReportError, warn: ReportError) {
    this.#error = error;
    this.#warn = warn;
  }

  whole(root: Value): ComposeFile {
    const top = this.#map(root, "the file");
    for (const { key, keySpan } of top)
      if (key === "include")
        this.#error(
          "compose/unsupported",
          keySpan,
          "included files are not read",
          "write `docker compose config` into a file",
        );
      else if (!TOP.includes(key) && !key.startsWith("x-"))
        this.#error(
          "compose/unknown-key",
          keySpan,
          `'${key}' is no key of a compose file`,
          suggest(key, TOP),
        );
    const entries = this.#map(entry(top, "services")?.value, "services");
    if (entries.length === 0) this.#error("compose/no-service", root.span, "there is no service");
    const active = entries.filter((each) => !this.#isInactive(each));
    const names = new Set(entries.map(({ key }) => key));
    const jobs = jobsIn(active);
    const services = active.map((each) => this.#service(each, names, jobs));
    this.#checkDependencies(services, new Set(active.map(({ key }) => key)));
    const own = this.#map(entry(top, "x-everypath")?.value, "x-everypath");
    this.#known(own, ["replace", "crashes"], "x-everypath");
    const crashes = scalar(entry(own, "crashes")?.value) ?? 0;
    const replaced = scalar(entry(own, "replace")?.value);
    if (typeof crashes !== "number" || !Number.isInteger(crashes) || crashes < 0 || crashes > 8)
      this.#error(
        "compose/crashes",
        entry(own, "crashes")?.value.span ?? root.span,
        "crashes is a number from 0 to 8",
      );
    return {
      services,
      replaced: replaced === undefined || replaced === null ? undefined : String(replaced),
      crashes: typeof crashes === "number" ? crashes : 0,
      span: root.span,
    };
  }

  #isInactive({ key, keySpan, value }: Entry): boolean {
    const profiles = value.kind === "map" ? entry(value.entries, "profiles")?.value : undefined;
    if (profiles?.kind !== "list" || profiles.items.length === 0) return false;
    this.#warn(
      "compose/profiles",
      keySpan,
      `'${key}' belongs to a profile, and is not started`,
      "remove `profiles` to check it",
    );
    return true;
  }

  #service(
    { key: name, keySpan, value }: Entry,
    names: ReadonlySet<string>,
    jobs: ReadonlySet<string>,
  ): ComposeService {
    const entries = this.#map(value, `service '${name}'`);
    for (const { key, keySpan: at, value: own } of entries) {
      // sound: test/compile/services.test.ts
      if (key === "extends" || key === "provider")
        this.#error(
          "compose/unsupported",
          at,
          `'${key}' is not interpreted`,
          "write `docker compose config` into a file",
        );
      else if (key === "scale" || key === "deploy") this.#replicas(key, own);
      else if (!READ.includes(key) && !IGNORED.includes(key) && !key.startsWith("x-"))
        // sound: test/compile/services.test.ts
        this.#error(
          "compose/unknown-key",
          at,
          `a service has no key '${key}'`,
          suggest(key, [...READ, ...IGNORED]),
        );
    }
    const extra = this.#map(entry(entries, "x-everypath")?.value, "x-everypath");
    this.#known(extra, ["calls", "retries", "job", "ready"], "x-everypath");
    const dependencies = this.#dependencies(entry(entries, "depends_on")?.value);
    const job = scalar(entry(extra, "job")?.value);
    const ready = scalar(entry(extra, "ready")?.value);
    if (ready !== undefined && ready !== "started")
      this.#error(
        "compose/ready",
        entry(extra, "ready")?.value.span ?? keySpan,
        "ready is `started`: the service is ready when it is started",
      );
    return {
      name,
      isJob: typeof job === "boolean" ? job : jobs.has(name),
      hasHealthCheck: this.#healthCheck(entry(entries, "healthcheck")?.value),
      isReadyAtOnce: ready === "started",
      restart: this.#restart(entry(entries, "restart")?.value),
      dependencies,
      calls: this.#calls(name, entries, extra, dependencies, names),
      span: keySpan,
    };
  }

  /** Several instances would start and fail separately. */
  #replicas(key: string, value: Value): void {
    const replicas =
      key === "scale" ? value : value.kind === "map" ? entry(value.entries, "replicas")?.value : undefined;
    const count = scalar(replicas);
    // sound: test/compile/services.test.ts
    if (count !== undefined && count !== 1)
      this.#error(
        "compose/unsupported",
        replicas?.span ?? value.span,
        "only one instance of a service is checked",
        "remove the number of replicas",
      );
  }

  #restart(value: Value | undefined): ComposeRestart {
    const text = value === undefined ? "no" : String(scalar(value) ?? "");
    if (text === "no" || text === "false" || text === "always" || text === "on-failure")
      return text === "false" ? "no" : text;
    if (text === "unless-stopped") return "always";
    if (/^on-failure:\d+$/.test(text)) return "limited";
    this.#error(
      "compose/restart",
      value?.span ?? { file: "", start: 0, end: 0 },
      `'${text}' is no restart policy`,
      suggest(text, ["no", "always", "on-failure", "unless-stopped"]) ??
        "no, always, on-failure, on-failure:N, unless-stopped",
    );
    return "no";
  }

  #healthCheck(value: Value | undefined): boolean {
    if (value === undefined) return false;
    const entries = this.#map(value, "healthcheck");
    const disable = scalar(entry(entries, "disable")?.value) === true;
    const test = entry(entries, "test")?.value;
    const first = test?.kind === "list" ? scalar(test.items[0]) : scalar(test);
    return !disable && first !== "NONE";
  }

  #dependencies(value: Value | undefined): ComposeDependency[] {
    if (value === undefined) return [];
    if (value.kind === "list")
      return value.items.map((item) => ({
        service: String(scalar(item) ?? ""),
        condition: "service_started",
        restarts: false,
        span: item.span,
      }));
    return this.#map(value, "depends_on").flatMap(({ key, keySpan, value: own }) => {
      const entries = this.#map(own, `the dependency on '${key}'`);
      this.#known(entries, ["condition", "restart", "required"], "a dependency");
      const written = entry(entries, "condition")?.value;
      const text = written === undefined ? "service_started" : String(scalar(written) ?? "");
      const condition = composeConditions.find((each) => each === text);
      // sound: test/compile/services.test.ts
      if (!condition)
        this.#error(
          "compose/condition",
          written?.span ?? keySpan,
          `'${text}' is no condition`,
          suggest(text, composeConditions) ?? composeConditions.join(", "),
        );
      if (scalar(entry(entries, "required")?.value) === false)
        this.#error(
          "compose/unsupported",
          keySpan,
          "a dependency that is not required is not interpreted",
          "remove `required: false`, or the dependency",
        );
      return [
        {
          service: key,
          condition: condition ?? ("service_started" satisfies ComposeCondition),
          restarts: scalar(entry(entries, "restart")?.value) === true,
          span: keySpan,
        },
      ];
    });
  }

  /** Those that it depends on, links to, and whose host names stand in its environment or command. */
  #calls(
    name: string,
    entries: readonly Entry[],
    extra: readonly Entry[],
    dependencies: readonly ComposeDependency[],
    names: ReadonlySet<string>,
  ): ComposeCall[] {
    const found = new Map<string, ComposeCall>();
    const waiting = new Set(this.#words(entry(extra, "retries")?.value, names).map(({ service }) => service));
    const add = (service: string, span: Span): void => {
      if (service !== name && !found.has(service))
        found.set(service, { service, waits: waiting.has(service), span });
    };
    for (const { service, span } of dependencies) add(service, span);
    const links = entry(entries, "links")?.value;
    for (const link of links?.kind === "list" ? links.items : []) {
      const [service = ""] = String(scalar(link) ?? "").split(":");
      if (names.has(service)) add(service, link.span);
      else
        this.#error(
          "compose/unknown-service",
          link.span,
          `there is no service '${service}'`,
          suggest(service, names),
        );
    }
    for (const { service, span } of this.#words(entry(extra, "calls")?.value, names)) add(service, span);
    for (const { service, span } of hostsIn(entries, names)) add(service, span);
    return [...found.values()];
  }

  #words(
    value: Value | undefined,
    names: ReadonlySet<string>,
  ): { readonly service: string; readonly span: Span }[] {
    const items = value === undefined ? [] : value.kind === "list" ? value.items : [value];
    return items.flatMap((item) => {
      const service = String(scalar(item) ?? "");
      if (names.has(service)) return [{ service, span: item.span }];
      this.#error(
        "compose/unknown-service",
        item.span,
        `there is no service '${service}'`,
        suggest(service, names),
      );
      return [];
    });
  }

  #checkDependencies(services: readonly ComposeService[], active: ReadonlySet<string>): void {
    const byName = new Map(services.map((service) => [service.name, service]));
    for (const { name, dependencies } of services)
      for (const { service, condition, span } of dependencies) {
        const other = byName.get(service);
        if (!other)
          this.#error(
            "compose/unknown-service",
            span,
            `'${name}' depends on '${service}', which is not started`,
            suggest(service, active),
          );
        else if (condition === "service_healthy" && !other.hasHealthCheck)
          this.#error(
            "compose/no-healthcheck",
            span,
            `'${name}' waits until '${service}' is healthy, and '${service}' has no health check`,
            "write its `healthcheck`, even if the image has one",
          );
      }
    for (const service of services)
      if (reaches(service.name, service, byName, new Set()))
        this.#error("compose/cycle", service.span, `'${service.name}' depends on itself`);
  }

  #known(entries: readonly Entry[], names: readonly string[], what: string): void {
    for (const { key, keySpan } of entries)
      // sound: test/compile/services.test.ts
      if (!names.includes(key))
        this.#error("compose/unknown-key", keySpan, `${what} has no key '${key}'`, suggest(key, names));
  }

  #map(value: Value | undefined, what: string): readonly Entry[] {
    if (value === undefined || (value.kind === "scalar" && value.value === null)) return [];
    if (value.kind === "map") return value.entries;
    this.#error("compose/shape", value.span, `${what} is a map of keys and values`);
    return [];
  }
}

const entry = (entries: readonly Entry[], key: string): Entry | undefined =>
  entries.find((each) => each.key === key);

const scalar = (value: Value | undefined): string | number | boolean | null | undefined =>
  value?.kind === "scalar" ? value.value : undefined;

/** Services that somebody waits for to complete, or that are written not to be restarted. */
function jobsIn(services: readonly Entry[]): Set<string> {
  const jobs = new Set<string>();
  for (const { key, value } of services) {
    if (value.kind !== "map") continue;
    const restart = scalar(entry(value.entries, "restart")?.value);
    if (
      restart === "no" ||
      restart === false ||
      (typeof restart === "string" && restart.startsWith("on-failure"))
    )
      jobs.add(key);
    const dependencies = entry(value.entries, "depends_on")?.value;
    for (const one of dependencies?.kind === "map" ? dependencies.entries : [])
      if (
        one.value.kind === "map" &&
        scalar(entry(one.value.entries, "condition")?.value) === "service_completed_successfully"
      )
        jobs.add(one.key);
  }
  return jobs;
}

function reaches(
  goal: string,
  { dependencies }: ComposeService,
  byName: ReadonlyMap<string, ComposeService>,
  seen: Set<string>,
): boolean {
  return dependencies.some(({ service }) => {
    if (service === goal) return true;
    const next = byName.get(service);
    if (!next || seen.has(service)) return false;
    seen.add(service);
    return reaches(goal, next, byName, seen);
  });
}
