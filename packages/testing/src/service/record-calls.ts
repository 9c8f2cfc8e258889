import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type Statement = {
  text: string;
  values: string;
  /** The number of rows that the database returned. */
  rowCount: number;
  /** All statements of the same transaction, or only this one outside of a transaction. */
  transaction: Statement[];
};

/** What this process has sent to the service's dependencies, in order, except for calls of the engine's workers. */
export type Calls = {
  sql: Statement[];
  /** Names of the Redis commands. */
  redis: string[];
  /** Requests to object storage, with the sizes of their bodies. */
  storage: { method: string; sentBytes: number; receivedBytes: number }[];
  /** Names of the Temporal methods. */
  engine: string[];
};

const quietMillis = 40;

/** Records the calls of this process during `work` and after it, until no call is pending. `work` can read them. */
export async function recordCalls(work: (calls: Calls) => Promise<unknown>): Promise<Calls> {
  const calls: Calls = { sql: [], redis: [], storage: [], engine: [] };
  const progress = { begunCount: 0, endedCount: 0 };
  const begin = () => void progress.begunCount++;
  const end = () => void progress.endedCount++;
  const stops = [
    recordStatements(calls.sql, begin, end),
    recordCommands(calls.redis, begin, end),
    onChannel('http.client.request.start', begin),
    onChannel('http.client.request.error', end),
    onChannel('http.client.response.finish', (message) => {
      calls.storage.push(describeRequest(message as { request: ClientRequest; response: IncomingMessage }));
      end();
    }),
    onChannel('http2.client.stream.created', (message) => {
      const { headers } = message as { headers: Record<string, string> };
      calls.engine.push(headers[':path']?.split('/').at(-1) ?? '');
      begin();
    }),
    onChannel('http2.client.stream.close', end),
  ];
  try {
    await work(calls);
    for (let seenCount = -1; seenCount < progress.begunCount || progress.endedCount < progress.begunCount; ) {
      seenCount = progress.begunCount;
      await sleep(quietMillis);
    }
  } finally {
    for (const stop of stops) stop();
  }
  return calls;
}

/** All statements of transactions in which a statement has one of these ids among its values. */
export function statementsAbout(statements: Statement[], ids: string[]): Statement[] {
  return statements.filter(({ transaction }) =>
    transaction.some(({ values }) => ids.some((id) => values.includes(id))),
  );
}

function onChannel(name: string, take: (message: unknown) => void): () => void {
  subscribe(name, take);
  return () => void unsubscribe(name, take);
}

function describeRequest({ request, response }: { request: ClientRequest; response: IncomingMessage }) {
  const { method } = request;
  return {
    method,
    sentBytes: Number(request.getHeader('content-length') ?? 0),
    receivedBytes: method === 'HEAD' ? 0 : Number(response.headers['content-length'] ?? 0),
  };
}

function recordCommands(commands: string[], begin: () => void, end: () => void): () => void {
  const channel = tracingChannel<{ command: string }>('ioredis:command');
  const subscribers = {
    start: ({ command }: { command: string }) => {
      commands.push(command);
      begin();
    },
    asyncEnd: end,
    end: () => {},
    asyncStart: () => {},
    error: () => {},
  };
  channel.subscribe(subscribers);
  return () => void channel.unsubscribe(subscribers);
}

function recordStatements(statements: Statement[], begin: () => void, end: () => void): () => void {
  type Query = (this: pg.Client, ...args: unknown[]) => Promise<pg.QueryResult>;
  const send = pg.Client.prototype.query as unknown as Query;
  const transactions = new Map<pg.Client, Statement[]>();
  const record: Query = function query(this: pg.Client, ...args) {
    const [given, values] = args as [string | pg.QueryConfig, unknown[]?];
    const { text, values: ownValues } = typeof given === 'string' ? { text: given, values } : given;
    if (text === 'begin') transactions.set(this, []);
    const transaction = transactions.get(this) ?? [];
    if (text === 'commit' || text === 'rollback') transactions.delete(this);
    const statement = { text, values: String(ownValues), rowCount: 0, transaction };
    transaction.push(statement);
    statements.push(statement);
    begin();
    const answer = send.apply(this, args);
    answer
      .then(({ rows }) => {
        statement.rowCount = rows.length;
      })
      .catch(() => {})
      .finally(end);
    return answer;
  };
  pg.Client.prototype.query = record as unknown as typeof pg.Client.prototype.query;
  return () => {
    pg.Client.prototype.query = send as unknown as typeof pg.Client.prototype.query;
  };
}
