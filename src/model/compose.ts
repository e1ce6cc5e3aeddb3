/** Services of a compose file, as far as they decide who starts when and who calls whom. */
import type { Span } from "./diagnostic.js";

export interface ComposeFile {
  readonly services: readonly ComposeService[];
  /** A service that is replaced once everything is up. */
  readonly replaced: string | undefined;
  /** Most crashes of long-running services in a run. */
  readonly crashes: number;
  readonly span: Span;
}

export interface ComposeService {
  readonly name: string;
  /** It ends, and is ready when it has ended well. */
  readonly isJob: boolean;
  readonly hasHealthCheck: boolean;
  /** Ready as soon as it is started. */
  readonly isReadyAtOnce: boolean;
  readonly restart: ComposeRestart;
  readonly dependencies: readonly ComposeDependency[];
  readonly calls: readonly ComposeCall[];
  readonly span: Span;
}

/** `limited`: after some failures, no more. */
export type ComposeRestart = "no" | "always" | "on-failure" | "limited";

export const composeConditions = [
  "service_started",
  "service_healthy",
  "service_completed_successfully",
] as const;
export type ComposeCondition = (typeof composeConditions)[number];

export interface ComposeDependency {
  readonly service: string;
  readonly condition: ComposeCondition;
  /** It is stopped and started again with the other. */
  readonly restarts: boolean;
  readonly span: Span;
}

export interface ComposeCall {
  readonly service: string;
  /** Tries again until the other is ready. */
  readonly waits: boolean;
  readonly span: Span;
}
