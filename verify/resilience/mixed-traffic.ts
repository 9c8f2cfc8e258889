import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@assay/testing/service/client.ts';
import { assetPath, type SubmissionIds, submit } from '@assay/testing/service/submissions.ts';

type AnsweredRequest = { status: number };

/**
 * A kind of request: its normal statuses, and a function that sends it, or returns undefined if there is nothing to
 * request.
 */
type RequestKind = { expected: number[]; send(): Promise<AnsweredRequest> | undefined };

export type SeenResponse = { kind: string; status: number; millis: number };

type TrafficCaller = {
  client: Client;
  /** Client with the sandbox key of the same workspace, which can delay a submission. */
  sandbox: Client;
  known: SubmissionIds;
  blobPath: string;
  /** The URL of each process's readiness check. */
  readyUrls: Record<string, string>;
};

const pauseMillis = 200;
const delaySeconds = 8;
/** A request without a response after this time counts as unanswered, with status 0. */
const patienceMillis = 30_000;

/** Creates a caller that repeats every kind of request, with one request of each kind at a time. */
export function createMixedTraffic({ client, sandbox, known, blobPath, readyUrls }: TrafficCaller) {
  const toCancel: SubmissionIds[] = [];
  const toRetry: SubmissionIds[] = [];
  const toDelete: SubmissionIds[] = [];
  const turns = { created: 0, cancelled: 0 };

  /**
   * Sends the request for a waiting submission. After a 5xx it is unknown whether it took effect, so the submission
   * waits again.
   */
  const takeFrom = (
    waiting: SubmissionIds[],
    send: (one: SubmissionIds) => Promise<AnsweredRequest>,
    onSuccess?: (one: SubmissionIds) => void,
  ) => {
    const one = waiting.shift();
    return (
      one &&
      send(one).then((response) => {
        if (response.status >= 500) waiting.push(one);
        if (response.status < 300) onSuccess?.(one);
        return response;
      })
    );
  };

  const create = async () => {
    const response = await client.post('/submissions', { assets: [{ blobPath }] });
    if (response.status === 201 && turns.created++ % 2 === 0) toCancel.push(response.body);
    return response;
  };
  const cancel = ({ submissionId }: SubmissionIds) => client.post(`/submissions/${submissionId}/cancel`);
  const retry = (one: SubmissionIds) => client.post(`${assetPath(one)}/retry`);
  const remove = ({ submissionId }: SubmissionIds) => client.delete(`/submissions/${submissionId}`);
  const newUrl = () => client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });

  const kinds: Record<string, RequestKind> = {
    'GET /me': { expected: [200], send: () => client.get('/me') },
    'GET /submissions': { expected: [200], send: () => client.get('/submissions?limit=5') },
    'GET /submissions/{id}': { expected: [200], send: () => client.get(`/submissions/${known.submissionId}`) },
    'POST /uploads/url': { expected: [200], send: newUrl },
    'POST /uploads/direct': { expected: [201], send: () => client.uploadFile('a.txt', 'hello') },
    'POST /submissions': { expected: [201], send: create },
    'POST …/cancel': {
      expected: [202, 409], // the submission may be finished already
      send: () => takeFrom(toCancel, cancel, (one) => (turns.cancelled++ % 2 === 0 ? toRetry : toDelete).push(one)),
    },
    'POST …/retry': { expected: [202, 409], send: () => takeFrom(toRetry, retry) },
    'DELETE /submissions/{id}': { expected: [204, 404], send: () => takeFrom(toDelete, remove) },
  };
  for (const [name, url] of Object.entries(readyUrls)) {
    kinds[name] = { expected: [200, 503], send: () => fetch(`${url}/readyz`) };
  }

  async function sendOnce(kind: string, send: RequestKind['send'], seen: SeenResponse[]): Promise<void> {
    const begin = performance.now();
    const response = send();
    if (!response) return;
    const { status } = await Promise.race([response, sleep(patienceMillis, { status: 0 }, { ref: false })]);
    seen.push({ kind, status, millis: Math.round(performance.now() - begin) });
  }

  return {
    expectedOf: (kind: string) => kinds[kind]?.expected ?? [],
    /** Prepares submissions to cancel, retry and delete, for times when none can be created. */
    async stock(): Promise<void> {
      for (const waiting of [toCancel, toCancel, toRetry, toRetry, toDelete, toDelete]) {
        const created = await submit(sandbox, [blobPath], {}, `?simulationDelaySeconds=${delaySeconds}`);
        if (waiting === toCancel || (await cancel(created)).status === 202) waiting.push(created);
      }
    },
    /** Sends requests until then; returns all responses. */
    async flow(until: number): Promise<SeenResponse[]> {
      const seen: SeenResponse[] = [];
      const sendAgain = async ([kind, { send }]: [string, RequestKind]) => {
        for (; Date.now() < until; await sleep(pauseMillis)) await sendOnce(kind, send, seen);
      };
      await Promise.all(Object.entries(kinds).map(sendAgain));
      return seen;
    },
  };
}

/** One line per kind of request: the count of each status, and the longest duration. */
export function formatSeen(seen: SeenResponse[]): string {
  const lines = Object.entries(Object.groupBy(seen, ({ kind }) => kind)).map(([kind, some = []]) => {
    const statuses = Object.entries(Object.groupBy(some, ({ status }) => status));
    const counts = statuses.map(([status, { length } = []]) => `${length} × ${status}`).join(', ');
    return `  ${kind}: ${counts}; at most ${Math.max(...some.map(({ millis }) => millis))} ms`;
  });
  return lines.sort().join('\n');
}
