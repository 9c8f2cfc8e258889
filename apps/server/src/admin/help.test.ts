import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';
import { findHelp } from './admin.ts';

describe('pnpm admin --help', () => {
  test.each([[['--help']], [['-h']], [['help']], [['workspace', '--help']]])(
    '%j prints the list of commands',
    (args) => {
      expect(findHelp(args)).toMatch(/^usage: admin <command>\n {2}workspace create --name/);
    },
  );

  test.each([
    [['key', 'create', '--help'], 'usage: admin key create --workspace'],
    [['doctor', '-h'], 'usage: admin doctor [--role'],
    [['help', 'doctor'], 'usage: admin <command>'],
  ])('%j prints the usage that was asked for', (args, expected) => {
    expect(findHelp(args)).toContain(expected);
  });

  test('a command without --help is not help', () => {
    expect(findHelp(['workspace', 'list'])).toBeNull();
    expect(findHelp([])).toBeNull();
  });

  test('needs no configuration, and exits with 0', () => {
    const args = [join(root, 'apps/server/src/main.ts'), 'admin', '--help'];
    const output = execFileSync(process.execPath, args, { env: { PATH: process.env.PATH }, encoding: 'utf8' });
    expect(output).toContain('usage: admin <command>');
  });
});
