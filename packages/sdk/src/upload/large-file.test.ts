import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '@assay/server/config/config.ts';
import { builtCli } from '@assay/testing/run/built-cli.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { builtSdk } from '../../test/built-sdk.ts';

// At full size, beyond 32 bits, in every store: LARGE_FILE_GIB=4.5,5 pnpm exec vitest run sdk/src/upload/large-file
const { LARGE_FILE_GIB: fullSizes } = process.env;
const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
type UploadMethod = 'in parts' | 'in one request';
/** Files above 64 MiB are sent in parts. The gate tests one size above this limit, and one below it. */
const sizesAndMethods: { sizeBytes: number; ways: UploadMethod[] }[] = fullSizes
  ? fullSizes
      .split(',')
      .map((gibibytes) => ({ sizeBytes: Math.round(Number(gibibytes) * GiB), ways: ['in parts', 'in one request'] }))
  : [
      { sizeBytes: 72 * MiB, ways: ['in parts'] },
      { sizeBytes: 12 * MiB, ways: ['in one request'] },
    ];
const memoryBytesMax = 200 * MiB;
const uploadMillisMax = 30 * 60_000;
const bin = (...path: string[]) => join(root, 'node_modules', ...path);
const folder = mkdtempSync(join(tmpdir(), 'assay-large-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

cpSync(builtSdk(), join(folder, 'sdk'), { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(
  join(folder, 'upload.js'),
  `import { Assay } from './sdk/assay.js';
   import { openFile } from './sdk/node.js';
   const [path, partBytes] = process.argv.slice(2);
   const options = { partBytes: Number(partBytes) || undefined, timeoutMs: ${uploadMillisMax} };
   const uploaded = await new Assay().uploads.upload(await openFile(path), options);
   console.log(JSON.stringify(uploaded));`,
);
// Printed on exit, because the peak memory of a process cannot be read after it has ended.
writeFileSync(
  join(folder, 'print-memory.mjs'),
  `import { readFileSync } from 'node:fs';
   process.on('exit', () => console.error(/VmHWM:.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]));`,
);

type FileDigest = { sizeBytes: number; sha256: string };

/** Sparse, with different bytes in every 16 MiB, so that a part that is missing or misplaced changes the hash. */
async function makeVideo(sizeBytes: number): Promise<FileDigest & { path: string }> {
  const path = join(folder, `${sizeBytes}.mp4`);
  writeFileSync(path, '\0\0\0\x18ftypisom\0\0\x02\0isommp41');
  truncateSync(path, sizeBytes);
  const file = openSync(path, 'r+');
  for (let at = 16 * MiB; at < sizeBytes; at += 16 * MiB) writeSync(file, `here is byte ${at}`, at);
  closeSync(file);
  return { path, ...(await digestOf(createReadStream(path))) };
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    sizeBytes += piece.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function listStored(config: Config, workspaceId: string): Promise<string[]> {
  const names: string[] = [];
  const blobs = openContainer(config).listBlobsFlat({ prefix: `${workspaceId}/` });
  for await (const { name } of blobs) names.push(name);
  return names;
}

/** Returns the digest of the only file that this workspace has stored, and deletes the file. */
async function takeStored(config: Config, workspaceId: string): Promise<FileDigest> {
  const names = await listStored(config, workspaceId);
  expect(names).toHaveLength(1);
  const blob = openContainer(config).getBlobClient(names[0] as string);
  const { readableStreamBody } = await blob.download();
  const digest = await digestOf(readableStreamBody as unknown as AsyncIterable<Uint8Array>);
  await blob.delete();
  return digest;
}

/** Runs a program until it exits. Returns its output and its peak memory. */
async function runProgram(program: string, args: string[], environment: Record<string, string>) {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
  });
  return { stdout, memoryBytes: Number(/^VmHWM:\s+(\d+) kB$/m.exec(stderr)?.[1]) * 1024 };
}

const printMemory = join(folder, 'print-memory.mjs');
const programs = [
  ['the SDK in Node 20', bin('node-20', 'bin', 'node'), '--import'],
  ['the SDK in Node 22', bin('node-22', 'bin', 'node'), '--import'],
  ['the SDK in Node 24', process.execPath, '--import'],
  ['the SDK in Bun', bin('.bin', 'bun'), '--preload'],
] as const;
// The bundle that is published: run from its TypeScript sources, the CLI needs 40 MiB more.
const cliArguments = ['--import', printMemory, await builtCli()];

const videos = await Promise.all(
  sizesAndMethods.map(async ({ sizeBytes, ways }) => ({ ...(await makeVideo(sizeBytes)), ways })),
);
const services = await Promise.all(
  stores.slice(fullSizes ? 0 : -1).map(async ({ name, environment }) => ({
    name,
    api: await openTestApi({ ...liftedLimits, ...environment }),
  })),
);

describe.each(services)('with storage in $name', ({ api }) => {
  describe.each(videos)('a video of $sizeBytes bytes', ({ path, sizeBytes, sha256, ways }) => {
    const callerOf = (apiKey: string) => ({ ASSAY_BASE_URL: api.url, ASSAY_API_KEY: apiKey });
    const expectLittleMemory = (how: string, memoryBytes: number) => {
      console.log(`${sizeBytes} bytes by ${how}: ${Math.round(memoryBytes / MiB)} MiB of memory`);
      expect(memoryBytes).toBeLessThan(memoryBytesMax);
    };

    const programUploads = programs.flatMap(([name, program, preload]) =>
      ways.map((way) => ({ name, program, preload, way })),
    );
    test.each(programUploads)(
      'is stored intact when $name sends it $way',
      async ({ name, program, preload, way }) => {
        const { workspaceId, liveKey } = await api.makeWorkspace();
        const partBytes = way === 'in parts' ? 0 : 2 * sizeBytes;
        const args = [preload, printMemory, join(folder, 'upload.js'), path, String(partBytes)];
        const { stdout, memoryBytes } = await runProgram(program, args, callerOf(liveKey));
        expect(JSON.parse(stdout)).toMatchObject({ sizeBytes, contentSha256: sha256 });
        expect(await takeStored(api.config, workspaceId)).toEqual({ sizeBytes, sha256 });
        expectLittleMemory(`${name}, ${way}`, memoryBytes);
      },
      uploadMillisMax,
    );

    test(
      'is stored intact when the CLI submits it',
      async () => {
        const { workspaceId, sandboxKey } = await api.makeWorkspace();
        const { stdout, memoryBytes } = await runProgram(
          process.execPath,
          [...cliArguments, 'submit', path, '--json'],
          callerOf(sandboxKey),
        );
        const { submissionId, assetId } = JSON.parse(stdout).assets[0];
        const asset = await api.client(sandboxKey).get(`/submissions/${submissionId}/assets/${assetId}`);
        expect(asset.body.sizeBytes).toBe(sizeBytes);
        expect(await takeStored(api.config, workspaceId)).toEqual({ sizeBytes, sha256 });
        expectLittleMemory('the CLI', memoryBytes);
      },
      uploadMillisMax,
    );
  });

  test('the CLI rejects a video of 6 GiB before sending its first byte', async () => {
    const path = join(folder, 'too-large.mp4');
    writeFileSync(path, '\0\0\0\x18ftypisom');
    truncateSync(path, 6 * GiB);
    const { workspaceId, liveKey } = await api.makeWorkspace();
    const caller = { ASSAY_BASE_URL: api.url, ASSAY_API_KEY: liveKey };
    const failed = await runProgram(process.execPath, [...cliArguments, 'check', path], caller).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 5, stdout: expect.any(String) });
    expect(String((failed as Error).message)).toContain('6.0 GiB; a video can be up to 5 GiB');
    expect(await listStored(api.config, workspaceId)).toEqual([]);
  });
});
