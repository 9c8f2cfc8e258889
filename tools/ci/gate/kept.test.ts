import { describe, expect, test } from 'vitest';
import { groups, testsOf } from './groups.ts';
import { keyOf, readFiles, readSurroundings } from './kept.ts';

const [files, surroundings] = [readFiles(), readSurroundings()];
const keys = new Map(groups.map((group) => [group, keyOf(group, files, surroundings)]));

/** The groups that run again after a change to these files or surroundings. */
function staleGroups(changed: string[], otherSurroundings: Record<string, string> = {}): string[] {
  const unknown = changed.filter((file) => !files.has(file));
  if (unknown.length > 0) throw new Error(`not in the repository: ${unknown.join(', ')}`);
  const edited = new Map([...files, ...changed.map((file): [string, string] => [file, 'edited'])]);
  const around = { ...surroundings, ...otherSurroundings };
  return groups.filter((group) => keyOf(group, edited, around) !== keys.get(group)).map(({ name }) => name);
}

const allGroups = groups.map(({ name }) => name);
const allExcept = (...names: string[]) => allGroups.filter((name) => !names.includes(name));

describe('the gate runs a group again', () => {
  test.each([
    ['the lockfile', ['pnpm-lock.yaml'], allGroups],
    ['versions of tools', ['setup'], allGroups],
    ['a migration', ['apps/server/migrations/20261118000001_declared_content.sql'], allExcept('media')],
    ['a source file of the server', ['apps/server/src/start/api.ts'], allExcept('media')],
    ['a check', ['packages/sidekicks/src/checks/loudness/sidekick.ts'], allGroups],
    ['the flash kernel', ['packages/sidekicks/native/kernel.h'], allGroups],
    ['a page of the documentation', ['docs/quickstart.md'], ['static', 'unit', 'docs']],
    ['the client', ['packages/sdk/src/node.ts'], ['static', 'unit', 'docs', 'clients']],
  ])('after a change to %s', (_, changed, expected) => {
    expect(staleGroups(changed)).toEqual(expected);
  });

  test.each(['packages', 'kernel', 'node', 'corpora', 'settings', 'week'])(
    'after a change to this input outside the checkout: %s',
    (name) => {
      expect(Object.keys(surroundings)).toContain(name);
      expect(staleGroups([], { [name]: 'other' })).toEqual(allGroups);
    },
  );

  test.each(groups.filter(({ notRead }) => notRead).map(({ name }) => name))(
    'after a change to a test file of the group %s',
    (name) => {
      expect(staleGroups([testsOf(name)[0] ?? ''])).toContain(name);
    },
  );
});
