import { isDeepStrictEqual } from 'node:util';
import { type Asset, type Beginning, livingSubmissions, type Model } from './model.ts';

/** Decisions that hold for the same finding of the next version too. */
const lastingDecisions = ['ACKNOWLEDGED', 'DISMISSED'];
const undecided = { status: 'OPEN', statusNote: null, statusChangedAt: null } as const;

/**
 * A new issue begins with what the version before says of it when its asset ends, and nobody knows when that is. So when
 * it begins and after every command it is noted, for each asset that runs, what its issues would begin with if it ended now.
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

/** Whether a decision on an earlier version may be passed on to an issue of this asset. */
export function mayInherit({ beginnings }: Asset): boolean {
  return [...beginnings.values()].flat().some(isLasting);
}

/** Whether an issue that was read may have begun so; a member that is known on one side only says nothing. */
export function fitsBeginning(beginning: Beginning, issue: Beginning): boolean {
  return (Object.keys(beginning) as (keyof Beginning)[]).every(
    (name) => beginning[name] === undefined || !(name in issue) || issue[name] === beginning[name],
  );
}

/** The newest earlier version that is complete decides; one that runs may be complete or not. */
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
