import type { Operations } from './operation.ts';
import { others } from './others.ts';
import { results } from './results.ts';
import { submissions } from './submissions.ts';
import { uploads } from './uploads.ts';
import { webhooks } from './webhooks.ts';

export const operations: Operations = { ...submissions, ...results, ...webhooks, ...uploads, ...others };

/**
 * Operations whose cost grows with the data that they are asked for. Their statements are bounded in another way, which
 * is the text.
 */
export const proportional: Record<string, string> = {
  sumCreditsByMonth: 'reads the ledger of a workspace in pages of 10,000 entries; only an administrator calls it',
};
