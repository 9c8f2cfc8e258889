import { formatCount } from './format/format.ts';
import type { Report } from './report.ts';

export type FileCounts = { total: number; checked: number; failed: number; unchecked: number; rejected: number };

export function countFiles({ assets, rejected }: Pick<Report, 'assets' | 'rejected'>): FileCounts {
  const checked = assets.filter(({ result }) => wasChecked(result)).length;
  const failed = assets.filter(({ result }) => result.status === 'failed').length;
  return {
    total: assets.length + rejected.length,
    checked,
    failed,
    unchecked: assets.length - checked - failed,
    rejected: rejected.length,
  };
}

/** `5 files`, or `11 files: 8 checked, 1 failed, 2 rejected`. */
export function formatFileCounts({ total, checked, failed, unchecked, rejected }: FileCounts): string {
  const files = formatCount(total, 'file');
  if (checked === total) return files;
  const parts = [
    `${checked} checked`,
    failed > 0 && `${failed} failed`,
    unchecked > 0 && `${unchecked} not checked`,
    rejected > 0 && `${rejected} rejected`,
  ];
  return `${files}: ${parts.filter(Boolean).join(', ')}`;
}

/** Whether at least one check ran. The status `complete` alone does not imply that. */
export function wasChecked({ status, checks }: { status: string; checks: { outcome: string }[] }): boolean {
  return status === 'complete' && checks.some(({ outcome }) => outcome === 'ran');
}
