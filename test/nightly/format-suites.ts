import type { Suite } from './suites.ts';

/** How a suite is run in full size, and what the gate runs of it. */
export function suiteRow({ name, environment = {}, command, shortRun }: Suite) {
  const variables = Object.entries(environment).map((pair) => pair.join('='));
  return { suite: name, 'in full size': `\`${[...variables, ...command].join(' ')}\``, 'in the gate': shortRun };
}
