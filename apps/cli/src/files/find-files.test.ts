import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createOutput } from '../output/output.ts';
import { formatSkipped } from '../output/skipped.ts';
import { findFiles } from './find-files.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-files-'));
afterAll(() => rmSync(root, { recursive: true }));

function makeFolder(...names: string[]): string {
  const folder = mkdtempSync(join(root, 'media-'));
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'x');
  }
  return folder;
}

/** What is sent, rejected (with the code) and skipped (with the reason), relative to the folder. */
function find(folder: string, ...named: string[]) {
  const { files, skipped } = findFiles(named.map((name) => join(folder, name)));
  const relative = (path: string) => path.slice(folder.length + 1);
  return {
    sent: files.flatMap((one) => (one.refusal ? [] : [relative(one.file)])),
    rejected: files.flatMap((one) => (one.refusal ? [`${relative(one.file)} ${one.refusal.code}`] : [])),
    skipped: skipped.map((one) => `${relative(one.file)} ${one.reason}`),
  };
}

describe('a folder', () => {
  test('stands for the files in it and in the folders below, in order', () => {
    const folder = makeFolder('b.mp4', 'a/z.txt', 'a/deeper/c.PNG', 'c.wav');
    expect(find(folder, '.')).toEqual({
      sent: ['a/deeper/c.PNG', 'a/z.txt', 'b.mp4', 'c.wav'],
      rejected: [],
      skipped: [],
    });
  });

  test('can have other files, hidden files and links to folders, which are skipped and listed', () => {
    const folder = makeFolder('a.mp4', 'README.md', '.DS_Store', '._a.mp4', 'old.zip', 'Makefile', '.git/a.mp4');
    symlinkSync(root, join(folder, 'everything'));
    expect(find(folder, '.')).toEqual({
      sent: ['a.mp4'],
      rejected: [],
      skipped: [
        ...['.DS_Store hidden', '._a.mp4 hidden', '.git hidden', 'Makefile not_supported', 'README.md not_supported'],
        ...['everything linked_folder', 'old.zip not_supported'],
      ],
    });
  });

  test('follows a link to a file, and rejects a broken link to media instead of passing over it', () => {
    const folder = makeFolder('a.mp4');
    symlinkSync(join(folder, 'a.mp4'), join(folder, 'link.mp4'));
    symlinkSync(join(folder, 'gone.mp4'), join(folder, 'broken.mp4'));
    expect(find(folder, '.')).toMatchObject({
      sent: ['a.mp4', 'link.mp4'],
      rejected: ['broken.mp4 file_not_found'],
    });
  });

  test('without a supported file is rejected, and the others are still checked', () => {
    const folder = makeFolder('a.mp4', 'empty/README.md');
    expect(find(folder, 'empty', 'a.mp4')).toEqual({
      sent: ['a.mp4'],
      rejected: ['empty no_files'],
      skipped: ['empty/README.md not_supported'],
    });
  });
});

describe('a file that is named on the command line', () => {
  test('is rejected if it is not supported or does not exist, and the others are still checked', () => {
    const folder = makeFolder('a.mp4', 'README.md', 'Makefile');
    expect(find(folder, 'README.md', 'a.mp4', 'gone.mp4', 'Makefile')).toEqual({
      sent: ['a.mp4'],
      rejected: ['README.md type_not_supported', 'gone.mp4 file_not_found', 'Makefile type_not_supported'],
      skipped: [],
    });
  });

  test('can be hidden', () => {
    expect(find(makeFolder('.a.mp4'), '.a.mp4').sent).toEqual(['.a.mp4']);
  });

  test('is not listed again if it is also in a folder, in whatever order they are named', () => {
    const folder = makeFolder('in/a.mp4', 'in/README.md');
    const expected = { sent: ['in/a.mp4'], rejected: ['in/README.md type_not_supported'], skipped: [] };
    expect(find(folder, 'in', 'in/a.mp4', 'in/README.md')).toEqual(expected);
    expect(find(folder, 'in/README.md', 'in/a.mp4', 'in')).toEqual(expected);
  });
});

describe('a pattern', () => {
  test('skips files that are not supported, as a folder does', () => {
    const folder = makeFolder('a.mp4', 'README.md');
    expect(find(folder, '*')).toEqual({ sent: ['a.mp4'], rejected: [], skipped: ['README.md not_supported'] });
  });

  test('that matches nothing, or nothing that is supported, is rejected', () => {
    const folder = makeFolder('a.mp4', 'README.md');
    expect(find(folder, '*.wav', 'a.mp4', '*.md')).toMatchObject({
      sent: ['a.mp4'],
      rejected: ['*.wav no_files', '*.md no_files'],
    });
  });
});

test('skipped files are listed by reason on one line, with at most five names each', () => {
  const output = createOutput(process.stdout, { NO_COLOR: '1' });
  const skipped = Array.from({ length: 7 }, (_, i) => ({ file: `${i}.md`, reason: 'not_supported' as const }));
  expect(formatSkipped([...skipped, { file: '.DS_Store', reason: 'hidden' }], { ...output, width: () => 200 })).toBe(
    'Skipped: 7 not supported (0.md, 1.md, 2.md, 3.md, 4.md, 2 more), 1 hidden (.DS_Store).',
  );
});
