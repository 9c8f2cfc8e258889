import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IssueStatusRequest } from '@assay/contract/result.ts';
import { SubmissionRequest } from '@assay/contract/submission.ts';
import { UploadUrlRequest } from '@assay/contract/upload.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { advice } from '../../docs/make/advice.ts';
import { writtenPages } from '../../docs/make/site-map.ts';
import { liftedLimits, openTestApi, openTestWorker } from '../support/api.ts';
import { openReceiver } from '../support/receiver.ts';
import { type Block, blocksOf } from './blocks.ts';
import { openPageShell, type PageShell } from './page-shell.ts';
import { forged, type SignedEvent, takeSignedEvent } from './signed-event.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

// Below docs/, where the SDK resolves as it does for a reader in the clone.
const scratch = join(root, 'docs/.blocks');
rmSync(scratch, { recursive: true, force: true });

const readPage = (name: string) => readFileSync(join(root, `docs/${name}.md`), 'utf8');
const prelude = blocksOf(readPage('quickstart')).find(({ marker }) => marker === 'prelude')?.text ?? '';
const pages = [
  ...['index', ...writtenPages].map((name) => ({ name, text: readPage(name) })),
  ...Object.entries(advice).map(([code, text]) => ({ name: `errors/${code}`, text })),
].map(({ name, text }) => ({ name, blocks: blocksOf(text) }));

const api = await openTestApi(liftedLimits);
await openTestWorker(api.config);
const receiver = await openReceiver();
afterAll(() => receiver.close());

/** The two addresses that a page can only guess: of the service, and of the receiver. */
const withRealAddresses = (text: string, hooksUrl: string) =>
  text.replaceAll('http://127.0.0.1:8080', api.url).replaceAll('http://127.0.0.1:3000', hooksUrl);

