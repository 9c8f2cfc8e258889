import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';
import { openAssay } from '../test/run-assay.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
await openTestWorker(api.config);
const pdfWithScript = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');

/** Creates a workspace, and a CLI that uses its live key. */
async function openWorkspace() {
  const { liveKey } = await api.makeWorkspace();
  const assay = openAssay(api.url, liveKey);
  const write = (name: string, value: unknown) =>
    writeFileSync(join(assay.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await assay.run([...args, '--json']);
    expect(`${code} ${stderr}`).toMatch(/^0 /);
    return JSON.parse(stdout);
  };
  writeFileSync(join(assay.folder, 'script.pdf'), pdfWithScript);
  return { ...assay, write, json };
}

const podcasts = {
  name: 'our-podcasts',
  title: 'Our podcasts',
  extends: { profile: 'general' },
  limits: { loudness: { target: -16 } },
  rules: [
    { ruleCode: 'SAFE-PDF-JAVASCRIPT', severity: 'INFO' },
    { ruleCode: 'SAFE-PDF-AUTOMATIC-ACTION', severity: 'OFF' },
    {
      ruleCode: 'LOUD-INTEGRATED-HIGH',
      grades: [
        { beyond: 0, severity: 'MINOR' },
        { beyond: 2, severity: 'MAJOR' },
      ],
    },
  ],
  failOn: 'CRITICAL',
};

describe('assay profiles', () => {
  test('creates, shows, updates, compares and deletes a profile, and makes it the default', async () => {
    const { run, write, json } = await openWorkspace();
    write('podcasts.json', podcasts);
    const created = await run(['profiles', 'create', '--file', 'podcasts.json']);
    expect(created.stdout).toBe(
      '✓ Created our-podcasts, revision 1.\n  Use it: assay check <files> --profile our-podcasts\n',
    );
    expect((await run(['profiles', 'list'])).stdout).toMatch(
      /^NAME +REVISION +KIND +EXTENDS +TITLE\n[\s\S]*^general +\d+ +built-in, default +[\s\S]*^our-podcasts +1 +own +general, revision \d+ +Our podcasts$/m,
    );
    const { stdout: shown } = await run(['profiles', 'show', 'Our-Podcasts']);
    expect(shown).toMatch(/^our-podcasts: Our podcasts$/m);
    expect(shown).toMatch(/^fails on +CRITICAL and above$/m);
    expect(shown).toMatch(/^loudness\.target +-16 +our-podcasts$/m);
    expect(shown).toMatch(/^loudness\.scale +LUFS +inherited$/m);
    expect(shown).toMatch(/^LOUD-INTEGRATED-HIGH +MINOR, MAJOR from 2 +our-podcasts$/m);

    const checked = await json('check', 'script.pdf', '--profile', 'our-podcasts');
    expect(checked.submissions[0].profile).toMatchObject({ name: 'our-podcasts', revision: 1, failOn: 'CRITICAL' });
    expect(checked.assets[0].issues).toMatchObject([{ ruleCode: 'SAFE-PDF-JAVASCRIPT', severity: 'INFO' }]);
    expect(checked.verdict).toMatchObject({ outcome: 'ok', failOn: 'CRITICAL', failOnProfile: 'our-podcasts' });

    write('change.json', { limits: { loudness: { target: -18 } }, failOn: 'INFO' });
    const updated = await run(['profiles', 'update', 'our-podcasts', '--file', 'change.json']);
    expect(updated.stdout).toBe(
      '✓ Updated our-podcasts, revision 2.\n  See what changed: assay profiles diff our-podcasts our-podcasts --revision 1\n',
    );
    const { stdout: diff } = await run(['profiles', 'diff', 'our-podcasts', 'our-podcasts', '--revision', '1']);
    expect(diff).toMatch(/^ +our-podcasts, revision 1 +our-podcasts, revision 2$/m);
    expect(diff).toMatch(/^loudness\.target +-16 +-18$/m);
    expect(diff).toMatch(/^failOn +CRITICAL +INFO$/m);
    expect(diff).toMatch(/^2 differences\.$/m);
    expect(await json('profiles', 'show', 'our-podcasts', '--revision', '1')).toMatchObject({
      revision: 1,
      limits: { loudness: { target: -16 } },
    });
    expect((await run(['profiles', 'diff', 'general', 'general'])).stdout).toMatch(/^No differences between general,/);

    expect((await run(['profiles', 'default', 'our-podcasts'])).stdout).toBe(
      '✓ The default profile of the workspace is our-podcasts, revision 2.\n',
    );
    const gated = await run(['check', 'script.pdf']);
    expect(gated.code).toBe(3);
    expect(gated.stdout).toContain('Failed: 1 issue at INFO or above, the gate of our-podcasts.');

    const refused = await run(['profiles', 'delete', 'our-podcasts', '--yes']);
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.stderr).toContain('assay profiles default general');
    await run(['profiles', 'default', 'general']);
    expect((await run(['profiles', 'delete', 'our-podcasts'])).stderr).toContain('--yes');
    expect(await json('profiles', 'delete', 'our-podcasts', '--yes')).toMatchObject({ isDeleted: true });
    expect((await run(['profiles', 'show', 'our-podcasts'])).code).toBe(2);
  });

  test('create --file - reads the document from stdin', async () => {
    const { run } = await openWorkspace();
    const { code, stdout } = await run(['profiles', 'create', '--file', '-'], { input: '{ "name": "ours" }' });
    expect(stdout).toContain('Created ours, revision 1.');
    expect(code).toBe(0);
  });
});

