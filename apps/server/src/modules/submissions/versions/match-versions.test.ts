import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { matchVersions, type NamedAsset } from './match-versions.ts';

const categories: Record<string, string> = { txt: 'document', png: 'image', mp4: 'video' };
const assetNamed = (filename: string): NamedAsset => ({ filename, category: categories[filename.split('.')[1] ?? ''] });
const match = (newNames: string[], oldNames: string[]) => {
  const candidates = oldNames.map(assetNamed);
  return matchVersions(newNames.map(assetNamed), candidates).map((one) =>
    one ? `${candidates.indexOf(one.old)} ${one.matchedBy}` : null,
  );
};

describe('an asset continues', () => {
  test.each<[string, string[], string[], (string | null)[]]>([
    ['the only asset, whatever its name', ['b.png'], ['a.txt'], ['0 position']],
    ['the one with the same name', ['b.txt'], ['a.txt', 'b.txt'], ['1 name']],
    ['those with the same names, in order', ['a.png', 'a.png'], ['a.png', 'a.png'], ['0 name', '1 name']],
    ['the first of several with the same name', ['a.png'], ['a.png', 'a.png'], ['0 name']],
    ['the one whose name differs only in case', ['a.png', 'b.png'], ['B.PNG', 'A.PNG'], ['1 name', '0 name']],
    [
      'the exact name rather than one in a different case',
      ['a.png', 'A.png'],
      ['A.png', 'a.png'],
      ['1 name', '0 name'],
    ],
    ['the same name in Unicode NFD', ['e\u0301.txt'], ['x.txt', '\u00e9.txt'], ['1 name']],
    [
      'renamed assets, in order',
      ['ad_v2.png', 'logo_v2.png'],
      ['ad_v1.png', 'logo_v1.png'],
      ['0 category', '1 category'],
    ],
    ['the one of the same category', ['c.png', 'd.txt'], ['a.txt', 'b.png'], ['1 category', '0 category']],
    [
      'the one at its position if the category has changed',
      ['c.mp4', 'd.txt'],
      ['a.txt', 'b.png'],
      ['1 position', '0 category'],
    ],
    ['nothing where several old assets are possible', ['c.txt'], ['a.txt', 'b.txt'], [null]],
    ['nothing where there are more new assets than old ones', ['b.txt', 'c.txt'], ['a.txt'], [null, null]],
    ['what is certain, when the rest is not', ['a.txt', 'x.txt', 'y.txt'], ['a.txt', 'b.txt'], ['0 name', null, null]],
  ])('%s', (_, newNames, oldNames, expected) => {
    expect(match(newNames, oldNames)).toEqual(expected);
  });
});

describe('matchVersions for generated pairs of submissions', () => {
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
  const pair = fc.array(filename, { minLength: 1, maxLength: 50 }).chain((oldNames) =>
    fc.tuple(
      fc.constant(oldNames),
      fc
        .tuple(
          fc.shuffledSubarray(oldNames, { minLength: oldNames.length }),
          fc.array(change, { minLength: oldNames.length, maxLength: oldNames.length }),
        )
        .map(([names, changes]) => names.map((name, i) => changes[i]?.(name) ?? name)),
      fc.array(filename, { maxLength: 3 }),
    ),
  );

  test('every new asset continues an old one whenever the counts match (§D1)', () => {
    fc.assert(fc.property(pair, ([oldNames, newNames]) => match(newNames, oldNames).every((one) => one !== null)));
  });

  test('no old asset is continued twice, and the result is deterministic', () => {
    fc.assert(
      fc.property(pair, ([oldNames, newNames, more]) => {
        for (const names of [[...newNames, ...more], newNames.slice(more.length)]) {
          const matches = match(names, oldNames);
          const taken = matches.filter((one) => one !== null).map((one) => one.split(' ')[0]);
          expect(new Set(taken).size).toBe(taken.length);
          expect(match(names, oldNames)).toEqual(matches);
        }
      }),
    );
  });

  test('an asset that kept its name is matched by name', () => {
    fc.assert(
      fc.property(fc.uniqueArray(filename, { selector: (name) => name.normalize('NFC'), maxLength: 50 }), (names) => {
        const reordered = names.toReversed();
        expect(match(reordered, names)).toEqual(reordered.map((name) => `${names.indexOf(name)} name`));
      }),
    );
  });
});
