import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFlakyProxy } from '@assay/testing/faults/flaky-proxy.ts';
import { launchBrowser } from '@assay/testing/run/browser.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { openFlakyStorage } from '@assay/testing/storage/flaky-storage.ts';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtSdk } from '../test/built-sdk.ts';
import type { Context, StoredFile } from '../test/connection.ts';
import { clientTestNames, type Outcome } from '../test/walk.ts';

const bin = (...path: string[]) => join(root, 'node_modules', ...path);
const browserContextCount = 4;
/** Only ends client tests that hang. All of them usually take 15 seconds, but longer on a busy machine. */
const clientTestsMillisMax = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'assay-sdk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const flakyProxy = await openFlakyProxy();
afterAll(flakyProxy.close);

const mainApi = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document,webhook' });
const fewConnectionsSettings = { DATABASE_CONNECTIONS_MAX: '2', ...liftedLimits };
const tinyRateLimits = JSON.stringify({ enterprise: { submission_read: 1 } });
// Each storage proxy has its own port: for a page in a browser, storage is a different origin.
const flakyStorageSettings = async (fault: string) => (await openFlakyStorage(mainApi.config, fault)).environment;
const unreachableStorageSettings =
  mainApi.config.OBJECT_STORE === 's3'
    ? { S3_ENDPOINT: 'http://127.0.0.1:1' }
    : { BLOB_URL: `http://127.0.0.1:1/${mainApi.config.BLOB_ACCOUNT}` };
const services = {
  main: mainApi,
  limited: await openTestApi({ ...fewConnectionsSettings, RATE_LIMITS: tinyRateLimits }),
  astray: await openTestApi({ ...fewConnectionsSettings, ...unreachableStorageSettings }),
  shaky: await openTestApi({ ...fewConnectionsSettings, ...(await flakyStorageSettings('fifth')) }),
  closed: await openTestApi({ ...fewConnectionsSettings, ...(await flakyStorageSettings('answer-403-1000000')) }),
};
await openTestWorker(mainApi.config);
for (const [name, { url }] of Object.entries(services)) flakyProxy.addTarget(name, url);

/** Bundles the client tests, and the client as it is published, into one file. */
async function bundleClientTests(): Promise<string> {
  const built = builtSdk();
  const bundle = await rolldown({
    input: join(root, 'packages/sdk/test/walk.ts'),
    resolve: {
      alias: {
        '@assay/sdk/webhooks': join(built, 'webhook-signature.js'),
        '@assay/sdk': join(built, 'assay.js'),
      },
    },
  });
  await bundle.write({ file: join(folder, 'walk.mjs') });
  return readFileSync(join(folder, 'walk.mjs'), 'utf8');
}

async function makeContext(baseUrl: string): Promise<Context> {
  const { liveKey, sandboxKey } = await mainApi.makeWorkspace();
  const { liveKey: freeKey } = await mainApi.makeWorkspace('free');
  return { baseUrl, proxyUrl: flakyProxy.url, liveKey, sandboxKey, freeKey };
}

async function runInProcess(program: string): Promise<Outcome[]> {
  const child = spawn(program, [join(folder, 'run.mjs')], {
    env: { PATH: process.env.PATH, HOME: folder, CONTEXT: JSON.stringify(await makeContext(mainApi.url)) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  const [code] = await once(child, 'close');
  const text = Buffer.concat(pieces).toString();
  if (code !== 0) throw new Error(`the client tests ended with exit code ${code}: ${text}`);
  return JSON.parse(text);
}

/** Divides the tests among browser contexts, because each opens at most six connections to one address. */
async function runInBrowser(): Promise<Outcome[]> {
  const browser = await launchBrowser();
  const runInPage = async (names: string[]): Promise<Outcome[]> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${flakyProxy.url}/page`);
    const args = JSON.stringify([await makeContext(`${flakyProxy.url}/main/page/calm`), names, 2]);
    const text = `import('/walk.mjs').then(({ runClientTests }) => runClientTests(...${args})).then(JSON.stringify)`;
    return JSON.parse(await page.evaluate(text));
  };
  try {
    const parts = Array.from({ length: browserContextCount }, (_, i) =>
      clientTestNames.filter((_, n) => n % browserContextCount === i),
    );
    return (await Promise.all(parts.map(runInPage))).flat();
  } finally {
    await browser.close();
  }
}

async function takeFromStorage({ blobPath }: StoredFile): Promise<StoredFile> {
  const blob = openContainer(mainApi.config).getBlobClient(blobPath);
  const { contentType = '', readableStreamBody } = await blob.download();
  const hash = createHash('sha256');
  for await (const piece of readableStreamBody ?? []) hash.update(piece);
  await blob.delete();
  return { blobPath, contentType, sha256: hash.digest('hex') };
}

beforeAll(async () => {
  flakyProxy.serve('/page', 'text/html', '<title>a page</title>');
  flakyProxy.serve('/walk.mjs', 'text/javascript', await bundleClientTests());
  const lines = [
    `import { runClientTests } from './walk.mjs';`,
    `process.stdout.write(JSON.stringify(await runClientTests(JSON.parse(process.env.CONTEXT))), () => process.exit());`,
  ];
  writeFileSync(join(folder, 'run.mjs'), lines.join('\n'));
});

/** Node 24 only with `RUNTIMES=all`, as in the nightly run: all other tests of the SDK, CLI and samples use Node 24. */
const runtimes = [
  { name: 'Node 20', version: 'v20.', program: bin('node-20', 'bin', 'node') },
  { name: 'Node 24', version: 'v24.', program: process.execPath },
  { name: 'Bun', version: '1.', program: bin('.bin', 'bun') },
  { name: 'a page in Chromium', version: '', program: undefined },
].filter(({ name }) => process.env.RUNTIMES === 'all' || name !== 'Node 24');

describe.each(runtimes)('$name', ({ version, program }) => {
  let outcomes: Outcome[] = [];
  beforeAll(async () => {
    outcomes = program ? await runInProcess(program) : await runInBrowser();
  }, clientTestsMillisMax);

  if (program) {
    test('the runtime has the expected version', () => {
      expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(version);
    });
  }

  test.each(clientTestNames)('%s', async (testName) => {
    const outcome = outcomes.find(({ name }) => name === testName);
    expect(outcome?.error).toBeUndefined();
    for (const { blobPath, contentType, sha256 } of outcome?.stored ?? []) {
      expect(await takeFromStorage({ blobPath, contentType, sha256 })).toEqual({ blobPath, contentType, sha256 });
    }
    expect(outcome).toBeDefined();
  });
});
