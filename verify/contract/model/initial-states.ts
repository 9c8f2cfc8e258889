import { isDeepStrictEqual } from 'node:util';
import { type Asset, existingSubmissions, type InitialState, type Model } from './model.ts';

/** Decisions that also apply to the same issue in the next version. */
const lastingDecisions = ['ACKNOWLEDGED', 'DISMISSED'];
const undecidedState = { status: 'OPEN', statusNote: null, statusChangedAt: null } as const;

/**
 * A new issue starts with the decision that the previous version has when the new asset ends, which may be at any time.
 * So at the start and after every command, the model notes for each running asset what its issues would start with.
 */
export function noteInitialStates(model: Model): void {
  const assets = liveAssets(model);
  for (const asset of assets.filter(({ state }) => state === 'running')) {
    for (const ruleCode of asset.ruleCodes ?? []) {
      const noted = asset.initialStates.get(ruleCode) ?? [];
      const more = possibleInitialStates(assets, asset, ruleCode).filter(
        (one) => !noted.some((other) => isDeepStrictEqual(one, other)),
      );
      asset.initialStates.set(ruleCode, [...noted, ...more]);
    }
  }
}

/** Whether an issue of this asset may inherit a decision from an earlier version. */
export function mayInherit({ initialStates }: Asset): boolean {
  return [...initialStates.values()].flat().some(isLasting);
}

/** Whether an issue may have started like this; members known on one side only are ignored. */
export function matchesInitialState(initialState: InitialState, issue: InitialState): boolean {
  return (Object.keys(initialState) as (keyof InitialState)[]).every(
    (name) => initialState[name] === undefined || !(name in issue) || issue[name] === initialState[name],
  );
}

/**
 * The newest complete earlier version decides what an issue starts with; a running version may have completed or not.
 */
function possibleInitialStates(assets: Asset[], asset: Asset, ruleCode: string): InitialState[] {
  const earlier = assets
    .filter(({ versionGroupId, versionNumber }) => {
      return versionGroupId === asset.versionGroupId && versionNumber < asset.versionNumber;
    })
    .toSorted((a, b) => b.versionNumber - a.versionNumber);
  const possible: InitialState[] = [];
  for (const before of earlier) {
    const mayBeComplete = before.state === 'running' && before.mayEndAs.has('complete');
    if (before.state !== 'complete' && !mayBeComplete) continue;
    possible.push(...inheritedStates(before, ruleCode));
    if (before.state === 'complete') return possible;
  }
  return [...possible, undecidedState];
}

function inheritedStates({ ruleCodes, issues, initialStates }: Asset, ruleCode: string): InitialState[] {
  if (!ruleCodes?.includes(ruleCode)) return [undecidedState];
  const known = issues.get(ruleCode);
  const states: InitialState[] = known ? [known] : (initialStates.get(ruleCode) ?? []);
  return states.map(({ referenceNumber, status, statusNote, statusChangedAt }) => {
    return { referenceNumber, ...(isLasting({ status }) ? { status, statusNote, statusChangedAt } : undecidedState) };
  });
}

function isLasting({ status }: InitialState): boolean {
  return status !== undefined && lastingDecisions.includes(status);
}

function liveAssets(model: Model): Asset[] {
  return existingSubmissions(model)
    .filter(({ mode }) => mode === 'live')
    .flatMap(({ assets }) => assets);
}
