import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '../media/samples.ts';
import type { Client } from './client.ts';

/** Uploads a small text file and returns its blob path. */
export async function uploadText(client: Client, filename = 'note.txt', text = 'hello'): Promise<string> {
  const { status, body } = await client.uploadFile(filename, text);
  if (status !== 201) throw new Error(`the upload was answered with ${status}`);
  return body.blobPath;
}

export type SubmissionIds = {
  submissionId: string;
  workflowId: string;
  assets: { assetId: string; versionGroupId: string; versionNumber: number }[];
};

/** Submits these assets, each given as a blob path or as an object of the request. */
export async function submit(
  client: Client,
  assets: (string | { blobPath: string; previousSubmissionId?: string })[],
  rest: { sidekickIds?: string[]; metadata?: object } = {},
  query = '',
): Promise<SubmissionIds> {
  const json = { assets: assets.map((asset) => (typeof asset === 'string' ? { blobPath: asset } : asset)), ...rest };
  const { status, body } = await client.post(`/submissions${query}`, json);
  if (status !== 201) throw new Error(`the submission was answered with ${status} ${JSON.stringify(body)}`);
  return body;
}

/**
 * Submits files and cancels the submission at once, which results in failed assets that can be retried. If a worker
 * runs, a simulated run needs a delay in `query`; otherwise it may be complete before it is cancelled.
 */
export async function submitAndCancel(client: Client, assetCount = 1, query = ''): Promise<SubmissionIds> {
  const blobPaths = await Promise.all(Array.from({ length: assetCount }, () => uploadText(client)));
  const created = await submit(client, blobPaths, {}, query);
  const { status } = await client.post(`/submissions/${created.submissionId}/cancel`);
  if (status !== 202) throw new Error(`the cancellation was answered with ${status}`);
  return created;
}

/** The ids and the version number of a created asset, which are the same in every later response. */
export function versionOf({ assetId, versionGroupId, versionNumber }: SubmissionIds['assets'][number]) {
  return { assetId, versionGroupId, versionNumber };
}

export function assetPath({ submissionId, assets }: SubmissionIds, i = 0): string {
  return `/submissions/${submissionId}/assets/${assets[i]?.assetId}`;
}

/** Polls like a caller until the submission is finished, and returns it. */
export async function untilFinished(client: Client, submissionId: string, secondsMax = 90) {
  const deadline = Date.now() + secondsMax * 1000;
  // The pauses grow, because frequent polls of many tests would delay the work that they wait for.
  for (let pauseMillis = 30; Date.now() < deadline; pauseMillis = Math.min(250, pauseMillis * 1.3)) {
    const { body } = await client.get(`/submissions/${submissionId}`);
    if (body.status === 'complete' || body.status === 'failed') return body;
    await sleep(pauseMillis);
  }
  throw new Error(`${submissionId} is not finished after ${secondsMax} s`);
}

/** Catalogue entries with which a PDF runs a script when it is opened, which results in two issues. */
export const scriptEntries = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';

/** Uploads a PDF whose catalogue has these entries, and returns its blob path. */
export async function uploadPdf(client: Client, entries = scriptEntries): Promise<string> {
  return (await client.uploadFile('leaflet.pdf', makePdf(entries))).body.blobPath;
}
