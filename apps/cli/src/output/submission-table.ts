import { formatCount, formatRevision } from '@assay/report/format/format.ts';
import type { AssetStatus, Submission, Verdict } from '@assay/sdk';
import type { Output, Style } from './output.ts';
import { type Cell, formatFacts, formatTable } from './table.ts';

const statusStyles: Record<Submission['status'], Style[]> = {
  uploading: ['dim'],
  submitted: ['dim'],
  processing: ['cyan'],
  complete: ['green'],
  failed: ['red'],
};

const verdictStyles: Record<Verdict, Style[]> = {
  failed: ['red'],
  not_checked: ['red'],
  needs_review: ['yellow'],
  passed_with_waivers: ['green'],
  passed: ['green'],
};

export function formatSubmissions(submissions: Submission[], output: Output): string {
  const rows = submissions.map((one): Cell[] => {
    const [first, ...rest] = one.assets;
    const files = `${first?.filename ?? ''}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;
    return [one.submissionId, statusCell(one), verdictCell(one), formatTime(one.createdAt), issueCountOf(one), files];
  });
  return formatTable(['SUBMISSION', 'STATUS', 'VERDICT', 'CREATED', 'ISSUES', 'FILES'], rows, output);
}

export function formatSubmission(submission: Submission, output: Output): string {
  const { submissionId, mode, profile, createdAt, completedAt, assets, metadata } = submission;
  const facts = formatFacts(
    [
      ['submission', submissionId],
      ['status', statusCell(submission)],
      ['verdict', submission.verdict && verdictCell(submission)],
      ['mode', mode === 'sandbox' ? 'sandbox (files are not analysed)' : null],
      ['profile', formatRevision(profile)],
      ['created', formatTime(createdAt)],
      ['finished', completedAt && formatTime(completedAt)],
      ['metadata', Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null],
    ],
    output,
  );
  const rows = assets.map((asset): Cell[] => [
    asset.assetId,
    statusCell(asset),
    verdictCell(asset),
    `v${asset.versionNumber}`,
    assetIssueCountOf(asset),
    asset.errorMessage ? `${asset.filename}: ${asset.errorMessage}` : asset.filename,
  ]);
  const table = formatTable(['ASSET', 'STATUS', 'VERDICT', 'VERSION', 'ISSUES', 'FILE'], rows, output);
  const next = nextOf(submission);
  return [facts, '', table, ...(next ? ['', output.paint(next, 'dim')] : [])].join('\n');
}

/** `2026-11-15 21:34` in local time. */
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

function verdictCell({ verdict }: Pick<Submission, 'verdict'>): Cell {
  return verdict ? { text: verdict.replaceAll('_', ' '), styles: verdictStyles[verdict] } : '–';
}

function issueCountOf({ assets }: Submission): string {
  const known = assets.filter(({ issueCount }) => issueCount !== null);
  return known.length > 0 ? String(known.reduce((sum, { issueCount }) => sum + (issueCount ?? 0), 0)) : '–';
}

function assetIssueCountOf({ issueCount, status }: AssetStatus): string {
  if (issueCount !== null) return String(issueCount);
  return status === 'complete' ? 'not analysed' : '–';
}

function nextOf({ submissionId, assets, status }: Submission): string | undefined {
  if (status === 'submitted' || status === 'processing') return `Wait: assay submissions get ${submissionId} --wait`;
  const issueCount = assets.reduce((sum, asset) => sum + (asset.issueCount ?? 0), 0);
  if (issueCount > 0) return `Show the ${formatCount(issueCount, 'issue')}: assay issues ${submissionId}`;
  const failed = assets.find(({ isRetryable }) => isRetryable);
  return failed && `Retry: assay retry ${submissionId} ${failed.assetId} --wait`;
}
