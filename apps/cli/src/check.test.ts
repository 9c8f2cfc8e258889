import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePdf, sample, samplePath } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { readXml } from '../test/read-xml.ts';
import { openAssay, waitUntil } from '../test/run-assay.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,video,document' });
await openTestWorker(api.config);
const apiWithoutWorker = await openTestApi(liftedLimits); // no submission ever finishes
const workspace = await api.makeWorkspace();
const assay = openAssay(api.url, workspace.liveKey);
const script = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>';
const writeFileInFolder = (name: string, bytes: Uint8Array | string) => writeFileSync(join(assay.folder, name), bytes);
const readReport = (name: string) => readFileSync(join(assay.folder, name), 'utf8');
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const escapeCharacter = /\x1b/;

beforeAll(() => {
  writeFileInFolder('script.pdf', makePdf(script));
  writeFileInFolder('plain.pdf', makePdf());
  writeFileInFolder('note.txt', 'hello');
  const video = sample('clip.mp4');
  writeFileInFolder('half.mp4', video.subarray(0, video.length / 2));
  writeFileInFolder('no.mp4', sample('still.png'));
});

describe('assay check', () => {
  test('shows the issues and the checks that ran, and exits with 0 when --fail-on is none', async () => {
    const { code, stdout } = await assay.run(['check', 'script.pdf', 'plain.pdf', '--fail-on', 'none']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^script\.pdf {2}2 issues\n {2}# +SEVERITY +RULE +LOCATION +SUMMARY\n {2}#\d +MAJOR +SAFE-PDF-JAVASCRIPT +whole file +The PDF/m,
    );
    expect(stdout).toMatch(/^plain\.pdf {2}no issues\n$/m);
    expect(stdout.match(/Checks run:/g), 'the same checks once').toHaveLength(1);
    expect(stdout).toMatch(/^ {2}2 files:\n {2}Checks run: .*File safety.* \(profile: /m);
    expect(stdout).toContain('Not applicable: Captions, Delivery specification, Loudness');
    expect(stdout).toContain('2 files analysed, 2 issues (2 MAJOR).');
  });

  test.each([
    ['INFO', 3, 'Failed: 2 issues at INFO or above.'],
    ['MAJOR', 3, 'Failed: 2 issues at MAJOR or above.'],
    ['CRITICAL', 0, 'Passed: no issues at CRITICAL or above.'],
  ])('--fail-on %s with two MAJOR issues exits with %i', async (severity, expected, text) => {
    const { code, stdout } = await assay.run(['check', 'script.pdf', '--fail-on', severity]);
    expect(code).toBe(expected);
    expect(stdout).toContain(text);
  });

  test('uses the failOn of the delivery profile when --fail-on is not given', async () => {
    const failing = await assay.run(['check', 'script.pdf']);
    expect(failing.code).toBe(3);
    expect(failing.stdout).toContain('Failed: 2 issues at MAJOR or above, the gate of general.');
    const { code, stdout } = await assay.run(['check', 'plain.pdf', '--json']);
    expect(code).toBe(0);
    const { verdict, assets } = JSON.parse(stdout);
    expect(verdict).toMatchObject({ failOn: 'MAJOR', failOnProfile: 'general', verdict: 'passed' });
    expect(assets[0]).toMatchObject({ verdict: 'passed', result: { verdict: 'passed' } });
    const given = await assay.run(['check', 'script.pdf', '--fail-on', 'CRITICAL', '--json']);
    expect(JSON.parse(given.stdout).verdict).toMatchObject({ failOn: 'CRITICAL', failOnProfile: null, exitCode: 0 });
  });

  test('a new version is checked against the profile of the one before, and what a reviewer dismissed does not fail it', async () => {
    const first = JSON.parse((await assay.run(['check', 'script.pdf', '--profile', 'ebu-r128', '--json'])).stdout);
    const { submissionId } = first.submissions[0];
    const { assetId } = first.assets[0].result;
    for (const { id } of first.assets[0].issues) {
      const path = `/submissions/${submissionId}/assets/${assetId}/issues/${id}`;
      await api.client(workspace.liveKey).patch(path, { status: 'DISMISSED', note: 'It only greets.' });
    }
    const next = ['check', 'script.pdf', '--fail-on', 'INFO', '--previous', submissionId];
    const { code, stdout, stderr } = await assay.run([...next, '--html', 'waived.html']);
    expect(code).toBe(0);
    expect(stderr).toContain('Delivery profile: ebu-r128, as for the previous version.');
    expect(stdout).toContain('2 resolved or dismissed');
    expect(stdout).toContain('Passed with 2 waivers: no other issues at INFO or above.');
    const report = readReport('waived.html');
    expect(report).toContain('<h1>Passed with 2 waivers</h1>');
    expect(report).toMatch(/by API key [0-9a-f-]{36}, carried over from version 1/);
  });

  test('an unreadable video makes the command exit with 4, and with 3 if another file failed', async () => {
    const { code } = await assay.run(['check', 'plain.pdf', 'half.mp4']);
    expect(code).toBe(4);
    const { code: worse, stdout } = await assay.run(['check', 'script.pdf', 'half.mp4', '--fail-on', 'MAJOR']);
    expect(worse).toBe(3);
    expect(stdout).toMatch(/^half\.mp4 {2}failed\n {2}\S.*\(corrupt_media\)/m);
    expect(stdout).toContain('1 file analysed, 2 issues (2 MAJOR); 1 failed.');
  });

  test('a file whose content contradicts its extension causes exit code 5, and other files are still checked', async () => {
    const { code, stdout } = await assay.run(['check', 'no.mp4', 'script.pdf', '--json']);
    expect(code).toBe(5);
    const { assets, verdict, submissions } = JSON.parse(stdout);
    expect(assets[0]).toMatchObject({ file: 'no.mp4', result: null, error: { code: 'content_type_mismatch' } });
    expect(assets[1]).toMatchObject({ file: 'script.pdf', result: { issueCount: 2 } });
    expect(assets[1].issues).toHaveLength(2);
    expect(submissions).toHaveLength(1);
    expect(verdict).toMatchObject({ exitCode: 5, refusedCount: 1, analysedCount: 1, counts: { MAJOR: 2 } });
  });

  test.each([
    ['empty', 'empty.txt', Buffer.alloc(0), 'file_empty', 'empty.txt is empty.'],
    [
      'too large',
      'large.png',
      Buffer.concat([sample('still.png'), Buffer.alloc(50 * 1024 * 1024)]),
      'asset_too_large',
      'large.png is 50.1 MiB; an image can be up to 50 MiB.',
    ],
    [
      'of a different format than its extension',
      'Words.MP4',
      Buffer.from('These are words.'),
      'content_type_mismatch',
      'Words.MP4 is named .mp4, but its content is plain text.',
    ],
  ])('a file that is %s is rejected before it is uploaded, with exit code 5', async (_, name, bytes, code, message) => {
    writeFileInFolder(name, bytes);
    const ran = await assay.run(['check', name, 'plain.pdf', '--json']);
    expect(ran.code).toBe(5);
    const { assets } = JSON.parse(ran.stdout);
    expect(assets[0].error).toMatchObject({ exitCode: 5, code, message });
    expect(assets[0].error.status, 'the file was never sent').toBeUndefined();
    expect(assets[1].result.issueCount).toBe(0);
  });

  test('a large file with the wrong content is rejected on submission, and the other files are accepted', async () => {
    // A file larger than 1 MiB is uploaded to storage, and its content is checked only on submission.
    writeFileInFolder('large.mp4', Buffer.alloc(2_000_000));
    const { code, stdout } = await assay.run(['check', 'large.mp4', 'plain.pdf', '--json']);
    expect(code).toBe(5);
    const { assets } = JSON.parse(stdout);
    expect(assets[0].error).toMatchObject({ code: 'content_type_mismatch', status: 415 });
    expect(assets[1].result.issueCount).toBe(0);
  });

  test('51 files are split into two submissions and reported in their original order', async () => {
    const names = Array.from({ length: 51 }, (_, i) => `note-${String(i).padStart(2, '0')}.txt`);
    for (const name of names) writeFileInFolder(name, `This is ${name}.`);
    const { code, stdout, stderr } = await assay.run(['check', ...names, '--json', '--concurrency', '8']);
    expect(code).toBe(0);
    expect(stderr).not.toContain('Warning');
    const { submissions, assets } = JSON.parse(stdout);
    expect(submissions.map((one: { assets: unknown[] }) => one.assets.length)).toEqual([50, 1]);
    expect(assets.map((one: { file: string; result: { filename: string } }) => one.result.filename)).toEqual(names);
  });

  test('--junit writes well-formed XML with a suite per file, a case per check, failures and errors', async () => {
    writeFileInFolder('a & "b" <c>.pdf', makePdf(script));
    const args = ['check', 'a & "b" <c>.pdf', 'half.mp4', 'plain.pdf', '--junit', 'out.xml', '--fail-on', 'MAJOR'];
    expect((await assay.run(args)).code).toBe(3);
    const suites = readXml(readReport('out.xml'));
    expect(suites).toMatchObject({ name: 'testsuites', attributes: { failures: '1', errors: '1' } });
    expect(suites.children.map(({ attributes }) => attributes.name)).toEqual([
      'a & "b" <c>.pdf',
      'half.mp4',
      'plain.pdf',
    ]);
    const [bad, broken, good] = suites.children;
    const failing = bad?.children.filter(({ children }) => children.some(({ name }) => name === 'failure'));
    expect(failing?.map(({ attributes }) => attributes.name)).toEqual([expect.stringMatching(/^File safety /)]);
    const casesOf = (suite: typeof bad) => suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(casesOf(bad).length).toBeGreaterThan(1);
    expect(casesOf(broken)[0]?.children[0]).toMatchObject({ name: 'error', attributes: { type: 'corrupt_media' } });
    const outcomes = casesOf(good).map(({ attributes, children }) => [attributes.name, children[0]?.name]);
    expect(outcomes).toContainEqual([expect.stringMatching(/^File safety /), undefined]);
    expect(outcomes).toContainEqual([expect.stringMatching(/^Loudness /), 'skipped']);
  });

  test('--html writes a report that includes the rejected and failed files', async () => {
    const files = [samplePath('clip.mp4'), 'script.pdf', 'no.mp4', 'half.mp4'];
    const { code, stderr } = await assay.run(['check', ...files, '--html', 'report.html']);
    expect(code).toBe(5);
    expect(stderr).toContain('Wrote report.html');
    const report = readReport('report.html');
    expect(report).toMatch(/^<!doctype html>/i);
    expect(report).toContain('SAFE-PDF-JAVASCRIPT');
    expect(report).toContain('4 files: 2 checked, 1 failed, 1 rejected');
    expect(report).toContain('no.<wbr>mp4');
    expect(report).toContain('but its content is');
    expect(report, 'the folder of the sender').not.toContain(dirname(samplePath('clip.mp4')));
    const sha256 = createHash('sha256').update(makePdf(script)).digest('hex');
    expect(report).toContain(`<code>${sha256}</code>`);
    expect(report).toMatch(/general, revision \d+/);
    expect(report).toContain(`${api.url}, version ${manifest.version}`);
  });

  test('--html and --junit write a report even if every file was rejected', async () => {
    const { code } = await assay.run(['check', 'no.mp4', '--html', 'rejected.html', '--junit', 'rejected.xml']);
    expect(code).toBe(5);
    expect(readReport('rejected.html')).toContain('<h1>Rejected</h1>');
    expect(readXml(readReport('rejected.xml')).attributes).toMatchObject({ tests: '1', errors: '1' });
  });

  test('--profile is sent to the service in the metadata of the submission', async () => {
    const { stdout } = await assay.run(['check', 'note.txt', '--profile', 'atsc-a85', '--json']);
    expect(JSON.parse(stdout).submissions[0].metadata).toEqual({ assay: { profile: 'atsc-a85' } });
  });

  test('if a report cannot be written, the issues are still printed and the exit code is unchanged', async () => {
    const args = ['check', 'script.pdf', '--fail-on', 'MAJOR', '--html', '/dev/full'];
    const { code, stdout, stderr } = await assay.run(args);
    expect(code).toBe(3);
    expect(stdout).toContain('SAFE-PDF-JAVASCRIPT');
    expect(stderr).toContain('Could not write the report');
  });

  test.each([
    { gate: ['--fail-on', 'INFO'], exitCode: 4 },
    { gate: [], exitCode: 4 },
    { gate: ['--fail-on', 'none'], exitCode: 0 },
  ])(
    'with a sandbox key and the flags $gate, prints that files are not analysed and exits with $exitCode',
    async ({ gate, exitCode }) => {
      const { code, stdout, stderr } = await assay.run(['check', 'script.pdf', ...gate], { key: workspace.sandboxKey });
      expect(code).toBe(exitCode);
      expect(stderr).toContain('files are not analysed');
      expect(stdout).toContain('script.pdf  not analysed');
      expect(stdout).toContain('1 file not analysed (sandbox key).');
      expect(stdout).not.toMatch(/no issues|Passed/);
    },
  );

  test.each([
    ['an unknown extension', 'main.exe', '.exe files are not supported.'],
    ['a missing file', 'gone.mp4', 'File not found.'],
  ])('%s that is named is rejected with exit code 5, and the other files are still checked', async (_, name, text) => {
    writeFileInFolder('main.exe', 'MZ');
    const { code, stdout } = await assay.run(['check', 'note.txt', name]);
    expect(code).toBe(5);
    expect(stdout).toContain(`${name}  rejected\n  ${text}`);
    expect(stdout).toContain('note.txt  no issues');
    expect(stdout).toContain('1 file analysed, no issues; 1 rejected.');
  });

  test('a report path in a missing folder is rejected with exit code 2 before anything is sent', async () => {
    const before = await countSubmissions();
    const { code, stderr } = await assay.run(['check', 'note.txt', '--html', 'nowhere/report.html']);
    expect(code).toBe(2);
    expect(stderr).toContain('the folder nowhere does not exist');
    expect(await countSubmissions()).toBe(before);
  });

  test('Ctrl-C during the wait exits with 130 and prints that the analysis continues, and the command that shows the submission', async () => {
    const waiting = openAssay(apiWithoutWorker.url, workspace.liveKey).start(['check', 'note.txt'], {
      cwd: assay.folder,
    });
    await waitUntil(() => waiting.printed.stderr.includes('Submitted'));
    waiting.child.kill('SIGINT');
    const { code, stderr } = await waiting.ended;
    expect(code).toBe(130);
    const id = /assay submissions get (\S+)/.exec(stderr)?.[1];
    expect(stderr).toContain('The analysis continues.');
    const { body } = await api.client(workspace.liveKey).get(`/submissions/${id}`);
    expect(body.status).toBe('submitted');
  });

  test('an expired --timeout exits with 6 and prints that the analysis continues', async () => {
    const { code, stderr } = await openAssay(apiWithoutWorker.url, workspace.liveKey).run(
      ['check', 'note.txt', '--timeout', '1'],
      {
        cwd: assay.folder,
      },
    );
    expect(code).toBe(6);
    expect(stderr).toMatch(/The analysis continues\.[\s\S]*View later: assay submissions get \S+/);
  });

  test.each([
    ['assay', 'pnpm assay'],
    ['test', 'assay'],
  ])('started from the npm script %s, suggests commands that begin with %s', async (script, command) => {
    const { stdout } = await assay.run(['check', 'note.txt'], { environment: { npm_lifecycle_event: script } });
    expect(stdout).toMatch(new RegExp(`View later: ${command} submissions get \\S+`));
  });

  test('output to a pipe contains no escape sequences and no Node warnings', async () => {
    const { stdout, stderr } = await assay.run(['check', 'script.pdf', 'half.mp4'], {
      environment: { TERM: 'xterm-256color' },
    });
    expect(stdout + stderr).not.toMatch(escapeCharacter);
    expect(stderr).not.toContain('Warning');
  });

  test('escape sequences in a file name are not printed to the terminal', async () => {
    writeFileInFolder('\x1b[31mred\x1b[0m.txt', 'hello');
    const { stdout, stderr } = await assay.run(['check', '\x1b[31mred\x1b[0m.txt']);
    expect(stdout + stderr).not.toMatch(escapeCharacter);
  });
});

async function countSubmissions(): Promise<number> {
  const { body } = await api.client(workspace.liveKey).get('/submissions?limit=100');
  return body.submissions.length;
}
