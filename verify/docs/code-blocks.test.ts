import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProfileRequest } from '@assay/contract/schemas/profiles/resource.ts';
import { IssueStatusRequest } from '@assay/contract/schemas/result.ts';
import { SubmissionRequest } from '@assay/contract/schemas/submission.ts';
import { UploadUrlRequest } from '@assay/contract/schemas/upload.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { advice } from '../../docs/make/advice.ts';
import { writtenPages } from '../../docs/make/site-map.ts';
import { type Block, blocksOf } from './blocks.ts';
import { findCompilerErrors } from './compile-for-reader.ts';
import { openPageShell, type PageShell } from './page-shell.ts';
import { prelude, readPage, withRealAddresses } from './quickstart.ts';
import { type SignedEvent, takeSignedEvent, withForgedBody } from './signed-event.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

// Below docs/, because the SDK is resolved there as in a reader's clone.
const scratch = join(root, 'docs/.blocks/pages');
rmSync(scratch, { recursive: true, force: true });

const pages = [
  ...['index', ...writtenPages].map((name) => ({ name, text: readPage(name) })),
  ...Object.entries(advice).map(([code, text]) => ({ name: `errors/${code}`, text })),
].map(({ name, text }) => ({ name, blocks: blocksOf(text) }));

const api = await openTestApi(liftedLimits);
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** Output that a page promises, and how many of its blocks print it. */
const promisedOutput: Record<string, { words: string; times: number }[]> = {
  quickstart: [{ words: 'PSE-LUMINANCE', times: 3 }],
  'guides/profiles': [
    { words: 'exit code 3', times: 1 },
    { words: 'loudness.target', times: 2 }, // shown, and different from general
    { words: '/limits/loudness/target -16 null', times: 1 },
    { words: 'Updated our-podcasts, revision 2.', times: 1 },
    { words: 'The default profile of the workspace is our-podcasts', times: 1 },
  ],
  'guides/versions': [{ words: "gone [ 'SAFE-PDF-AUTOMATIC-ACTION' ]", times: 1 }],
  'guides/sandbox': [
    { words: 'complete, issueCount: null\n', times: 1 },
    { words: 'Sent asset.processing.completed', times: 1 },
    { words: '"dispatched":0', times: 2 }, // for the completed and for the failed event
    { words: 'failed\ncancelled: The analysis was cancelled. Retry the asset.\ncomplete, retries: 1\n', times: 1 },
    { words: 'cancelled\nThe analysis was cancelled. Retry the asset.\n', times: 1 },
    { words: 'notice.txt: The analysis was cancelled. Retry the asset.', times: 2 }, // printed by the CLI
    { words: 'An asset can be retried up to 3 times.', times: 2 },
    { words: 'false The analysis was cancelled. All 3 retries are used.', times: 1 },
    { words: '409 retry_limit_reached\n', times: 1 },
    {
      words: [
        ...['404 asset_not_ready', '409 submission_in_progress', '409 asset_not_failed', '409 submission_settled'],
        ...['404 asset_failed', '409 retry_in_flight', ''],
      ].join('\n'),
      times: 1,
    },
    { words: 'The file is damaged', times: 1 },
    { words: 'pass 2\n', times: 1 },
  ],
};

/** Output of the programs that a page starts in the background. */
const promisedLogs: Record<string, string[]> = {
  'guides/webhooks': ['  200 '], // the triggered event has reached the local receiver
  'guides/sandbox': [
    ...['verified asset.processing.completed', 'verified asset.processing.failed'],
    ...['sandbox  asset.processing.failed', 'live     asset.processing.failed'],
  ],
};

const bodySchemas = { SubmissionRequest, IssueStatusRequest, ProfileRequest, UploadUrlRequest };

describe('the documentation', () => {
  // Concurrent, because the simulated runs of some guides take half a minute in which they only wait.
  test.concurrent.each(pages.filter(({ blocks }) => blocks.length > 0))(
    'every block of the page $name works as written',
    async ({ name, blocks }) => {
      const workspace = await api.makeWorkspace('pro');
      // If a page starts its own receiver, its events are sent there.
      const port = await freePort();
      const hasReceiver = blocks.some(({ language, marker }) => language === 'ts' && marker === 'background');
      const hooksUrl = hasReceiver ? `http://127.0.0.1:${port}` : receiver.url;
      const real = { service: api.url, receiver: hooksUrl };
      const variables = { WORKSPACE: JSON.stringify(workspace), PORT: String(port) };
      const shell = openPageShell(join(scratch, name.replaceAll('/', '-')), variables);
      const outputs: string[] = [];
      try {
        await shell.run('prelude', withRealAddresses(prelude, real));
        const event = blocks.some(({ marker }) => ['server', 'route-handler'].includes(marker))
          ? await takeSignedEvent(api.client, workspace)
          : undefined;
        for (const block of blocks) {
          const runnable = { ...block, text: withRealAddresses(block.text, real) };
          outputs.push(`${await tryBlock(runnable, shell, event)}`);
        }
        for (const words of promisedLogs[name] ?? []) await shell.untilLogged(words);
        const promised = promisedOutput[name] ?? [];
        for (const { words, times } of promised) {
          expect(
            outputs.filter((output) => output.includes(words)),
            words,
          ).toHaveLength(times);
        }
      } finally {
        await shell.close();
      }
    },
    240_000,
  ); // a guide may simulate and wait for a dozen submissions
});

