import type { Instance } from './instance.ts';
import type { Command } from './process.ts';

/** One of the real parts: how to prepare its data, start it, check that it answers, and provision it. */
export type Part = {
  name: string;
  address(instance: Instance): string;
  /** Creates what must exist before the start: data folders, configuration, schemas. Idempotent. */
  prepare?(instance: Instance): Promise<void>;
  command(instance: Instance): Command;
  /** A real request; resolves with the version that answered, rejects while the part is not up. */
  readVersion(instance: Instance): Promise<string>;
  /** Creates what the service expects inside: database, container, namespace. Idempotent. */
  provision?(instance: Instance): Promise<void>;
  stopSignal: NodeJS.Signals;
};
