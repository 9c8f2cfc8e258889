import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makePdf } from '@assay/testing/media/samples.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submitAndCancel } from '@assay/testing/service/submissions.ts';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mainFile, openAssay } from '../test/run-assay.ts';
import { completionScripts } from './completion.ts';
import { createOutput } from './output/output.ts';
import { createProgram } from './program.ts';

const queues = { WORKER_QUEUES: 'control,sandbox,document,webhook' };
const api = await openTestApi({ ...liftedLimits, ...queues, ASSAY_MODE: 'development' });
await openTestWorker(api.config);
const workspace = await api.makeWorkspace();
const assay = openAssay(api.url, workspace.liveKey);
writeFileSync(join(assay.folder, 'script.pdf'), makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'));
writeFileSync(join(assay.folder, 'note.txt'), 'hello');
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const escapeSequenceStart = /\x1b\[/;

async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await assay.run([...args, '--json']);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

describe('assay login', () => {
  test('saves the key and the address in a file only the user can read, and other commands use them', async () => {
    const fresh = openAssay(api.url);
    const { code, stdout } = await fresh.run(['login'], { input: `${workspace.liveKey}\n` });
    expect(code).toBe(0);
    expect(stdout).toContain(workspace.workspaceId);
    const path = join(fresh.home, 'assay', 'config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(fresh.home, 'assay')).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ baseUrl: api.url, apiKey: workspace.liveKey });
    const whoami = await fresh.run(['whoami', '--json'], { environment: { ASSAY_BASE_URL: '' } });
    expect(JSON.parse(whoami.stdout)).toMatchObject({ ...workspaceOfMode('live'), baseUrl: api.url, apiKeyFrom: path });
  });

  test('replaces an invalid settings file; until then, only commands that need the file fail', async () => {
    const fresh = openAssay(api.url);
    await fresh.run(['login', '--api-key', workspace.liveKey]);
    writeFileSync(join(fresh.home, 'assay', 'config.json'), '{');
    expect((await fresh.run(['whoami'])).stderr).toContain('assay login');
    expect((await fresh.run(['whoami'], { key: workspace.liveKey })).code).toBe(0);
    expect((await fresh.run(['login', '--api-key', workspace.liveKey])).code).toBe(0);
    expect((await fresh.run(['whoami'])).code).toBe(0);
  });

  test('rejects a key with a line break and never prints it', async () => {
    const fresh = openAssay(api.url);
    const { code, stdout, stderr } = await fresh.run(['login'], {
      input: `${workspace.liveKey}\n${workspace.sandboxKey}\n`,
      environment: { ASSAY_DEBUG: '1' },
    });
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(workspace.liveKey.slice(-20));
  });

  test('exits with 5 for an unknown key, and does not save it', async () => {
    const fresh = openAssay(api.url);
    const { code, stderr } = await fresh.run(['login', '--api-key', 'nobody']);
    expect(code).toBe(5);
    expect(stderr).toContain('assay login');
    expect(existsSync(join(fresh.home, 'assay', 'config.json'))).toBe(false);
  });

  test('never sends a saved key to a different base URL', async () => {
    const stranger = await openReceiver();
    onTestFinished(() => stranger.close());
    const fresh = openAssay(api.url);
    await fresh.run(['login', '--api-key', workspace.liveKey]);
    const { code, stderr } = await fresh.run(['whoami', '--base-url', stranger.url]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not sent to');
    expect(stranger.received).toHaveLength(0);
  });
});

describe('settings', () => {
  test('flags take precedence over the environment, and the environment over saved settings', async () => {
    const fresh = openAssay(api.url);
    await fresh.run(['login', '--api-key', workspace.liveKey]);
    const saved = JSON.parse((await fresh.run(['whoami', '--json'])).stdout);
    const named = JSON.parse((await fresh.run(['whoami', '--json'], { key: workspace.sandboxKey })).stdout);
    const flagged = ['whoami', '--json', '--api-key', workspace.liveKey];
    const passed = JSON.parse((await fresh.run(flagged, { key: workspace.sandboxKey })).stdout);
    expect([saved.mode, named.mode, passed.mode]).toEqual(['live', 'sandbox', 'live']);
    expect([named.apiKeyFrom, passed.apiKeyFrom]).toEqual(['ASSAY_API_KEY', '--api-key']);
  });
});

describe('exit codes and hints', () => {
  test.each([
    ['no command', [], 2, 'Usage'],
    ['an unknown command', ['frobnicate'], 2, '--help'],
    ['an unknown option', ['whoami', '--frobnicate'], 2, '--help'],
    ['an invalid value', ['check', 'note.txt', '--fail-on', 'AWFUL'], 2, 'CRITICAL'],
    ['an invalid base URL', ['whoami', '--base-url', 'nonsense'], 2, 'http://'],
    ['an unknown key', ['whoami', '--api-key', 'nobody'], 5, 'assay login'],
    [
      'an unknown submission id',
      ['submissions', 'get', '01a1e122-5a2f-7ca8-a018-f19124d26ada'],
      5,
      'assay submissions list',
    ],
    ['an unreachable service', ['whoami', '--base-url', 'http://127.0.0.1:9'], 6, 'pnpm stack up && pnpm start'],
    ['the help option', ['--help'], 0, ''],
    ['the version option', ['--version'], 0, ''],
  ])('%s (%j) exits with %i', async (_, args, expected, text) => {
    const { code, stderr } = await assay.run(args);
    expect(code).toBe(expected);
    expect(stderr).toContain(text);
  });

  test('a command without a key exits with 2 and explains how to log in', async () => {
    const { code, stderr } = await openAssay(api.url).run(['whoami']);
    expect(code).toBe(2);
    expect(stderr).toContain('assay login');
  });

  test('a failure with --json is printed as a single JSON document', async () => {
    const { code, stdout } = await assay.run(['whoami', '--api-key', 'nobody', '--json']);
    expect(JSON.parse(stdout).error).toMatchObject({ exitCode: code, status: 401, code: 'invalid_api_key' });
  });
});

describe('submissions and results', () => {
  test('a submission can be created, read, listed and, with --yes, deleted, and its issues can be read and decided on', async () => {
    const { stdout } = await assay.run(['submit', 'script.pdf']);
    const submissionId = stdout.trim();
    const submission = await runJson('submissions', 'get', submissionId, '--wait');
    expect(submission).toMatchObject({ submissionId, status: 'complete' });
    const { assetId } = submission.assets[0];
    const { assets } = await runJson('issues', submissionId);
    expect(assets[0].issues).toHaveLength(2);
    const filtered = await runJson('issues', submissionId, assetId, '--rule', 'SAFE-PDF-JAVASCRIPT');
    expect(filtered.assets[0].issues).toHaveLength(1);
    const [first] = assets[0].issues;
    expect((await assay.run(['issues', submissionId])).stdout).toContain(`#${first.referenceNumber} `);
    const none = await assay.run(['issues', submissionId, '--rule', 'LOUD-001']);
    expect(none.stdout.trim()).toBe('No issues match the filter in 1 file.');
    const at = [submissionId, assetId, String(first.referenceNumber)];
    expect(await runJson('issues', 'show', ...at)).toMatchObject({ id: first.id, decisions: [] });
    expect((await assay.run(['issues', 'decide', ...at])).stderr).toContain('--to or --reason');
    const decided = await runJson(
      'issues',
      'decide',
      ...at,
      '--reason',
      'false_alarm',
      '--note',
      'known',
      '--no-carry-over',
    );
    expect(decided).toMatchObject({ status: 'DISMISSED', statusReason: 'false_alarm', statusNote: 'known' });
    expect(await runJson('issues', 'decide', ...at, '--to', 'AWAITING_HUMAN_INPUT')).toMatchObject({
      status: 'AWAITING_HUMAN_INPUT',
    });
    expect((await runJson('issues', submissionId, '--status', 'AWAITING_HUMAN_INPUT')).assets[0].issues).toHaveLength(
      1,
    );
    await runJson('issues', 'decide', ...at, '--reason', 'false_alarm', '--note', 'known', '--no-carry-over');
    expect(await runJson('issues', 'show', submissionId, assetId, first.id)).toMatchObject({
      decisions: [
        { to: 'DISMISSED', carriesOver: false, actor: { kind: 'api_key' } },
        { to: 'AWAITING_HUMAN_INPUT' },
        { from: 'OPEN', to: 'DISMISSED' },
      ],
    });
    expect((await assay.run(['issues', 'show', ...at])).stdout).toMatch(/Open → Dismissed\s+False alarm known/);
    expect(await assay.run(['issues', 'show', submissionId, assetId, '99'])).toMatchObject({ code: 5 });
    expect((await runJson('topics', submissionId, assetId)).topics).toHaveLength(1);
    expect((await runJson('versions', submissionId)).versions).toMatchObject([
      { versionNumber: 1, filename: 'script.pdf' },
    ]);
    expect(await runJson('changes', submissionId, assetId)).toMatchObject({ versionNumber: 1, previous: null });
    expect((await assay.run(['changes', submissionId, assetId])).stdout).toMatch(/no earlier.*\n\nNew\n.*SAFE-PDF/);
    expect((await runJson('submissions', 'list', '--limit', '1')).submissions).toMatchObject([{ submissionId }]);

    const unasked = await assay.run(['submissions', 'delete', submissionId]);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    await runJson('submissions', 'delete', submissionId, '--yes');
    expect((await assay.run(['submissions', 'get', submissionId])).code).toBe(5);
  });

  test('retry --wait retries a cancelled asset and waits until it is complete', async () => {
    const client = api.client(workspace.liveKey);
    const { submissionId, assets } = await submitAndCancel(client);
    expect((await assay.run(['submissions', 'get', submissionId])).code).toBe(4);
    const again = await runJson('retry', submissionId, assets[0]?.assetId ?? '', '--wait');
    expect(again).toMatchObject({ status: 'complete', assets: [{ retryCount: 1, issueCount: 0 }] });
    const over = await assay.run(['submissions', 'cancel', submissionId]);
    expect(over).toMatchObject({ code: 5 });
  });

  test('a simulated run lasts as long as its delay, can be cancelled, and completes when retried', async () => {
    const key = ['--api-key', workspace.sandboxKey];
    const { stdout } = await assay.run(['submit', 'script.pdf', '--simulation-delay-seconds', '10', ...key]);
    const submissionId = stdout.trim();
    const cancelled = await runJson('submissions', 'cancel', submissionId, ...key);
    expect(cancelled.assets).toMatchObject([{ status: 'failed', errorType: 'cancelled', isRetryable: true }]);
    const again = await runJson('retry', submissionId, cancelled.assets[0].assetId, '--wait', ...key);
    expect(again).toMatchObject({ status: 'complete', assets: [{ retryCount: 1, issueCount: null }] });
    expect(Date.parse(again.completedAt) - Date.parse(again.createdAt)).toBeGreaterThan(10_000);
  });

  test.each([
    ['with a live key', [], '10', 5, 'A sandbox key is required.'],
    ['above 30', ['--api-key', workspace.sandboxKey], '31', 2, 'Expected a whole number from 0 to 30.'],
  ])('--simulation-delay-seconds %s is rejected before the upload', async (_, key, seconds, exitCode, reason) => {
    const args = ['submit', 'script.pdf', '--simulation-delay-seconds', seconds, ...key];
    const { code, stdout, stderr } = await assay.run(args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(reason);
  });

  test('the sidekicks command lists the checks, and shows the rules of a single check', async () => {
    const { sidekicks } = await runJson('sidekicks');
    expect(sidekicks.length).toBeGreaterThan(3);
    const { stdout } = await assay.run(['sidekicks', sidekicks[0].sidekickId]);
    expect(stdout).toContain(sidekicks[0].rules[0].ruleCode);
  });
});

test('webhook subscriptions can be created, listed, tested, changed, shown, replayed and deleted', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { eventTypes } = await runJson('webhooks', 'event-types');
  expect((await assay.run(['webhooks', 'event-types'])).stdout).toContain(eventTypes[0].description);
  const { subscriptionId, secret } = await runJson('webhooks', 'create', receiver.url, '--description', 'mine');
  expect(secret).toMatch(/^whsec_/);
  expect((await runJson('webhooks', 'list')).subscriptions).toMatchObject([{ subscriptionId, description: 'mine' }]);
  expect(await runJson('webhooks', 'test', subscriptionId)).toMatchObject({ responseStatus: 200, errorCode: null });
  const { deliveries } = await runJson('webhooks', 'deliveries', subscriptionId);
  expect(deliveries).toMatchObject([{ status: 'succeeded' }]);
  const one = await runJson('webhooks', 'deliveries', subscriptionId, deliveries[0].deliveryId);
  expect(one.attempts).toHaveLength(1);
  expect(await runJson('webhooks', 'replay', subscriptionId, '--since', '2020-01-01T00:00:00Z')).toEqual({
    enqueued: 0,
  });
  expect((await assay.run(['webhooks', 'replay', subscriptionId])).code).toBe(2);
  expect((await runJson('webhooks', 'rotate-secret', subscriptionId)).secret).not.toBe(secret);
  expect(await runJson('webhooks', 'update', subscriptionId, '--deactivate')).toMatchObject({ isActive: false });
  expect(await runJson('webhooks', 'get', subscriptionId)).toMatchObject({ isActive: false, disabledReason: 'manual' });
  await runJson('webhooks', 'delete', subscriptionId, '--yes');
  expect((await runJson('webhooks', 'list')).subscriptions).toEqual([]);
});

describe('output to a terminal', () => {
  const onTerminal = (args: string[], environment: Record<string, string> = {}) =>
    promisify(execFile)('script', ['-qec', [process.execPath, mainFile, ...args].join(' '), '/dev/null'], {
      cwd: assay.folder,
      env: {
        ...nodeEnvironment,
        TERM: 'xterm',
        XDG_CONFIG_HOME: assay.home,
        ASSAY_BASE_URL: api.url,
        ASSAY_API_KEY: workspace.liveKey,
        ...environment,
      },
    });

  test('is coloured unless NO_COLOR is set', async () => {
    expect((await onTerminal(['sidekicks'])).stdout).toMatch(escapeSequenceStart);
    expect((await onTerminal(['sidekicks'], { NO_COLOR: '1' })).stdout).not.toMatch(escapeSequenceStart);
  });
});

describe('help and completion', () => {
  const output = createOutput(process.stdout, {});
  const program = createProgram({ environment: {}, out: output, err: output, signal: new AbortController().signal });
  const everyCommand = (command: Command): Command[] => command.commands.flatMap((one) => [one, ...everyCommand(one)]);
  const pathOf = (command: Command): string =>
    command.parent ? `${pathOf(command.parent)} ${command.name()}` : 'assay';

  test.each(everyCommand(program).map((command) => [pathOf(command), command] as const))(
    'the help of %s has a description and an example of the command',
    (path, command) => {
      let help = '';
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect(command.description()).toMatch(/\.$/);
      expect(help).toMatch(new RegExp(`^  \\$ .*${path}( |$|\\))`, 'm'));
      expect(help).toContain('--json');
    },
  );

  test('the table of commands in README.md has every top-level command', () => {
    const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const rows = readme.match(/^\| `.*/gm)?.join();
    for (const command of program.commands) expect(rows).toContain(`\`${command.name()}`);
  });

  test('the main help lists every exit code', async () => {
    const { stdout } = await assay.run(['--help']);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 130]) expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
  });

  test.each([
    ['assay ', ['check', 'submissions', '--api-key']],
    ['assay submissions ', ['list', 'delete', '--json']],
    ['assay submissions d', ['delete']],
    ['assay check --fail-on ', ['CRITICAL', 'MAJOR', 'MINOR', 'INFO', 'none']],
    ['assay profiles ', ['list', 'show', 'create', 'update', 'diff', 'default', 'delete']],
    ['assay profiles create ', ['--file']],
    ['assay profiles create --file ', ['note.txt']],
    ['assay check no', ['note.txt']],
    ['assay trigger ', ['asset.processing.completed']],
  ])('the bash completion script completes %j', (line, expected) => {
    const script = completionScripts.bash(program);
    const words = line.split(' ');
    const asked = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _assay`;
    const print = `printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = execFileSync('bash', ['-c', `${script}\n${asked}; ${print}`], {
      cwd: assay.folder,
      encoding: 'utf8',
    });
    expect(offered.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  test('the bash and zsh completion scripts are syntactically valid, and the fish one contains every command', async () => {
    for (const shell of ['bash', 'zsh']) {
      const { stdout } = await assay.run(['completion', shell]);
      execFileSync('bash', ['-n'], { input: stdout });
    }
    const { stdout } = await assay.run(['completion', 'fish']);
    for (const command of everyCommand(program)) expect(stdout).toContain(`-a ${command.name()} `);
  });
});

function workspaceOfMode(mode: 'live' | 'sandbox') {
  return { workspaceId: workspace.workspaceId, mode, tier: 'enterprise' };
}
