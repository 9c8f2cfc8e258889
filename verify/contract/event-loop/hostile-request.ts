export type Target = { method: string; path: string };
export type HostileRequest = Target & {
  /** The hostile part of the request, the field in it, and what is hostile about the field. */
  what: string;
  headers?: Record<string, string>;
  /** Created only when the request is sent, because some bodies are 1 MiB long. */
  body?: () => Buffer;
};
