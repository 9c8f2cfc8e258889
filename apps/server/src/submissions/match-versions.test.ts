import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchVersions, type Named } from './match-versions.ts';

const categories: Record<string, string> = { txt: 'document', png: 'image', mp4: 'video' };
const named = (filename: string): Named => ({ filename, category: categories[filename.split('.')[1] ?? ''] });
const match = (news: string[], olds: string[]) => {
  const candidates = olds.map(named);
  return matchVersions(news.map(named), candidates).map((one) =>
    one ? `${candidates.indexOf(one.old)} ${one.matchedBy}` : null,
  );
};

describe('an asset continues', () => {
  test.each<[string, string[], string[], (string | null)[]]>([
    ['the only one there, whatever it is called', ['b.png'], ['a.txt'], ['0 position']],
    ['the one of the same name', ['b.txt'], ['a.txt', 'b.txt'], ['1 name']],
    ['those of the same names in their order', ['a.png', 'a.png'], ['a.png', 'a.png'], ['0 name', '1 name']],
    ['the first of the same names where it is alone', ['a.png'], ['a.png', 'a.png'], ['0 name']],
    ['the one whose name differs in case', ['a.png', 'b.png'], ['B.PNG', 'A.PNG'], ['1 name', '0 name']],
    ['the very name before the one of another case', ['a.png', 'A.png'], ['A.png', 'a.png'], ['1 name', '0 name']],
    ['one of decomposed letters', ['e\u0301.txt'], ['x.txt', '\u00e9.txt'], ['1 name']],
    [
      'renamed ones in their order',
      ['ad_v2.png', 'logo_v2.png'],
      ['ad_v1.png', 'logo_v1.png'],
      ['0 category', '1 category'],
    ],
    ['the one of its category', ['c.png', 'd.txt'], ['a.txt', 'b.png'], ['1 category', '0 category']],
    ['by position what changed its category too', ['c.mp4', 'd.txt'], ['a.txt', 'b.png'], ['1 position', '0 category']],
    ['nothing where several could be meant', ['c.txt'], ['a.txt', 'b.txt'], [null]],
    ['nothing where there are more new ones', ['b.txt', 'c.txt'], ['a.txt'], [null, null]],
    ['what is sure, when the rest is not', ['a.txt', 'x.txt', 'y.txt'], ['a.txt', 'b.txt'], ['0 name', null, null]],
  ])('%s', (_, news, olds, expected) => {
    expect(match(news, olds)).toEqual(expected);
  });
});

describe('over generated pairs of submissions', () => {
  const extension = fc.constantFrom('txt', 'png', 'mp4');
  const filename = fc
    .tuple(fc.constantFrom('a', 'b', 'ad_v1', 'Logo', 'e\u0301', '\u00e9', 'ß'), extension)
    .map(([stem, end]) => `${stem}.${end}`);
  const change = fc.constantFrom<(name: string) => string>(
    (name) => name,
    (name) => name.toUpperCase().replace(/\.[A-Z0-9]+$/, (end) => end.toLowerCase()),
    (name) => `new-${name}`,
    (name) => name.replace(/\.\w+$/, '.png'),
  );
  const pair = fc.array(filename, { minLength: 1, maxLength: 50 }).chain((olds) =>
    fc.tuple(
      fc.constant(olds),
      fc
        .tuple(
          fc.shuffledSubarray(olds, { minLength: olds.length }),
          fc.array(change, { minLength: olds.length, maxLength: olds.length }),
        )
        .map(([names, changes]) => names.map((name, i) => changes[i]?.(name) ?? name)),
      fc.array(filename, { maxLength: 3 }),
    ),
  );

  test('a version is assigned to each whenever the counts match (§D1)', () => {
    fc.assert(fc.property(pair, ([olds, news]) => match(news, olds).every((one) => one !== null)));
  });

  test('never two to one, and the same answer for the same input', () => {
    fc.assert(
      fc.property(pair, ([olds, news, more]) => {
        for (const asked of [[...news, ...more], news.slice(more.length)]) {
          const matches = match(asked, olds);
          const taken = matches.filter((one) => one !== null).map((one) => one.split(' ')[0]);
          expect(new Set(taken).size).toBe(taken.length);
          expect(match(asked, olds)).toEqual(matches);
        }
      }),
    );
  });

  test('who kept the name is never matched by anything else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(filename, { selector: (name) => name.normalize('NFC'), maxLength: 50 }), (names) => {
        const reordered = names.toReversed();
        expect(match(reordered, names)).toEqual(reordered.map((name) => `${names.indexOf(name)} name`));
      }),
    );
  });
});