/** What a page says that its reader will see: in how many of its blocks it is printed. */
const promises: Record<string, { words: string; times: number }[]> = {
  quickstart: [{ words: 'PSE-LUMINANCE', times: 3 }],
  'guides/versions': [{ words: "gone [ 'SAFE-PDF-AUTOMATIC-ACTION' ]", times: 1 }],
  'guides/sandbox': [
    { words: 'complete, issueCount: null\n', times: 1 },
    { words: 'Fired asset.processing.completed', times: 1 },
    { words: '"dispatched":0', times: 2 }, // of completed and of failed
    { words: 'failed\ncancelled: The analysis was cancelled. Retry the asset.\ncomplete, retries: 1\n', times: 1 },
    { words: 'cancelled\nThe analysis was cancelled. Retry the asset.\n', times: 1 },
    { words: 'notice.txt: The analysis was cancelled. Retry the asset.', times: 2 }, // of the command line
    { words: 'An asset is retried at most 3 times.', times: 2 },
    { words: 'false The analysis was cancelled. It was retried as often as allowed', times: 1 },
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

/** What comes to be printed by that which a page leaves running in the background. */
const logged: Record<string, string[]> = {
  'guides/webhooks': ['  200 '], // what was triggered has come to the receiver on this machine
  'guides/sandbox': [
    ...['verified asset.processing.completed', 'verified asset.processing.failed'],
    ...['sandbox  asset.processing.failed', 'live     asset.processing.failed'],
  ],
};

/** Strict, but Express has no types of its own; the SDK's sources, which are compiled along, need the last one. */
const readersOptions = {
  ...{ target: 'es2022', module: 'nodenext', lib: ['esnext', 'dom'], types: ['node'], noEmit: true },
  ...{ strict: true, noImplicitAny: false, skipLibCheck: true, allowImportingTsExtensions: true },
  exactOptionalPropertyTypes: true,
};

const bodies = { SubmissionRequest, IssueStatusRequest, UploadUrlRequest };

describe('every block of the documentation works as it stands', () => {
  test.each(pages.filter(({ blocks }) => blocks.length > 0))(
    '$name',
    async ({ name, blocks }) => {
      const workspace = await api.makeWorkspace('pro');
      // A page that starts a receiver of its own has its events sent there.
      const port = await freePort();
      const hasReceiver = blocks.some(({ language, marker }) => language === 'ts' && marker === 'background');
      const hooksUrl = hasReceiver ? `http://127.0.0.1:${port}` : receiver.url;
      const variables = { WORKSPACE: JSON.stringify(workspace), PORT: String(port) };
      const shell = openPageShell(join(scratch, name.replaceAll('/', '-')), variables);
      const outputs: string[] = [];
      try {
        await shell.run('prelude', withRealAddresses(prelude, hooksUrl));
        const event = blocks.some(({ marker }) => ['server', 'route-handler'].includes(marker))
          ? await takeSignedEvent(api.client, workspace)
          : undefined;
        for (const block of blocks) {
          const real = { ...block, text: withRealAddresses(block.text, hooksUrl) };
          outputs.push(`${await tryBlock(real, shell, event)}`);
        }
        for (const words of logged[name] ?? []) await shell.untilLogged(words);
        const promised = promises[name] ?? [];
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
  ); // a guide may simulate, and wait for, a dozen submissions
});

async function tryBlock(block: Block, shell: PageShell, event: SignedEvent | undefined): Promise<string | undefined> {
  const { text } = block;
  const name = `line-${block.line}`;
  if (block.language === 'text' || block.marker === 'prelude') return undefined;
  if (block.language === 'sh' && block.marker === '') return shell.run(name, text);
  if (block.language === 'ts' && ['', 'background'].includes(block.marker)) {
    writeFileSync(join(shell.folder, `${name}.ts`), text);
    if (block.marker === '') return shell.run(name, `node ${name}.ts`);
    await shell.start(name, `node ${name}.ts`);
    return undefined;
  }

  if (block.language === 'yaml') expect(parse(text)).toBeTypeOf('object');
  else if (block.language === 'json') checkJson(block);
  else if (block.marker === 'setup') checkSetup(block);
  else if (block.marker === 'background') await shell.start(name, text);
  else await tryReceiver(block.marker, join(shell.folder, `${name}.ts`), text, event as SignedEvent);
  return undefined;
}

async function tryReceiver(marker: string, file: string, text: string, event: SignedEvent): Promise<void> {
  writeFileSync(file, text);
  await (marker === 'server' ? tryServer(file, event) : tryRouteHandler(file, event));
}

function checkJson({ text, marker }: Block): void {
  const value = JSON.parse(text);
  if (marker) bodies[marker as keyof typeof bodies].parse(value);
}

/** What installs or starts things cannot be run here: it must be what README.md says, or a script that exists. */
function checkSetup({ text }: Block): void {
  for (const line of text.trim().split('\n')) {
    const [, script = ''] = /^pnpm (\S+)$/.exec(line) ?? [];
    if (!readme.includes(line) && !(script in scripts)) throw new Error(`README.md knows nothing of: ${line}`);
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
      const isUp = await post(forged(event)).then(
        () => true,
        () => false,
      );
      if (isUp) break;
      if (tries > 200 || server.exitCode !== null) throw new Error(`${basename(file)} does not listen`);
      await sleep(50);
    }
    expect((await post(event)).status).toBe(204);
    expect((await post(forged(event))).status).toBe(400);
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
  expect((await post(forged(event))).status).toBe(400);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

describe('what the blocks are held to', () => {
  test('every TypeScript block compiles, as it would for a reader', () => {
    const folder = join(scratch, 'types');
    mkdirSync(folder, { recursive: true });
    for (const { name, blocks } of pages) {
      for (const { language, text, line } of blocks) {
        if (language === 'ts') writeFileSync(join(folder, `${name.replaceAll('/', '-')}-${line}.ts`), text);
      }
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: readersOptions, include: ['*.ts'] }),
    );
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8', timeout: 60_000 });
    expect(tsc.stdout).toBe('');
    expect(tsc.status).toBe(0);
  });

  test.each(['```sh nonsense', '```py', '```', '```ts [TypeScript] extra'])('%s is refused', (fence) => {
    expect(() => blocksOf(`${fence}\ntrue\n\`\`\`\n`)).toThrow('nobody knows how to try');
  });

  test('a line of a shell block that fails, fails', async () => {
    const shell = openPageShell(join(scratch, 'failing'), {});
    await expect(shell.run('one', 'false\ntrue\n')).rejects.toThrow('ended with 1');
    await shell.close();
  });

  test('a setup line that README.md does not have is refused', () => {
    expect(() => checkSetup({ language: 'sh', marker: 'setup', text: 'pnpm nonsense\n', line: 1 })).toThrow(
      'knows nothing',
    );
  });

  test('every page has blocks, or is the front page', () => {
    expect(
      pages.filter(({ name, blocks }) => blocks.length === 0 && !name.startsWith('errors/')).map(({ name }) => name),
    ).toEqual(['index']);
  });
});
