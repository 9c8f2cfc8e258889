import { cpus } from 'node:os';

export function describeMachine(): string {
  const cores = cpus();
  return `${cores.length} cores of ${cores[0]?.model.replace(/\s+/g, ' ').trim()}`;
}
