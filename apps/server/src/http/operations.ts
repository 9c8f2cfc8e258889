import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../handles/metrics.ts';
import { sharedFor } from '../handles/shared-for.ts';

/** For what operators ask, apart from what callers do. */
export function createOperationsServer(): FastifyInstance {
  return Fastify({ requestTimeout: 10_000, http: { requestTimeout: 10_000, headersTimeout: 10_000 } });
}

/** Name of a part → a question that it answers when it is well, or that the operator wants to do without it. */
export type Questions = Record<string, { ask: () => Promise<unknown>; isRequired: boolean } | 'off'>;

export type Readiness = { isStopping: boolean };

const askedEveryMillis = 1000;

/** /healthz: the process lives. /readyz: it can serve, and which part it lacks if not. Neither takes a key. */
export function serveHealth(server: FastifyInstance, questions: Questions, readiness: Readiness): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  const askAll = sharedFor(askedEveryMillis, () => Promise.all(Object.entries(questions).map(askOne)));
  server.get('/readyz', async (_request, reply) => {
    const answers = await askAll();
    const isReady = !readiness.isStopping && answers.every(({ state, isRequired }) => state === 'up' || !isRequired);
    const parts = Object.fromEntries(answers.map(({ part, state }) => [part, state]));
    const status = readiness.isStopping ? 'stopping' : isReady ? 'ready' : 'not ready';
    return reply.code(isReady ? 200 : 503).send({ status, parts });
  });
}

export function serveMetrics(server: FastifyInstance, { registry }: Metrics): void {
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

async function askOne([part, question]: [string, Questions[string]]) {
  if (question === 'off') return { part, state: 'off', isRequired: false };
  const state = await within(2500, question.ask()).then(
    () => 'up',
    () => 'down',
  );
  return { part, state, isRequired: question.isRequired };
}

async function within<T>(millis: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${millis} ms`)), millis);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
