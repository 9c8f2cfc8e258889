import { matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupOf, tests as testsOfGroups } from '#tools/ci/gate/groups.ts';
import { readSuites } from '#tools/ci/nightly/suites.ts';
import { files, importsOf, isTest, textOf } from './sources.ts';

/** `a/{b,c}.ts` → `a/b.ts`, `a/c.ts` */
function expandBraces(pattern: string): string[] {
  const [whole, choices] = /\{([^{}]+)\}/.exec(pattern) ?? [];
  if (!whole || !choices) return [pattern];
  return choices.split(',').flatMap((choice) => expandBraces(pattern.replace(whole, choice)));
}

describe('test groups', () => {
  const tests = files.filter(isTest);

  test('every pattern of a group matches a test file', () => {
    const patterns = Object.values(testsOfGroups).flat().flatMap(expandBraces);
    const idle = patterns.filter((pattern) => !tests.some((file) => matchesGlob(file, pattern)));
    expect(idle).toEqual([]);
  });

  test('no unit test imports code that starts a server of the stack or needs its address', () => {
    const startsParts = (file: string) =>
      file === 'tools/stack/control.ts' || /inject\('environment'\)/.test(textOf.get(file) ?? '');
    const reached = (file: string, seen: Set<string>): Set<string> => {
      if (!textOf.has(file) || seen.has(file)) return seen;
      seen.add(file);
      for (const { target } of importsOf(file)) reached(target, seen);
      return seen;
    };
    const wrong = tests.filter((file) => groupOf(file) === 'unit' && [...reached(file, new Set())].some(startsParts));
    expect(wrong).toEqual([]);
  });

  test('every test file of the group nightly is run by a nightly suite', () => {
    const commands = readSuites().map(({ command }) => command);
    const isRun = (file: string) => commands.some((command) => command.includes(file.replace(/\.test\.tsx?$/, '')));
    expect(tests.filter((file) => groupOf(file) === 'nightly' && !isRun(file))).toEqual([]);
  });
});
