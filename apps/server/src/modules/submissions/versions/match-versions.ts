import type { MatchedBy } from '@assay/contract/schemas/submission.ts';

export type NamedAsset = { filename: string; category: string | undefined };
export type Match<Old> = { old: Old; matchedBy: MatchedBy };

/** The criteria in the order in which they are tried; `needsEqualCounts`: only equal numbers of assets are paired. */
const matchingPasses: { matchedBy: MatchedBy; keyOf: (asset: NamedAsset) => string; needsEqualCounts: boolean }[] = [
  { matchedBy: 'name', keyOf: ({ filename }) => filename.normalize('NFC'), needsEqualCounts: false },
  { matchedBy: 'name', keyOf: ({ filename }) => filename.normalize('NFC').toLowerCase(), needsEqualCounts: false },
  { matchedBy: 'category', keyOf: ({ category }) => category ?? '', needsEqualCounts: true },
  { matchedBy: 'position', keyOf: () => '', needsEqualCounts: true },
];

/**
 * Finds for each new asset the asset of an earlier submission that it continues; undefined where no pass decides. In
 * each pass the k-th new asset is paired with the k-th old one of the same key, among those not yet paired.
 */
export function matchVersions<Old extends NamedAsset>(assets: readonly NamedAsset[], olds: readonly Old[]) {
  const matches: (Match<Old> | undefined)[] = assets.map(() => undefined);
  const taken = new Set<Old>();
  for (const { matchedBy, keyOf, needsEqualCounts } of matchingPasses) {
    const left = Map.groupBy(
      assets.keys().filter((i) => !matches[i]),
      (i) => keyOf(assets[i] as NamedAsset),
    );
    const free = Map.groupBy(
      olds.filter((old) => !taken.has(old)),
      keyOf,
    );
    for (const [key, indexes] of left) {
      const candidates = free.get(key) ?? [];
      if (needsEqualCounts && candidates.length !== indexes.length) continue;
      for (const [k, i] of indexes.entries()) {
        const old = candidates[k];
        if (!old) break;
        matches[i] = { old, matchedBy };
        taken.add(old);
      }
    }
  }
  return matches;
}