describe('errors of profile commands', () => {
  test('every invalid field is reported on a line of its own, with its JSON pointer', async () => {
    const { run, write } = await openWorkspace();
    write('wrong.json', {
      name: 'wrong',
      limits: { loudness: { target: 5 }, captions: { linesMax: 0 } },
      failOn: 'AWFUL',
    });
    const { code, stdout, stderr } = await run(['profiles', 'create', '--file', 'wrong.json']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^ {2}\/limits\/loudness\/target: .*must be a number from -70 to 0\.$/m);
    expect(stderr).toMatch(/^ {2}\/limits\/captions\/linesMax: .*must be /m);
    expect(stderr).toMatch(/^ {2}\/failOn: failOn must be /m);
    expect(stderr).not.toContain('`errors`');
    expect(stderr).toContain('Fix these fields and try again.');
    const { error } = JSON.parse((await run(['profiles', 'create', '--file', 'wrong.json', '--json'])).stdout);
    expect(error).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(error.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain('/limits/loudness/target');
  });

  test.each([
    ['invalid JSON', '{', 'wrong.json is not valid JSON'],
    ['a JSON value that is not an object', '[]', 'wrong.json must contain a JSON object.'],
  ])('a file with %s is rejected with exit code 2', async (_, text, words) => {
    const { run, write } = await openWorkspace();
    write('wrong.json', text);
    const { code, stderr } = await run(['profiles', 'create', '--file', 'wrong.json']);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain('assay profiles --help');
  });

  test.each([
    [['profiles', 'update', 'general', '--file', 'change.json'], 5, 'assay profiles create'],
    [['profiles', 'create', '--file', 'taken.json'], 5, 'Choose another name'],
    [['profiles', 'create', '--file', 'gone.json'], 2, 'gone.json'],
    [['profiles', 'create'], 2, '--file'],
    [['profiles', 'show', 'general', '--revision', '999'], 5, 'assay profiles list'],
    [['profiles', 'show', 'generl'], 2, 'Unknown profile: generl. Known: general, '],
    [['profiles', 'diff', 'general', 'generl'], 5, 'assay profiles list'],
    [['check', 'script.pdf', '--profile', 'generl'], 2, 'Unknown profile: generl. Known: general, '],
    [['submit', 'script.pdf', '--profile', 'generl'], 2, 'Unknown profile: generl. Known: general, '],
  ])('assay with the arguments %j exits with %i and prints what to do', async (args, expected, words) => {
    const { run, write, json } = await openWorkspace();
    write('change.json', { failOn: 'INFO' });
    write('taken.json', { name: 'general' });
    const { code, stderr } = await run(args);
    expect(code).toBe(expected);
    expect(stderr).toContain(words);
    expect((await json('submissions', 'list')).submissions).toEqual([]);
  });
});
