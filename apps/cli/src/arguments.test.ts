import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openAssay } from '../test/run-assay.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
await openTestWorker(api.config);
const { liveKey, sandboxKey } = await api.makeWorkspace();
const assay = openAssay(api.url, liveKey);
writeFileSync(join(assay.folder, 'script.pdf'), makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'));
writeFileSync(join(assay.folder, 'note.txt'), 'hello');

async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await assay.run(['--json', ...args]);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

let submissionId = '';
let assetId = '';
beforeAll(async () => {
  const { assets } = await runJson('check', 'script.pdf', '--fail-on', 'none');
  ({ submissionId, assetId } = assets[0].result);
});

describe('short names of checks', () => {
  test('check --sidekick accepts short names and ids in any letter case, and runs only those checks', async () => {
    const { sidekicks } = await runJson('sidekicks');
    const captions = sidekicks.find(({ shortName }: { shortName: string }) => shortName === 'captions');
    const chosen = `File-Safety,${captions.sidekickId.toUpperCase()}`;
    const { assets } = await runJson('check', 'script.pdf', '--fail-on', 'none', '--sidekick', chosen);
    expect(assets[0].result.checks.map((one: { sidekickName: string }) => one.sidekickName)).toEqual([
      'Captions',
      'File safety',
    ]);
  });

  test('issues --sidekick with a short name returns only the issues of that check', async () => {
    const issuesOf = async (name: string) =>
      (await runJson('issues', submissionId, '--sidekick', name)).assets[0].issues;
    expect(await issuesOf('file-safety')).toHaveLength(2);
    expect(await issuesOf('loudness')).toHaveLength(0);
  });

  test('the sidekicks command lists the short names of all checks, or shows the details of one check', async () => {
    expect((await assay.run(['sidekicks'])).stdout).toMatch(/^file-safety +File safety/m);
    expect((await assay.run(['sidekicks', 'File-Safety'])).stdout).toContain('SAFE-PDF-JAVASCRIPT');
  });

  test.each([
    ['check', ['check', 'note.txt', '--sidekick', 'loudnes']],
    ['submit', ['submit', 'note.txt', '--sidekick', 'loudness,loudnes']],
    ['issues', ['issues', '01a1e122-5a2f-7ca8-a018-f19124d26ada', '--sidekick', 'loudnes']],
    ['sidekicks', ['sidekicks', 'loudnes']],
  ])('%s with an unknown check name exits with 2 and lists the known names', async (_, args) => {
    const { code, stdout, stderr } = await assay.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Unknown sidekick: loudnes\. Known: captions, delivery-spec, file-safety, loudness/);
    expect(stdout).toBe('');
  });
});

describe('values in any letter case', () => {
  test.each([
    ['--fail-on', ['check', 'script.pdf', '--fail-on', 'major'], 3],
    ['--profile', ['check', 'note.txt', '--profile', 'ATSC-A85'], 0],
    ['--status of submissions', ['submissions', 'list', '--status', 'COMPLETE,Failed'], 0],
    ['the event type of trigger', ['trigger', 'Asset.Processing.Completed', '--api-key', sandboxKey], 0],
    ['the shell of completion', ['completion', 'BASH'], 0],
  ])('are accepted for %s', async (_, args, expected) => {
    const { code, stderr } = await assay.run(args);
    expect(`${code} ${stderr}`).toMatch(new RegExp(`^${expected} `));
  });

  test('are accepted for --severity, --status and --rule of issues', async () => {
    const countOf = async (...flags: string[]) =>
      (await runJson('issues', submissionId, ...flags)).assets[0].issues.length;
    expect(await countOf('--severity', 'major,Minor', '--status', 'open', '--rule', 'safe-pdf-javascript')).toBe(1);
    expect(await countOf('--severity', 'info')).toBe(0);
  });

  test('are accepted for --to and --reason of a decision', async () => {
    const decide = ['issues', 'decide', submissionId, assetId, '1'];
    expect(await runJson(...decide, '--reason', 'False_Alarm')).toMatchObject({ status: 'DISMISSED' });
    expect(await runJson(...decide, '--to', 'open')).toMatchObject({ status: 'OPEN' });
  });
});

test('the --json output contains each issue exactly once', async () => {
  for (const args of [
    ['issues', submissionId],
    ['check', 'script.pdf', '--fail-on', 'none'],
  ]) {
    const { assets } = await runJson(...args);
    const ids: string[] = assets[0].issues.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(JSON.stringify(assets).split(`"id":"${id}"`)).toHaveLength(2);
  }
});

test.each([
  [['frobnicate', '--help'], 2],
  [['--help', 'frobnicate'], 2],
  [['help', 'frobnicate'], 2],
  [['submissions', 'frobnicate', '--help'], 2],
  [['webhooks', '-h', 'frobnicate'], 2],
  [['submissions', '--help'], 0],
  [['issues', 'show', '--help'], 0],
  [['issues', 'anything', '--help'], 0],
  [['help', 'check'], 0],
  [['help'], 0],
])('assay with the arguments %j exits with %i', async (args, expected) => {
  const { code, stderr } = await assay.run(args);
  expect(code).toBe(expected);
  if (expected && args[0] !== 'help') expect(stderr).toContain("unknown command 'frobnicate'");
});
