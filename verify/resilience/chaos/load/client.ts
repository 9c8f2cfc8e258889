import { setTimeout as sleep } from 'node:timers/promises';
import { digestIssues } from '../check/digest-issues.ts';
import type { AssetSeen, ClientRequest, Create, History, Mode, Read } from '../check/history.ts';
import type { RealFile } from './files.ts';
import { isUndecided, type Outcome, putFile, type RequestOptions, sendRequest } from './send-request.ts';

export type Address = {
  /** The base URL of the next request: alternates between the APIs like a load balancer. */
  nextUrl(): string;
  keys: Record<Mode, string>;
  history: History;
};
export type Created = { submissionId: string; assetIds: string[] };

const pauseMillisMin = 200;
const pauseMillisMax = 5000;

/** Repeats the request until it has a definite outcome or the run is over. */
export async function untilDecided(send: () => Promise<Outcome>, over: AbortSignal): Promise<Outcome | undefined> {
  for (let pauseMillis = pauseMillisMin; ; pauseMillis = Math.min(pauseMillis * 1.6, pauseMillisMax)) {
    const outcome = await send();
    if (!isUndecided(outcome)) return outcome;
    if (over.aborted) return undefined;
    await sleep(pauseMillis);
  }
}

export type Client = ReturnType<typeof openClient>;

/** One caller with one submission: sends one request after the other and records everything. */
export function openClient({ nextUrl, keys, history }: Address, client: number, mode: Mode) {
  let created: Created | undefined;
  /** The file names of the assets whose issues were read, by position in the submission. */
  const withIssues = new Map<number, string>();
  let lastRead: { text: string; sameCount: number } | undefined;

  const timed = async (work: () => Promise<Outcome>) => {
    const atMillis = history.nowMillis();
    const outcome = await work();
    const { status, code, breach } = outcome;
    const millis = history.nowMillis() - atMillis;
    return { outcome, asked: { atMillis, millis, client, status, ...(code && { code }), ...(breach && { breach }) } };
  };
  const call = (options: Omit<RequestOptions, 'apiKey'>) =>
    timed(() => sendRequest(nextUrl(), { ...options, apiKey: keys[mode] }));
  const record = (event: ClientRequest): void => history.record(event);
  const path = () => `/submissions/${created?.submissionId}`;

  return {
    number: client,
    mode,
    created: () => created,
    withIssues,

    async uploadDirect({ filename, contentType, bytes }: RealFile) {
      const form = new FormData();
      form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], filename, { type: contentType }));
      const { outcome, asked } = await call({ method: 'POST', path: '/uploads/direct', form });
      record({ ...asked, op: 'upload' });
      return outcome;
    },

    async sign({ filename, contentType }: RealFile) {
      const json = { filename, contentType };
      const { outcome, asked } = await call({ method: 'POST', path: '/uploads/url', json });
      record({ ...asked, op: 'sign' });
      return outcome;
    },

    async put(uploadUrl: string, { bytes, contentType }: RealFile) {
      const { outcome, asked } = await timed(() => putFile(uploadUrl, bytes, contentType));
      record({ ...asked, op: 'put' });
      return outcome;
    },

    /** Puts the client's number in the metadata, so that the database shows which client each submission belongs to. */
    async create(blobPaths: string[], delaySeconds: number, isDeadly = false) {
      const json = { assets: blobPaths.map((blobPath) => ({ blobPath })), metadata: { client } };
      const query = delaySeconds > 0 ? `?simulationDelaySeconds=${delaySeconds}` : '';
      const key = `chaos-${client}`;
      const { outcome, asked } = await call({ method: 'POST', path: `/submissions${query}`, json, key });
      const event: Create = { ...asked, op: 'create', mode, ...(isDeadly && { isDeadly }) };
      if (outcome.status === 201) {
        const { submissionId, assets } = outcome.body as { submissionId: string; assets: { assetId: string }[] };
        created = { submissionId, assetIds: assets.map(({ assetId }) => assetId) };
        Object.assign(event, created);
      }
      record(event);
      return outcome;
    },

    async read() {
      const { outcome, asked } = await call({ method: 'GET', path: path() });
      const seen = outcome.status === 200 ? { seen: seenIn(outcome.body, created as Created) } : {};
      const text = JSON.stringify({ ...seen, status: asked.status, code: asked.code, breach: asked.breach });
      if (lastRead?.text === text) {
        lastRead.sameCount++;
      } else {
        const sameBefore = lastRead?.sameCount ? { sameBefore: lastRead.sameCount } : {};
        const event: Read = { ...asked, op: 'read', ...seen, ...sameBefore };
        record(event);
        lastRead = { text, sameCount: 0 };
      }
      return outcome;
    },

    async readIssues(place: number, filename: string) {
      withIssues.set(place, filename);
      const options = { method: 'GET', path: `${path()}/assets/${created?.assetIds[place]}/issues` };
      const { outcome, asked } = await call(options);
      record({ ...asked, op: 'issues', place, filename, ...(outcome.status === 200 && digestIssues(outcome.body)) });
      return outcome;
    },

    async cancel() {
      const { outcome, asked } = await call({ method: 'POST', path: `${path()}/cancel` });
      record({ ...asked, op: 'cancel' });
      return outcome;
    },

    async retry(place: number, attempt: number) {
      const options = { method: 'POST', path: `${path()}/assets/${created?.assetIds[place]}/retry` };
      const { outcome, asked } = await call({ ...options, key: `chaos-${client}-${place}-${attempt}` });
      record({ ...asked, op: 'retry', place });
      return outcome;
    },

    async remove() {
      const { outcome, asked } = await call({ method: 'DELETE', path: path() });
      record({ ...asked, op: 'delete' });
      return outcome;
    },

    giveUp: (what: string) => history.record({ atMillis: history.nowMillis(), op: 'give up', client, what }),
  };
}

function seenIn(body: Outcome['body'], { assetIds }: Created) {
  const { status, progressPercent, assets } = body;
  return {
    status,
    progressPercent,
    assets: assets.map((asset: Record<string, unknown>): AssetSeen => {
      const place = assetIds.indexOf(asset.assetId as string);
      const outcome = outcomeOf(asset);
      return {
        place: place === -1 ? (asset.assetId as string) : place,
        status: asset.status as string,
        attempt: (asset.retryCount as number) + 1,
        progressPercent: asset.progressPercent as number,
        ...(outcome && { outcome }),
      };
    }),
  };
}

function outcomeOf({ status, issueCount, errorType }: Record<string, unknown>): string | undefined {
  if (status === 'complete') return `complete, ${issueCount === null ? 'no' : issueCount} issues`;
  return status === 'failed' ? `failed, ${errorType}` : undefined;
}
