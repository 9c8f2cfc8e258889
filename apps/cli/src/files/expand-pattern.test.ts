import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expandPattern } from './expand-pattern.ts';
import { findFiles } from './find-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-pattern-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ['b.mp4', 'a.mp4', 'a.MP4', 'a+b.mp4', '.hidden.mp4', 'notes.txt', 'axmp4']) {
  writeFileSync(join(folder, name), 'x');
}
for (const name of ['day-1', 'day-2', 'folder.mp4']) mkdirSync(join(folder, name));
mkdirSync(join(folder, 'day-1', 'late', '.cache'), { recursive: true });
writeFileSync(join(folder, 'day-1', 'one.mp4'), 'x');
writeFileSync(join(folder, 'day-1', 'late', 'three.mp4'), 'x');
writeFileSync(join(folder, 'day-1', 'late', '.cache', 'four.mp4'), 'x');
writeFileSync(join(folder, 'day-2', 'two.mp4'), 'x');
symlinkSync(join(folder, 'b.mp4'), join(folder, 'link.mp4'));

const expand = (pattern: string, isWindows = false) =>
  expandPattern(`${folder}/${pattern}`, isWindows).map((path) => path.slice(folder.length + 1));

describe('a pattern that the shell did not expand', () => {
  test.each<[string, string[]]>([
    ['*.mp4', ['a+b.mp4', 'a.mp4', 'b.mp4', 'link.mp4']],
    ['a*b.mp4', ['a+b.mp4']],
    ['a+*', ['a+b.mp4']],
    ['.*.mp4', ['.hidden.mp4']],
    ['day-*/*.mp4', ['day-1/one.mp4', 'day-2/two.mp4']],
    ['day-*/two.*', ['day-2/two.mp4']],
    ['day-*/two.mp4', ['day-2/two.mp4']],
    ['?.mp4', ['a.mp4', 'b.mp4']],
    ['day-?/???.mp4', ['day-1/one.mp4', 'day-2/two.mp4']],
    ['day-1/**/*.mp4', ['day-1/one.mp4', 'day-1/late/three.mp4']],
    ['day-1/**', ['day-1/one.mp4', 'day-1/late/three.mp4']],
    ['**/late/**/t*', ['day-1/late/three.mp4']],
    ['b.mp4/*.mp4', []],
    ['nowhere/*.mp4', []],
    ['*.wav', []],
  ])('%s matches the same files as in a shell, without folders', (pattern, expected) => {
    expect(expand(pattern)).toEqual(expected);
  });

  test('can have backslashes and any letter case on Windows', () => {
    expect(expand('day-1\\*.MP4', true)).toEqual(['day-1/one.mp4']);
    expect(expand('A.*', true)).toEqual(['a.MP4', 'a.mp4']);
    expect(expand('day-1\\*.mp4')).toEqual([]);
  });

  test('is the name of a file if there is one', () => {
    const path = join(folder, '*.pdf');
    writeFileSync(path, 'x');
    expect(findFiles([path]).files).toMatchObject([{ filename: '*.pdf' }]);
    rmSync(path);
  });
});
