import { formatCount } from '../format/format.ts';
import type { Report } from '../report.ts';

export type FileCounts = Record<'total' | 'checked' | 'failed' | 'unchecked' | 'rejected' | 'unfinished', number>;

export function countFiles({ assets, rejected }: Pick<Report, 'assets' | 'rejected'>): FileCounts {
  const checked = assets.filter(({ result }) => wasChecked(result)).length;
  const failed = assets.filter(({ result }) => result.status === 'failed').length;
  const unfinished = rejected.filter(({ stage }) => stage === 'unfinished').length;
  return {
    total: assets.length + rejected.length,
    checked,
    failed,
    unchecked: assets.length - checked - failed,
    rejected: rejected.length - unfinished,
    unfinished,
  };
}

/** `5 files`, or `11 files: 8 checked, 1 failed, 2 rejected`. */
export function formatFileCounts({ total, checked, failed, unchecked, rejected, unfinished }: FileCounts): string {
  const files = formatCount(total, 'file');
  if (checked === total) return files;
  const parts = [
    `${checked} checked`,
    failed > 0 && `${failed} failed`,
    unchecked > 0 && `${unchecked} not checked`,
    rejected > 0 && `${rejected} rejected`,
    unfinished > 0 && `${unfinished} without a result`,
  ];
  return `${files}: ${parts.filter(Boolean).join(', ')}`;
}

/** Whether at least one check examined something. The status `complete` alone does not imply that. */
export function wasChecked({ status, checks }: { status: string; checks: { outcome: string }[] }): boolean {
  return status === 'complete' && checks.some(({ outcome }) => outcome !== 'not_applicable');
}
