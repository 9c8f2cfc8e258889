import { verdicts } from '@assay/contract/verdict.ts';
import { formatCount } from '../format/format.ts';
import type { RejectedFile, Report, ReportAsset } from '../report.ts';
import { toneOf } from '../verdict/judge-report.ts';
import { type AppliedGate, type AssetVerdict, gateOf, judgeAsset } from '../verdict/judgement.ts';

/** An asset with its verdict. Its anchor follows the order of the submission, not that of the report. */
export type ReportFile = { asset: ReportAsset; anchor: string; gate: AppliedGate | null; judged: AssetVerdict | null };
export type ListedRejection = { file: RejectedFile; anchor: string };
export type FileGroups = { beforeRejected: ReportFile[]; rejected: ListedRejection[]; afterRejected: ReportFile[] };

/** The files in the order in which a reader has to look at them. */
const order = ['failed', 'needs_review', 'not_checked', null, 'passed_with_waivers', 'passed'] as const;

/** The files that failed first, then those that need a review or were not checked, and those that passed last. */
export function groupFiles({ submission, failOn, assets, rejected }: Report): FileGroups {
  const gate = submission && gateOf(submission, failOn);
  const files = assets.map((asset, i) => ({
    asset,
    anchor: `a${i + 1}`,
    gate,
    judged: gate && judgeAsset(asset, gate),
  }));
  const rank = ({ judged }: ReportFile) => order.indexOf(judged?.verdict ?? null);
  const sorted = files.toSorted((a, b) => rank(a) - rank(b));
  const hasPassed = ({ judged }: ReportFile) => judged?.verdict?.startsWith('passed') ?? false;
  return {
    beforeRejected: sorted.filter((file) => !hasPassed(file)),
    rejected: rejected.map((file, i) => ({ file, anchor: `r${i + 1}` })),
    afterRejected: sorted.filter(hasPassed),
  };
}

const words = {
  failed: ['failed', 'failed'],
  not_checked: ['not checked', 'not checked'],
  needs_review: ['needs review', 'need review'],
  passed_with_waivers: ['passed with waivers', 'passed with waivers'],
  passed: ['passed', 'passed'],
} as const;

/** `2 failed`, `1 needs review`, `32 passed`: how many files have each verdict, and its tone. */
export function countVerdicts({ beforeRejected, rejected, afterRejected }: FileGroups) {
  const all = [...beforeRejected, ...afterRejected].flatMap(({ judged }) => judged?.verdict ?? []);
  const each = [...all, ...rejected.map(() => 'not_checked' as const)];
  return verdicts.flatMap((verdict) => {
    const count = each.filter((one) => one === verdict).length;
    const [one, many] = words[verdict];
    return count > 0 ? [{ tone: toneOf[verdict], text: formatCount(count, one, many) }] : [];
  });
}
