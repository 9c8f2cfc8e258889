import type { AssetStatus, Submission } from '@assay/sdk';
import type { Output, Style } from './output.ts';
import { formatCount } from './report/format.ts';
import { type Cell, formatFacts, formatTable } from './table.ts';

const statusStyles: Record<Submission['status'], Style[]> = {
  uploading: ['dim'],
  submitted: ['dim'],
  processing: ['cyan'],
  complete: ['green'],
  failed: ['red'],
};

export function formatSubmissions(submissions: Submission[], output: Output): string {
  const rows = submissions.map((one): Cell[] => {
    const [first, ...rest] = one.assets;
    const files = `${first?.filename ?? ''}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;
    return [one.submissionId, statusCell(one), formatTime(one.createdAt), findingsOf(one), files];
  });
  return formatTable(['SUBMISSION', 'STATUS', 'CREATED', 'FINDINGS', 'FILES'], rows, output);
}

export function formatSubmission(submission: Submission, output: Output): string {
  const { submissionId, mode, createdAt, completedAt, assets, metadata } = submission;
  const facts = formatFacts(
    [
      ['submission', submissionId],
      ['status', statusCell(submission)],
      ['mode', mode === 'sandbox' ? 'sandbox: nothing is analysed' : null],
      ['created', formatTime(createdAt)],
      ['over', completedAt && formatTime(completedAt)],
      ['metadata', Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null],
    ],
    output,
  );
  const rows = assets.map((asset): Cell[] => [
    asset.assetId,
    statusCell(asset),
    `v${asset.versionNumber}`,
    findingsOfAsset(asset),
    asset.errorMessage ? `${asset.filename}: ${asset.errorMessage}` : asset.filename,
  ]);
  const table = formatTable(['ASSET', 'STATUS', 'VERSION', 'FINDINGS', 'FILE'], rows, output);
  const next = nextOf(submission);
  return [facts, '', table, ...(next ? ['', output.paint(next, 'dim')] : [])].join('\n');
}

/** `2026-11-15 21:34` of this machine's clock. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function statusCell({ status, progressPercent }: Pick<Submission, 'status' | 'progressPercent'>): Cell {
  const percent = status === 'processing' ? ` ${progressPercent} %` : '';
  return { text: `${status}${percent}`, styles: statusStyles[status] };
}

function findingsOf({ assets }: Submission): string {
  const known = assets.filter(({ issueCount }) => issueCount !== null);
  return known.length > 0 ? String(known.reduce((sum, { issueCount }) => sum + (issueCount ?? 0), 0)) : '–';
}

function findingsOfAsset({ issueCount, status }: AssetStatus): string {
  if (issueCount !== null) return String(issueCount);
  return status === 'complete' ? 'not analysed' : '–';
}

function nextOf({ submissionId, assets, status }: Submission): string | undefined {
  if (status === 'submitted' || status === 'processing') return `Wait: assay submissions get ${submissionId} --wait`;
  const found = assets.reduce((sum, { issueCount }) => sum + (issueCount ?? 0), 0);
  if (found > 0) return `See the ${formatCount(found, 'finding')}: assay issues ${submissionId}`;
  const failed = assets.find(({ isRetryable }) => isRetryable);
  return failed && `Try again: assay retry ${submissionId} ${failed.assetId} --wait`;
}
