import { noVerdict } from '@assay/contract/no-verdict.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import { type SeverityCounts, worstVerdict } from '@assay/contract/verdict.ts';
import type { Mode } from '#call/caller.ts';
import type { AssetState } from './status.ts';

/** The verdict on a complete asset with the counts behind it, as stored with the asset. */
export type Judgement = { [Name in keyof AssetVerdict]: NonNullable<AssetVerdict[Name]> };

/** What follows from the states of a submission's assets. */
export type SubmissionState = AssetVerdict & {
  status: AssetState['status'];
  /** Null if it is not finished. */
  completedAt: Date | null;
};

/** The verdict on an asset in any state, from what is stored: null if it is not settled or was only simulated. */
export function assetVerdict({
  mode,
  status,
  judgement,
}: {
  mode: Mode;
  status: AssetState['status'];
  judgement: Judgement | null;
}): AssetVerdict {
  if (mode === 'sandbox') return noVerdict;
  if (status === 'failed') return { ...noVerdict, verdict: 'not_checked' };
  if (status !== 'complete' || !judgement) return noVerdict;
  // In this order, which JSON in the database does not keep.
  const { verdict, severityCounts, statusCounts, blockingCount, reviewCount, waivedCount } = judgement;
  const { critical, major, minor, info } = severityCounts;
  const { open, acknowledged, awaitingHumanInput, resolved, dismissed } = statusCounts;
  return {
    verdict,
    severityCounts: { critical, major, minor, info },
    statusCounts: { open, acknowledged, awaitingHumanInput, resolved, dismissed },
    blockingCount,
    reviewCount,
    waivedCount,
  };
}

/** The verdict on a submission: the worst of its assets, and the counts of those that are complete added up. */
export function submissionVerdict(assets: readonly AssetVerdict[]): AssetVerdict {
  const verdict = worstVerdict(assets.map((asset) => asset.verdict));
  const counted = assets.filter((asset): asset is Judgement => asset.severityCounts !== null);
  if (verdict === null || counted.length === 0) return { ...noVerdict, verdict };
  const sumOf = (name: 'blockingCount' | 'reviewCount' | 'waivedCount') =>
    counted.reduce((sum, asset) => sum + asset[name], 0);
  return {
    verdict,
    severityCounts: counted.map(({ severityCounts }) => severityCounts).reduce(addCounts),
    statusCounts: counted.map(({ statusCounts }) => statusCounts).reduce(addCounts),
    blockingCount: sumOf('blockingCount'),
    reviewCount: sumOf('reviewCount'),
    waivedCount: sumOf('waivedCount'),
  };
}

/** Adds counts with the same names. */
export function addCounts<Counts extends SeverityCounts | Judgement['statusCounts']>(a: Counts, b: Counts): Counts {
  return Object.fromEntries(
    Object.entries(a).map(([name, count]) => [name, count + (b[name as keyof Counts] as number)]),
  ) as Counts;
}
