import type { Instance } from './instance.ts';
import type { Command } from './process.ts';

/** One of the real parts: how to make its data, start it, ask it something real, and make it useful. */
export type Part = {
  name: string;
  address(instance: Instance): string;
  /** Makes what must exist before the start: data folders, configuration, schemas. Harmless when repeated. */
  prepare?(instance: Instance): Promise<void>;
  command(instance: Instance): Command;
  /** A real request; resolves with the version that answered, rejects while the part is not up. */
  ask(instance: Instance): Promise<string>;
  /** Makes what the service expects to find inside: database, container, namespace. Harmless when repeated. */
  furnish?(instance: Instance): Promise<void>;
  stopSignal: NodeJS.Signals;
};
