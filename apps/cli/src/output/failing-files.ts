import { formatCount } from '@assay/report/format/format.ts';
import { severities } from '@assay/report/severity.ts';
import { effectOf, judgeAsset, labelOfVerdict } from '@assay/report/verdict/judgement.ts';
import type { CheckedFile, RunGate } from './checked.ts';
import { type Output, stripControls } from './output.ts';
import { isSimulated } from './verdict.ts';

/** Further files are only counted. */
const filesShownMax = 10;

/** Names the files that did not pass, the worst first, so that nobody has to search for them; empty if all passed. */
export function formatFailingFiles(checked: readonly CheckedFile[], gate: RunGate | null, output: Output): string {
  if (checked.length < 2) return '';
  const failing = checked
    .flatMap((one) => {
      const reason = reasonOf(one, gate);
      return reason ? [{ file: one.file, ...reason }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank);
  const rest = failing.length - filesShownMax;
  const lines = failing
    .slice(0, filesShownMax)
    .map(
      ({ file, text, rank }) =>
        `  ${output.paint(rank === 1 ? '!' : '✗', rank === 1 ? 'yellow' : 'red')} ${output.paint(stripControls(file), 'bold')}  ${text}`,
    );
  return [...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
}

/** Why a file did not pass; undefined if it did, or if it was only simulated. */
function reasonOf(one: CheckedFile, gate: RunGate | null): { rank: number; text: string } | undefined {
  const { result, refusal } = one;
  if (refusal) return { rank: 3, text: 'Rejected' };
  if (!result) return { rank: 3, text: 'No result' };
  if (result.status === 'failed') return { rank: 2, text: `Not checked (${result.errorType})` };
  if (!gate || isSimulated(one)) return undefined;
  const judged = judgeAsset({ result, issues: one.issues }, gate);
  const label = labelOfVerdict(judged);
  switch (judged.verdict) {
    case 'failed':
      return { rank: 0, text: `${label}: ${formatBlocking(one, gate)}` };
    case 'needs_review':
      return { rank: 1, text: `${label}: ${formatCount(judged.reviewCount, 'issue')}` };
    case 'not_checked':
      return { rank: 2, text: `${label} (no check applies)` };
    default:
      return undefined;
  }
}

/** `1 CRITICAL, 2 MAJOR` */
function formatBlocking({ result, issues }: CheckedFile, gate: RunGate): string {
  const blocking = issues.filter((issue) => result && effectOf(issue, result.checks, gate) === 'blocks');
  return severities
    .flatMap((severity) => {
      const count = blocking.filter((issue) => issue.severity === severity).length;
      return count > 0 ? [`${count} ${severity}`] : [];
    })
    .join(', ');
}
