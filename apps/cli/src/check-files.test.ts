import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  test('is an error with its ids if no file has a result, and is in the reports', async () => {
    const assay = openAssay(apiWithoutWorker.url, liveKey);
    const names = writeNotes(assay.folder, 1);
    const reports = ['--junit', 'out.xml', '--csv', 'out.csv', '--html', 'out.html'];
    const { code, stdout } = await assay.run(['check', ...names, '--timeout', '1', '--json', ...reports]);
    expect(code).toBe(6);
    const { error, assets } = JSON.parse(stdout);
    expect(assets).toMatchObject([{ file: 'note-00.txt', result: null, error: { exitCode: 6 } }]);
    expect(readFileSync(join(assay.folder, 'out.xml'), 'utf8')).toContain('<error ');
    expect(readFileSync(join(assay.folder, 'out.csv'), 'utf8')).toContain('\r\nnote-00.txt,,no_result,');
    expect(readFileSync(join(assay.folder, 'out.html'), 'utf8')).toContain('<h1>No result</h1>');
    expect(error.submissionIds).toHaveLength(1);
    expect(error.next).toContain(`assay submissions get ${error.submissionIds[0]}`);
  });
});

describe('a folder', () => {
  const assay = openAssay(api.url, liveKey);
  mkdirSync(join(assay.folder, 'media', 'texts'), { recursive: true });
  for (const name of ['a.txt', 'texts/b.txt', 'README.md', '.DS_Store', 'old.zip']) {
    writeFileSync(join(assay.folder, 'media', name), 'This is a text.');
  }

  test('is checked with one command, and what it contains besides does not change the exit code', async () => {
    const { code, stdout } = await assay.run(['check', 'media']);
    expect(code).toBe(0);
    expect(stdout).toContain('media/a.txt  no issues');
    expect(stdout).toContain('media/texts/b.txt  no issues');
    expect(stdout).toContain('Skipped: 2 not supported (media/README.md, media/old.zip), 1 hidden (media/.DS_Store).');
    expect(stdout).toContain('✓ 2 files analysed, no issues. Passed');
  });

  test('with files that are named and rejected is still checked, every report names them, and issues writes the same table', async () => {
    const reports = ['--junit', 'out.xml', '--csv', 'out.csv', '--html', 'out.html', '--json'];
    const { code, stdout } = await assay.run(['check', 'media/README.md', 'gone.mp4', 'media', ...reports]);
    expect(code).toBe(5);
    const { assets, skipped, verdict, submissions } = JSON.parse(stdout);
    expect(assets).toMatchObject([
      { file: 'media/README.md', error: { exitCode: 5, code: 'type_not_supported' } },
      { file: 'gone.mp4', error: { exitCode: 5, code: 'file_not_found' } },
      { file: 'media/a.txt', verdict: 'passed' },
      { file: 'media/texts/b.txt', verdict: 'passed' },
    ]);
    expect(skipped).toHaveLength(2);
    expect(verdict).toMatchObject({ exitCode: 5, refusedCount: 2, analysedCount: 2 });
    const reportOf = (name: string) => readFileSync(join(assay.folder, name), 'utf8');
    expect(readXml(reportOf('out.xml')).attributes).toMatchObject({ errors: '2', failures: '0' });
    for (const name of ['out.xml', 'out.csv']) {
      expect(reportOf(name)).toContain('media/README.md');
      expect(reportOf(name)).toContain('File not found.');
    }
    expect(reportOf('out.html')).toContain('4 files: 2 checked, 2 rejected');

    const again = await assay.run(['issues', submissions[0].submissionId, '--csv', 'issues.csv']);
    expect(again.stderr).toContain('Wrote issues.csv');
    expect(reportOf('issues.csv')).toMatch(/\r\na\.txt,passed,complete,.*\r\nb\.txt,passed,complete,/);
  });

  test('without any supported file is not a success, and the reports are written', async () => {
    mkdirSync(join(assay.folder, 'none'), { recursive: true });
    writeFileSync(join(assay.folder, 'none', 'README.md'), 'Nothing here.');
    const { code, stdout } = await assay.run(['check', 'none', '--junit', 'none.xml', '--csv', 'none.csv']);
    expect(code).toBe(5);
    expect(stdout).toContain('No supported file in this folder.');
    expect(stdout).toContain('Skipped: 1 not supported (none/README.md).');
    expect(readXml(readFileSync(join(assay.folder, 'none.xml'), 'utf8')).attributes).toMatchObject({ errors: '1' });
    expect(readFileSync(join(assay.folder, 'none.csv'), 'utf8')).toContain('\r\nnone,,rejected,');
  });

  test('is submitted with a reference and metadata, which the submission returns', async () => {
    const given = ['--client-reference', 'order 17', '--metadata', 'campaign=spring', '--metadata', '{"number": 1}'];
    const { code, stdout, stderr } = await assay.run([
      'submit',
      'media',
      'gone.mp4',
      '--profile',
      'Streaming',
      ...given,
    ]);
    expect(code).toBe(5);
    expect(stderr).toContain('gone.mp4 was rejected: File not found.');
    expect(stderr).toContain('Skipped: 2 not supported');
    const { body } = await api.client(liveKey).get(`/submissions/${stdout.trim()}`);
    expect(body.assets).toHaveLength(2);
    expect(body.metadata).toEqual({
      assay: { profile: 'streaming' },
      clientReference: 'order 17',
      campaign: 'spring',
      number: 1,
    });
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
