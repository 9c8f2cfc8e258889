import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { readXml } from '../test/read-xml.ts';
import { openAssay, waitUntil } from '../test/run-assay.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
await openTestWorker(api.config);
const apiWithoutWorker = await openTestApi(liftedLimits); // no submission ever finishes
const { liveKey } = await api.makeWorkspace();

/** A way to the service on which every submission with a single asset is lost. */
const proxy = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const body = await text(request);
  const isLost = method === 'POST' && url.endsWith('/submissions') && JSON.parse(body).assets.length === 1;
  if (isLost) return request.socket.destroy();
  const { host, connection, 'content-length': _, ...passed } = headers;
  const answer = await fetch(api.url + url, {
    method,
    headers: passed as Record<string, string>,
    ...(body && { body }),
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  response.writeHead(answer.status, { 'content-type': type });
  response.end(Buffer.from(await answer.arrayBuffer()));
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
afterAll(() => void proxy.close());
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

function writeNotes(folder: string, count: number): string[] {
  const names = Array.from({ length: count }, (_, i) => `note-${String(i).padStart(2, '0')}.txt`);
  for (const name of names) writeFileSync(join(folder, name), `This is ${name}.`);
  return names;
}

describe('a submission that fails among several', () => {
  test('does not discard the results of the others, nor their reports', async () => {
    const assay = openAssay(proxyUrl, liveKey);
    const names = writeNotes(assay.folder, 51);
    const reports = ['--junit', 'out.xml', '--html', 'report.html'];
    const { code, stdout, stderr } = await assay.run(['check', ...names, '--json', '--concurrency', '8', ...reports]);
    expect(code).toBe(6);
    const { assets, verdict, error } = JSON.parse(stdout);
    expect(assets.slice(0, 50).map((one: { verdict: string }) => one.verdict)).toEqual(Array(50).fill('passed'));
    expect(assets[50]).toMatchObject({ file: 'note-50.txt', result: null, verdict: null, error: { exitCode: 6 } });
    expect(verdict).toMatchObject({ outcome: 'unreachable', exitCode: 6, missingCount: 1, analysedCount: 50 });
    expect(error.message).toContain('1 file has no result.');
    expect(stderr).toContain('1 file has no result.');
    const suites = readXml(readFileSync(join(assay.folder, 'out.xml'), 'utf8'));
    expect(suites.attributes).toMatchObject({ errors: '1', failures: '0' });
    expect(readFileSync(join(assay.folder, 'report.html'), 'utf8')).toContain('<h1>Passed</h1>');
    expect(readFileSync(join(assay.folder, 'report-2.html'), 'utf8')).toContain('<h1>No result</h1>');
  });

  test('is an error with its ids if no file has a result', async () => {
    const assay = openAssay(apiWithoutWorker.url, liveKey);
    const names = writeNotes(assay.folder, 1);
    const { code, stdout } = await assay.run(['check', ...names, '--timeout', '1', '--json']);
    expect(code).toBe(6);
    const { error } = JSON.parse(stdout);
    expect(error.submissionIds).toHaveLength(1);
    expect(error.next).toContain(`assay submissions get ${error.submissionIds[0]}`);
  });
});

describe('SIGTERM, with which a cancelled pipeline ends its programs', () => {
  test('exits with 143 and prints that the analysis continues, with the ids', async () => {
    const assay = openAssay(apiWithoutWorker.url, liveKey);
    const names = writeNotes(assay.folder, 1);
    const waiting = assay.start(['check', ...names, '--json']);
    await waitUntil(() => waiting.printed.stderr.includes('Submitted'));
    waiting.child.kill('SIGTERM');
    const { code, stdout, stderr } = await waiting.ended;
    expect(code).toBe(143);
    const id = /Submitted: (\S+)/.exec(stderr)?.[1];
    expect(stderr).toContain('Terminated. The analysis continues.');
    expect(stderr).toContain(`View later: assay submissions get ${id}`);
    expect(JSON.parse(stdout).error).toMatchObject({ exitCode: 143, submissionIds: [id] });
  });
});
