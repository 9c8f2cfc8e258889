import { Agent } from 'undici';
import { runBareWorker } from '../submissions/run-bare-worker.ts';

// The least work that a delivery takes: one POST, and nothing recorded.
const { RECEIVER, AT_ONCE } = process.env as Record<string, string>;
const agent = new Agent();
const body = JSON.stringify({ data: 'x'.repeat(500) });

async function post(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await agent.request({ origin: RECEIVER as string, path: '/bare', method: 'POST', headers, body });
  await response.body.dump();
}

await runBareWorker({ activities: { post }, maxConcurrentActivityTaskExecutions: Number(AT_ONCE) });
await agent.close();
