import type { Instance } from './instance.ts';
import type { Command } from './process.ts';

/** A server of the stack: how to prepare its data, start it, check that it answers, and provision it. */
export type Part = {
  name: string;
  address(instance: Instance): string;
  /** Creates what must exist before the start: data folders, configuration, schemas. Idempotent. */
  prepare?(instance: Instance): Promise<void>;
  command(instance: Instance): Command;
  /** Sends a real request and resolves with the server's version; rejects while the server is not up. */
  readVersion(instance: Instance): Promise<string>;
  /** Creates what the service expects in the server: database, container, namespace. Idempotent. */
  provision?(instance: Instance): Promise<void>;
  stopSignal: NodeJS.Signals;
};