async function tryBlock(block: Block, shell: PageShell, event: SignedEvent | undefined): Promise<string | undefined> {
  const { text } = block;
  const name = `line-${block.line}`;
  if (block.language === 'text' || block.marker === 'prelude') return undefined;
  if (['sh', 'ts'].includes(block.language) && block.marker === '') return shell.runBlock(name, block);

  if (block.language === 'yaml') expect(parse(text)).toBeTypeOf('object');
  else if (block.language === 'json') checkJson(block);
  else if (block.marker === 'setup') checkSetup(block);
  else if (block.marker === 'background') await shell.startBlock(name, block);
  else await tryReceiver(block.marker, join(shell.folder, `${name}.ts`), text, event as SignedEvent);
  return undefined;
}

async function tryReceiver(marker: string, file: string, text: string, event: SignedEvent): Promise<void> {
  writeFileSync(file, text);
  await (marker === 'server' ? tryServer(file, event) : tryRouteHandler(file, event));
}

function checkJson({ text, marker }: Block): void {
  const value = JSON.parse(text);
  if (marker) bodySchemas[marker as keyof typeof bodySchemas].parse(value);
}

/** Commands that install or start things cannot be run here: they must be in README.md or be known commands. */
function checkSetup({ text }: Block): void {
  for (const line of text.trim().split('\n')) {
    const [, program, command = ''] = /^(pnpm|docker) (\S+)/.exec(line) ?? [];
    const known = program === 'pnpm' ? [...Object.keys(scripts), 'install'] : ['build', 'compose', 'exec', 'run'];
    const isKnown = known.includes(command);
    if (!readme.includes(line) && !isKnown) throw new Error(`neither in README.md nor a known command: ${line}`);
  }
}

async function tryServer(file: string, event: SignedEvent): Promise<void> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), ASSAY_WEBHOOK_SECRET: event.secret };
  const server = spawn(join(root, 'node_modules/.bin/node'), [file], { env, stdio: 'ignore' });
  try {
    const post = (one: SignedEvent) =>
      fetch(`http://localhost:${port}/hooks/assay`, { method: 'POST', headers: one.headers, body: one.body });
    for (let tries = 0; ; tries += 1) {
      const isUp = await post(withForgedBody(event)).then(
        () => true,
        () => false,
      );
      if (isUp) break;
      if (tries > 200 || server.exitCode !== null) throw new Error(`${basename(file)} does not listen`);
      await sleep(50);
    }
    expect((await post(event)).status).toBe(204);
    expect((await post(withForgedBody(event))).status).toBe(400);
  } finally {
    server.kill('SIGKILL');
  }
}

async function tryRouteHandler(file: string, event: SignedEvent): Promise<void> {
  process.env.ASSAY_WEBHOOK_SECRET = event.secret;
  const { POST } = (await import(/* @vite-ignore */ file)) as { POST(request: Request): Promise<Response> };
  const post = ({ headers, body }: SignedEvent) =>
    POST(new Request('http://localhost/hooks/assay', { method: 'POST', headers, body }));
  expect((await post(event)).status).toBe(204);
  expect((await post(withForgedBody(event))).status).toBe(400);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

describe('the code blocks of the documentation', () => {
  test('every TypeScript block compiles in a reader’s project', () => {
    const programs = pages.flatMap(({ name, blocks }) =>
      blocks.filter(({ language }) => language === 'ts').map(({ text, line }) => ({ name: `${name}-${line}`, text })),
    );
    expect(findCompilerErrors(join(scratch, 'types'), programs)).toBe('');
  });

  test.each(['```sh nonsense', '```py', '```', '```ts [TypeScript] extra'])(
    'a block that starts with %s is rejected',
    (fence) => {
      expect(() => blocksOf(`${fence}\ntrue\n\`\`\`\n`)).toThrow('no test for');
    },
  );

  test('a failing line of a shell block fails the test', async () => {
    const shell = openPageShell(join(scratch, 'failing'), {});
    await expect(shell.run('one', 'false\ntrue\n')).rejects.toThrow('exited with 1');
    await shell.close();
  });

  test('a setup line that is neither in README.md nor a known command is rejected', () => {
    expect(() => checkSetup({ language: 'sh', marker: 'setup', text: 'pnpm nonsense\n', line: 1 })).toThrow(
      'neither in README.md nor a known command',
    );
  });

  test('every page has blocks, except the front page, the threat model and error pages', () => {
    expect(
      pages.filter(({ name, blocks }) => blocks.length === 0 && !name.startsWith('errors/')).map(({ name }) => name),
    ).toEqual(['index', 'operate/threat-model']);
  });
});
