import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { assetPath, type Created, submit } from './submissions.ts';

type Answered = { status: number };

/** How a kind of request is asked, and what it is answered when all is well; undefined when there is nothing to ask for. */
type Kind = { expected: number[]; ask(): Promise<Answered> | undefined };

export type Seen = { kind: string; status: number; millis: number };

type Caller = {
  client: Client;
  /** Of the same workspace, with a key of the sandbox: there a submission can be made to last. */
  rehearser: Client;
  known: Created;
  blobPath: string;
  /** What is asked for its readiness → where. */
  readyUrls: Record<string, string>;
};

const pauseMillis = 200;
const delaySeconds = 8;
/** What has no answer by then counts as never answered, with status 0. */
const patienceMillis = 30_000;

/** A caller who does a little of everything: each kind of request again and again, one of a kind at a time. */
export function createTrickle({ client, rehearser, known, blobPath, readyUrls }: Caller) {
  const toCancel: Created[] = [];
  const toRetry: Created[] = [];
  const toDelete: Created[] = [];
  const turns = { created: 0, cancelled: 0 };

  /** Takes one of those that wait. What was answered with 5xx may be done or not, and is asked again. */
  const takeFrom = (
    waiting: Created[],
    ask: (one: Created) => Promise<Answered>,
    onSuccess?: (one: Created) => void,
  ) => {
    const one = waiting.shift();
    return (
      one &&
      ask(one).then((answer) => {
        if (answer.status >= 500) waiting.push(one);
        if (answer.status < 300) onSuccess?.(one);
        return answer;
      })
    );
  };

  const create = async () => {
    const answer = await client.post('/submissions', { assets: [{ blobPath }] });
    if (answer.status === 201 && turns.created++ % 2 === 0) toCancel.push(answer.body);
    return answer;
  };
  const cancel = ({ submissionId }: Created) => client.post(`/submissions/${submissionId}/cancel`);
  const retry = (one: Created) => client.post(`${assetPath(one)}/retry`);
  const remove = ({ submissionId }: Created) => client.delete(`/submissions/${submissionId}`);
  const newUrl = () => client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });

  const kinds: Record<string, Kind> = {
    'GET /me': { expected: [200], ask: () => client.get('/me') },
    'GET /submissions': { expected: [200], ask: () => client.get('/submissions?limit=5') },
    'GET /submissions/{id}': { expected: [200], ask: () => client.get(`/submissions/${known.submissionId}`) },
    'POST /uploads/url': { expected: [200], ask: newUrl },
    'POST /uploads/direct': { expected: [201], ask: () => client.uploadFile('a.txt', 'hello') },
    'POST /submissions': { expected: [201], ask: create },
    'POST …/cancel': {
      expected: [202, 409], // it may be over already
      ask: () => takeFrom(toCancel, cancel, (one) => (turns.cancelled++ % 2 === 0 ? toRetry : toDelete).push(one)),
    },
    'POST …/retry': { expected: [202, 409], ask: () => takeFrom(toRetry, retry) },
    'DELETE /submissions/{id}': { expected: [204, 404], ask: () => takeFrom(toDelete, remove) },
  };
  for (const [name, url] of Object.entries(readyUrls)) {
    kinds[name] = { expected: [200, 503], ask: () => fetch(`${url}/readyz`) };
  }

  async function askOnce(kind: string, ask: Kind['ask'], seen: Seen[]): Promise<void> {
    const begin = performance.now();
    const answered = ask();
    if (!answered) return;
    const { status } = await Promise.race([answered, sleep(patienceMillis, { status: 0 }, { ref: false })]);
    seen.push({ kind, status, millis: Math.round(performance.now() - begin) });
  }

  return {
    expectedOf: (kind: string) => kinds[kind]?.expected ?? [],
    /** Something to cancel, to retry and to delete, also when nothing can be created. */
    async stock(): Promise<void> {
      for (const waiting of [toCancel, toCancel, toRetry, toRetry, toDelete, toDelete]) {
        const created = await submit(rehearser, [blobPath], {}, `?simulationDelaySeconds=${delaySeconds}`);
        if (waiting === toCancel || (await cancel(created)).status === 202) waiting.push(created);
      }
    },
    /** Every answer until then. */
    async flow(until: number): Promise<Seen[]> {
      const seen: Seen[] = [];
      const askAgain = async ([kind, { ask }]: [string, Kind]) => {
        for (; Date.now() < until; await sleep(pauseMillis)) await askOnce(kind, ask, seen);
      };
      await Promise.all(Object.entries(kinds).map(askAgain));
      return seen;
    },
  };
}

/** A line per kind: how many of which status, and the longest. */
export function formatSeen(seen: Seen[]): string {
  const lines = Object.entries(Object.groupBy(seen, ({ kind }) => kind)).map(([kind, some = []]) => {
    const statuses = Object.entries(Object.groupBy(some, ({ status }) => status));
    const counts = statuses.map(([status, { length } = []]) => `${length} × ${status}`).join(', ');
    return `  ${kind}: ${counts}; at most ${Math.max(...some.map(({ millis }) => millis))} ms`;
  });
  return lines.sort().join('\n');
}
