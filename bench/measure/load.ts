import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type LoadRequest = {
  method: 'GET' | 'POST';
  url: string;
  apiKey?: string;
  ifNoneMatch?: string;
  body?: unknown;
};

export type Load = { requests: number; micros: number };

export type LoadSettings = { connections: number; seconds: number; signal: AbortSignal };

const script = join(import.meta.dirname, 'load.lua');
const run = promisify(execFile);

/** Sends one request repeatedly from a separate process; rejects unless every response is 2xx or 3xx. */
export async function sendLoad(request: LoadRequest, { connections, seconds, signal }: LoadSettings): Promise<Load> {
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--script', script, request.url], {
    signal,
    env: {
      PATH: process.env.PATH,
      LOAD_METHOD: request.method,
      ...(request.apiKey && { LOAD_API_KEY: request.apiKey }),
      ...(request.ifNoneMatch && { LOAD_IF_NONE_MATCH: request.ifNoneMatch }),
      ...(request.body !== undefined && { LOAD_BODY: JSON.stringify(request.body) }),
    },
  });
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`unexpected output of wrk: ${stdout}`);
  const { refused, broken, ...load } = JSON.parse(line) as Load & { refused: number; broken: number };
  const { requests } = load;
  const what = `${request.method} ${request.url}`;
  if (refused > 0) throw new Error(`${what}: ${refused} of ${requests} responses were neither 2xx nor 3xx`);
  if (broken > 0) throw new Error(`${what}: ${broken} requests failed or took over 2 s`);
  if (requests === 0) throw new Error(`${what}: no response`);
  return load;
}
