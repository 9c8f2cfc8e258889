import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { builtPath, nativeSource } from '../built.ts';

/** Descriptors are plain numbers; every function throws if the kernel refuses. */
type ProcessModule = {
  /** Both ends of a pair of connected sockets, for descriptors. */
  openSocketPair(): [number, number];
  /** Gives the process at the other end of this Unix socket a descriptor of the same open file. */
  sendDescriptor(socket: number, descriptor: number): void;
  /** Returns the next descriptor that the other end has sent. */
  receiveDescriptor(socket: number): number;
  /** Opens a file that has no name and exists in memory only. */
  openMemoryFile(): number;
  /** Sets the niceness of all threads of all processes in this process group. */
  setGroupNiceness(group: number, niceness: number): void;
  /** Processes of the same user can no longer read this process's memory, environment and open files, nor trace it. */
  refuseInspection(): void;
};

export const processModuleSource = nativeSource('process.c');

export function builtProcessModule(): string {
  return builtPath(processModuleSource, 'process', '.node');
}

let loaded: ProcessModule | undefined;

/** Loads the module at the first call. */
export function processModule(): ProcessModule {
  loaded ??= load();
  return loaded;
}

function load(): ProcessModule {
  const path = builtProcessModule();
  if (!existsSync(path)) throw new Error(`${path} is missing. Run ./setup or pnpm kernel, which build it with gcc.`);
  return createRequire(import.meta.url)(path) as ProcessModule;
}
