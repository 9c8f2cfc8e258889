import { Agent, request } from 'node:http';

export type Tally = { byStatus: Record<number, number>; allowedAt: number[] };

/** Sends GET /me, `concurrency` at a time to each address, until `count` requests are sent or `until` is reached. */
export async function sendLoad(
  urls: string[],
  key: string,
  { count = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY, concurrency = 16, pauseMillis = 0 },
): Promise<Tally[]> {
  let left = count;
  const runOne = async (url: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
    const tally: Tally = { byStatus: {}, allowedAt: [] };
    const worker = async () => {
      while (left-- > 0 && Date.now() < until) {
        const status = await sendRequest(`${url}/api/integrations/me`, key, agent);
        tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
        if (status === 200) tally.allowedAt.push(Date.now());
        if (pauseMillis > 0) await new Promise((resolve) => setTimeout(resolve, pauseMillis));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    agent.destroy();
    return tally;
  };
  return Promise.all(urls.map(runOne));
}

// Uses node:http, because fetch would be the bottleneck. Forbidden headers are therefore checked here.
function sendRequest(url: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      const forbidden = Object.keys(response.headers).find((name) => name.startsWith('x-ratelimit'));
      if (forbidden) reject(new Error(`a response has the header ${forbidden}`));
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

export function countByStatus(tallies: Tally[], status: number): number {
  return tallies.reduce((total, tally) => total + (tally.byStatus[status] ?? 0), 0);
}
