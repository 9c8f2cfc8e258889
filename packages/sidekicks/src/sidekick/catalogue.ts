import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from './profile.ts';
import type { Cause, Sidekick } from './sidekick.ts';

const checksFolder = join(import.meta.dirname, '..', 'checks');

/** The folder is the registry: every subfolder with a sidekick.ts is a sidekick. Sorted by folder name. */
export const sidekicks: readonly Sidekick[] = await Promise.all(
  readdirSync(checksFolder)
    .sort()
    .filter((name) => existsSync(join(checksFolder, name, 'sidekick.ts')))
    .map(async (name) => (await import(`../checks/${name}/sidekick.ts`)).sidekick as Sidekick),
);

/** The part of a rule code before its first hyphen. All rules of a sidekick share it. */
export function familyOf(ruleCode: string): string {
  return ruleCode.replace(/-.*$/s, '');
}

/** Maps each rule family to the label of its issues in topic titles. */
export const topicLabels: ReadonlyMap<string, string> = new Map(
  sidekicks.flatMap(({ rules, topicLabel }) =>
    Object.keys(rules).map((code): [string, string] => [familyOf(code), topicLabel]),
  ),
);

/** If several causes apply to a rule, the first one is named in the topic title. */
export const causes: readonly Cause[] = sidekicks.flatMap((sidekick) => sidekick.causes ?? []);

const sidekickById = new Map(sidekicks.map((sidekick) => [sidekick.id, sidekick]));

export function findSidekick(id: string): Sidekick | undefined {
  return sidekickById.get(id);
}

/** Sidekicks whose decisions carry over only to identical files. */
export const contentBoundSidekickIds: ReadonlySet<string> = new Set(
  sidekicks.filter(({ decisionsNeedSameContent }) => decisionsNeedSameContent).map(({ id }) => id),
);

/** The sidekicks with these ids; for `null`, the default ones. Some may not apply to an asset. */
export function chooseSidekicks(ids: readonly string[] | null): Sidekick[] {
  return ids ? sidekicks.filter(({ id }) => ids.includes(id)) : sidekicks.filter(({ isDefault }) => isDefault);
}

/** Rules whose findings say what a check did not examine. */
export const notVerifiedRuleCodes: ReadonlySet<string> = new Set(sidekicks.map(({ notVerified }) => notVerified));

/**
 * Short names of the checks that may be incomplete under this profile. Revisions stored before `allowIncomplete` existed
 * could switch off the rule for what was not examined, which meant the same.
 */
export function allowedIncomplete({ allowIncomplete, rules }: Profile): string[] {
  const off = new Set(rules.flatMap(({ ruleCode, severity }) => (severity === 'OFF' ? [ruleCode] : [])));
  const switchedOff = sidekicks.filter(({ notVerified }) => off.has(notVerified)).map(({ shortName }) => shortName);
  return [...new Set([...allowIncomplete, ...switchedOff])];
}
