import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { buckets } from '@assay/contract/limits.ts';
import { type Image, imageNameOf, images } from './build-images.ts';
import { checkFiles, listFiles, type Results } from './check-files.ts';
import { confinementOptions, stackOptions } from './run-image.ts';
import { installTools, readOutput, root } from './tools.ts';

const memoryLimit = '1g';
const filesMax = 50; // the maximum number of assets in one submission
const ports: Record<Image, number> = { api: 8080, worker: 9465 };
const containerOf = (image: Image) => `assay-accept-${image}`;
/** Rate limits high enough that the uploads do not wait for them. */
const limits = `RATE_LIMITS=${JSON.stringify({ pro: Object.fromEntries(buckets.map((bucket) => [bucket, 10_000])) })}`;

/**
 * Compares what the images find in real files with what this checkout finds. While the files are examined in the
 * images, the worker is killed and started again. Needs `pnpm stack up`, the images, and ports 8080, 9464 and 9465.
 */
export async function acceptImages(): Promise<void> {
  installTools();
  const files = listFiles().slice(0, filesMax);
  const inImages = await withContainers(async (apiKey) => {
    const results = await checkFiles({ apiKey, baseUrl: `http://127.0.0.1:${ports.api}` }, files, restartWorker);
    console.log(`memory of the worker's container: at most ${peakMegabytes()} MB of ${memoryLimit}`);
    return results;
  });
  const inCheckout = await withCheckout((apiKey) =>
    checkFiles({ apiKey, baseUrl: `http://127.0.0.1:${ports.api}` }, files),
  );
  const differing = Object.keys(inCheckout).filter((name) => inImages[name] !== inCheckout[name]);
  const issueCount = Object.values(inCheckout).reduce((sum, result) => sum + JSON.parse(result)[1].length, 0);
  console.log(`${files.length} files, ${issueCount} issues, ${differing.length} files with other results`);
  for (const name of differing) console.log(`${name}\n  image:    ${inImages[name]}\n  checkout: ${inCheckout[name]}`);
  if (differing.length > 0 || issueCount === 0) process.exitCode = 1;
}

async function withContainers(work: (apiKey: string) => Promise<Results>): Promise<Results> {
  const podman = (image: Image, options: string[], args: string[]) =>
    readOutput(
      'podman',
      'run',
      ...options,
      ...confinementOptions(memoryLimit),
      ...stackOptions(),
      '--env',
      limits,
      `${imageNameOf(image)}:latest`,
      ...args,
    );
  podman('api', ['--rm'], ['migrate']);
  const workspace = JSON.parse(
    podman('api', ['--rm'], ['admin', 'workspace', 'create', '--name', 'accept', '--tier', 'pro']),
  );
  try {
    for (const image of images) {
      const startedAt = performance.now();
      podman(image, ['--detach', '--name', containerOf(image)], [image]);
      await untilReady(image);
      console.log(`${image}: ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    const results = await work(workspace.liveKey);
    for (const image of images) {
      const startedAt = performance.now();
      readOutput('podman', 'stop', '--time', '40', containerOf(image));
      const code = readOutput('podman', 'inspect', '--format', '{{.State.ExitCode}}', containerOf(image));
      console.log(
        `${image}: stopped after ${((performance.now() - startedAt) / 1000).toFixed(1)} s with exit code ${code}`,
      );
    }
    return results;
  } finally {
    for (const image of images) readOutput('podman', 'rm', '--force', '--ignore', containerOf(image));
  }
}

async function restartWorker(): Promise<void> {
  readOutput('podman', 'kill', '--signal', 'KILL', containerOf('worker'));
  readOutput('podman', 'start', containerOf('worker'));
  await untilReady('worker');
  console.log('worker: killed, started again, ready');
}

function peakMegabytes(): number {
  const files = '/sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes';
  const script = `cat ${files} 2>/dev/null || true`;
  const [bytes = '0'] = readOutput('podman', 'exec', containerOf('worker'), 'sh', '-c', script).split('\n');
  return Math.round(Number(bytes) / 2 ** 20);
}

async function withCheckout(work: (apiKey: string) => Promise<Results>): Promise<Results> {
  const environment = { ...process.env, RATE_LIMITS: limits.slice('RATE_LIMITS='.length) };
  const args = ['--env-file=.stack/dev/env', 'apps/server/src/main.ts'];
  const create = [...args, 'admin', 'workspace', 'create', '--name', 'checkout', '--tier', 'pro'];
  const { liveKey } = JSON.parse(readOutput(process.execPath, ...create));
  const processes = images.map((role) =>
    spawn(process.execPath, [...args, role], { cwd: root, env: environment, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  try {
    await Promise.all(images.map(untilReady));
    return await work(liveKey);
  } finally {
    for (const one of processes) if (one.kill('SIGTERM')) await once(one, 'exit');
  }
}

async function untilReady(image: Image): Promise<void> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(100)) {
    const response = await fetch(`http://127.0.0.1:${ports[image]}/readyz`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`${image} is not ready after 300 s`);
}
