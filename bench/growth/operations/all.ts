import type { Operations } from './operation.ts';
import { others } from './others.ts';
import { results } from './results.ts';
import { submissions } from './submissions.ts';
import { uploads } from './uploads.ts';
import { webhooks } from './webhooks.ts';

export const operations: Operations = { ...submissions, ...results, ...webhooks, ...uploads, ...others };

/**
 * Operations that may read more than the ratio allows, with the reason. `pagesMax` is then the limit; without it, the
 * cost grows with the data that is asked for, and the reason says how the statements are bounded.
 */
type Exception = { pagesMax?: number; reason: string };

const onePage =
  'reads a table that is one page in the small database, and that has an index of two or three levels in the large one';
const deeper = 'finds or writes rows by indexes that have one level less in the small database';

export const exceptions: Record<string, Exception> = {
  'listSubmissions: by profile and verdict': {
    reason: 'reads the submissions of the profile, newest first, until enough have the verdict',
  },
  'listSubmissions: by reference and verdict': {
    reason: 'reads the submissions of the reference, newest first, until enough have the verdict',
  },
  sumCreditsByMonth: {
    reason: 'reads the ledger of a workspace in pages of 10,000 entries; only an administrator calls it',
  },
  selectWorkspaces: {
    pagesMax: 200,
    reason: 'reads every workspace, of which both databases have as many; only an administrator calls it',
  },
  countOwned: {
    reason: 'counts at most 100,000 submissions of a workspace; only an administrator calls it',
  },
  readUsage: {
    pagesMax: 40,
    reason: 'reads the counters of one workspace, whose pages have free space after many updates',
  },
  'listDeliveries: succeeded, none is that new': {
    pagesMax: 1000,
    reason:
      'reads the index entries of the asked kinds of one subscription in one month: PostgreSQL starts at the newest, and does not end at the oldest that was asked for',
  },
  deleteIdempotencyKeys: {
    pagesMax: 250,
    reason: 'deletes 100 rows by their place; the small database reads its five pages at once instead',
  },
  removeExaminationRows: { pagesMax: 6, reason: onePage },
  findDecisions: { pagesMax: 8, reason: onePage },
  findNewestDecisions: { pagesMax: 8, reason: onePage },
  findStill: { pagesMax: 6, reason: onePage },
  findPoster: { pagesMax: 6, reason: onePage },
  findMeasurements: { pagesMax: 6, reason: onePage },
  deleteEventsBefore: { pagesMax: 2500, reason: deeper },
  insertIssues: { pagesMax: 15, reason: deeper },
  chargeAsset: { pagesMax: 15, reason: deeper },
  replaceEvidence: { pagesMax: 100, reason: deeper },
};
