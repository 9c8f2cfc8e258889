import type { Suite } from './suites.ts';

/** The full-size command of a suite, and its short run in the gate. */
export function suiteRow({ name, environment = {}, command, shortRun }: Suite) {
  const variables = Object.entries(environment).map((pair) => pair.join('='));
  return { suite: name, 'in full size': `\`${[...variables, ...command].join(' ')}\``, 'in the gate': shortRun };
}
