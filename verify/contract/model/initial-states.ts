import { isDeepStrictEqual } from 'node:util';
import { type Asset, type Beginning, livingSubmissions, type Model } from './model.ts';

/** Decisions that also apply to the same finding in the next version. */
const lastingDecisions = ['ACKNOWLEDGED', 'DISMISSED'];
const undecided = { status: 'OPEN', statusNote: null, statusChangedAt: null } as const;

/**
 * A new issue starts with the decision of the previous version at the time when its asset ends, which is not known. So at
 * the start and after every command, the model notes for each running asset what its issues would start with.
 */
export function noteBeginnings(model: Model): void {
  const assets = liveAssets(model);
  for (const asset of assets.filter(({ state }) => state === 'running')) {
    for (const ruleCode of asset.ruleCodes ?? []) {
      const noted = asset.beginnings.get(ruleCode) ?? [];
      const more = beginningsNow(assets, asset, ruleCode).filter(
        (one) => !noted.some((other) => isDeepStrictEqual(one, other)),
      );
      asset.beginnings.set(ruleCode, [...noted, ...more]);
    }
  }
}

/** Whether an issue of this asset may inherit a decision from an earlier version. */
export function mayInherit({ beginnings }: Asset): boolean {
  return [...beginnings.values()].flat().some(isLasting);
}

/** Whether an issue may have started like this; members known on one side only are ignored. */
export function fitsBeginning(beginning: Beginning, issue: Beginning): boolean {
  return (Object.keys(beginning) as (keyof Beginning)[]).every(
    (name) => beginning[name] === undefined || !(name in issue) || issue[name] === beginning[name],
  );
}

/** The newest complete earlier version decides; a running one may be complete or not. */
function beginningsNow(assets: Asset[], asset: Asset, ruleCode: string): Beginning[] {
  const earlier = assets
    .filter(({ versionGroupId, versionNumber }) => {
      return versionGroupId === asset.versionGroupId && versionNumber < asset.versionNumber;
    })
    .toSorted((a, b) => b.versionNumber - a.versionNumber);
  const possible: Beginning[] = [];
  for (const before of earlier) {
    const mayBeComplete = before.state === 'running' && before.mayEndAs.has('complete');
    if (before.state !== 'complete' && !mayBeComplete) continue;
    possible.push(...passedOn(before, ruleCode));
    if (before.state === 'complete') return possible;
  }
  return [...possible, undecided];
}

function passedOn({ ruleCodes, issues, beginnings }: Asset, ruleCode: string): Beginning[] {
  if (!ruleCodes?.includes(ruleCode)) return [undecided];
  const known = issues.get(ruleCode);
  const states: Beginning[] = known ? [known] : (beginnings.get(ruleCode) ?? []);
  return states.map(({ referenceNumber, status, statusNote, statusChangedAt }) => {
    return { referenceNumber, ...(isLasting({ status }) ? { status, statusNote, statusChangedAt } : undecided) };
  });
}

function isLasting({ status }: Beginning): boolean {
  return status !== undefined && lastingDecisions.includes(status);
}

function liveAssets(model: Model): Asset[] {
  return livingSubmissions(model)
    .filter(({ mode }) => mode === 'live')
    .flatMap(({ assets }) => assets);
}
