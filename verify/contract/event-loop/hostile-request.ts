export type Target = { method: string; path: string };
export type HostileRequest = Target & {
  /** The part of the request, the name in it, and what is hostile about it. */
  what: string;
  headers?: Record<string, string>;
  /** Made when it is sent: some have 1 MiB. */
  body?: () => Buffer;
};
