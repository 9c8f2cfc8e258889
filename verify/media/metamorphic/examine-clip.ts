import { type Judgement, judge, type Verdict } from '@assay/contract/verdict.ts';
import { type Check, type Examination, runSidekicks } from '@assay/sidekicks/run/run.ts';
import { allowedIncomplete, sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withSource } from '@assay/testing/media/video-source.ts';

export type ProfileName = Parameters<typeof declarationFor>[1] & string;

/** What the service would answer about a file. */
export type Examined = Pick<Examination, 'findings' | 'measured'> & {
  verdict: Verdict;
  counts: Omit<Judgement, 'verdict'>;
  checks: (Check & { shortName: string; notVerified: string })[];
};

/** Examines a file with every check, and judges it by the profile, as the service does. */
export async function examineClip(path: string, profileName: ProfileName): Promise<Examined> {
  const declared = declarationFor(path, profileName);
  const { profile } = declared;
  const { checks, findings, measured } = await withSource(path, (source) => runSidekicks(sidekicks, source, declared));
  const named = checks.map((check) => {
    const { shortName, notVerified } = sidekicks.find(({ id }) => id === check.sidekickId) as (typeof sidekicks)[0];
    return { ...check, shortName, notVerified };
  });
  const { verdict, ...counts } = judge(
    {
      status: 'complete',
      checks: named.map((check) => ({ ...check, notVerifiedRuleCode: check.notVerified })),
      issues: findings.map(({ ruleCode, severity, isCertain }) => ({
        ...{ ruleCode, severity, isDecided: false },
        status: isCertain ? 'OPEN' : 'AWAITING_HUMAN_INPUT',
      })),
    },
    { failOn: profile.failOn, allowIncomplete: allowedIncomplete(profile) },
  );
  return { verdict, counts, checks: named, findings, measured };
}
