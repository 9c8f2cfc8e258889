import { down, up } from '../stack/control.ts';
import { environmentOf, openInstance } from '../stack/instance.ts';
import type { Part } from '../stack/part.ts';
import { pidOf } from '../stack/process.ts';

/** The real parts on the ports of the `bench` instance; `close` stops those that did not run before. */
export async function openBenchStack(parts: Part[]) {
  const instance = openInstance('bench');
  const ours = parts.filter((part) => pidOf(instance, part.name) === undefined);
  const close = () => down(instance, ours);
  try {
    await up(instance, parts);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    environment: environmentOf(instance),
    pidOf: (part: Part) => pidOf(instance, part.name) as number,
    versionOf: (part: Part) => part.ask(instance),
    close,
  };
}
