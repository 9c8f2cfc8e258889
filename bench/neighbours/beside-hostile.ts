import { setTimeout as sleep } from 'node:timers/promises';
import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { administer } from '@assay/server/admin/admin.ts';
import { median, percentile } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { makeFiles } from '#verify/resilience/chaos/load/files.ts';
import type { SubmissionBench } from '../submissions/submission-bench.ts';
import type { Outcome } from './beside-streams.ts';

/** Files that another workspace keeps in progress, and what they may cost. */
export type Hostile = {
  title: string;
  files: readonly { filename: string; bytes(): Uint8Array }[];
  /** Groups of honest files whose p95 may be at most three times as long. The others are only reported. */
  limited: readonly Group[];
};
type Settings = { windows: number; seconds: number };

const hostileAtOnce = 8;
const ordinaryEveryMillis = 500;
const overSecondsMax = 600;
const ratioMax = 3;
/** Groups of files whose times are measured together. */
const fileGroups = { documents: /\.(txt|pdf)$/, images: /\.jpg$/, audio: /\.wav$/, 'short videos': /\.mp4$/ };
type Group = keyof typeof fileGroups;
const groups = Object.keys(fileGroups) as Group[];
type Times = Record<Group, number[]>;

/** Measures how long ordinary submissions take while another workspace submits hostile files. */
export async function measureBesideHostile(
  bench: SubmissionBench,
  { windows, seconds }: Settings,
  { title, files, limited }: Hostile,
): Promise<Outcome> {
  const hostile = await openHostileWorkspace(bench, files);
  const ordinary = await uploadOrdinary(bench.live);
  const failed: string[] = [];
  const measure = () => submitOrdinary(bench.live, ordinary, seconds, failed);
  await measure(); // warm-up

  const pairs: { alone: Times; beside: Times }[] = [];
  for (let i = 0; i < windows; i++) {
    const alone = await measure();
    const attack = hostile.begin();
    const beside = await measure();
    await attack.end();
    pairs.push({ alone, beside });
    console.log(`pair ${i + 1} of ${windows}: ${hostile.counts()}`);
  }
  const p95 = (times: Times, group: Group) => percentile(times[group], 0.95);
  const ratioOf = (group: Group) => median(pairs.map(({ alone, beside }) => p95(beside, group) / p95(alone, group)));
  const slow = limited.filter((group) => ratioOf(group) > ratioMax);
  return {
    title,
    what:
      `Another workspace keeps ${hostileAtOnce} submissions of hostile files in progress: ${hostile.counts()}. The measured workspace submits ` +
      `a file every ${ordinaryEveryMillis} ms, in ${windows} pairs of windows of ${seconds} s, without and with them; times are from the ` +
      `request to the end of the submission. ${failed.length} of its submissions failed. Ratio of the p95, median: ` +
      `${groups.map((group) => `${group} **${ratioOf(group).toFixed(2)}**`).join(', ')} ` +
      `(at most ${ratioMax} allowed for ${limited.join(', ')}).`,
    table: formatTable(
      pairs.flatMap(({ alone, beside }, i) =>
        groups.map((group) => ({
          pair: String(i + 1),
          files: group,
          'without, count': String(alone[group].length),
          'p95 s': (p95(alone, group) / 1000).toFixed(2),
          'with, count': String(beside[group].length),
          'p95 with s': (p95(beside, group) / 1000).toFixed(2),
          ratio: (p95(beside, group) / p95(alone, group)).toFixed(2),
        })),
      ),
    ),
    complaints: [
      ...(failed.length === 0 ? [] : [`ordinary submissions failed: ${failed.slice(0, 5).join(', ')}`]),
      ...slow.map((group) => `${group} take ${ratioOf(group).toFixed(2)} times as long beside hostile files`),
    ],
  };
}

type Ordinary = { filename: string; blobPath: string };

async function uploadOrdinary(client: Client): Promise<Ordinary[]> {
  const ordinary: Ordinary[] = [];
  for (const { filename, bytes } of makeFiles()) {
    const { body } = await client.uploadFile(filename, bytes);
    ordinary.push({ filename, blobPath: body.blobPath });
  }
  return ordinary;
}

/** Submits at a steady rate, however long the previous ones take; resolves when all are finished. */
async function submitOrdinary(client: Client, ordinary: Ordinary[], seconds: number, failed: string[]): Promise<Times> {
  const times: Times = { documents: [], images: [], audio: [], 'short videos': [] };
  const one = async ({ filename, blobPath }: Ordinary) => {
    const begin = performance.now();
    const { submissionId } = await submit(client, [blobPath]);
    const { status, assets } = await untilFinished(client, submissionId, overSecondsMax);
    for (const group of groups) if (fileGroups[group].test(filename)) times[group].push(performance.now() - begin);
    if (status !== 'complete') failed.push(`${filename}: ${assets[0]?.errorType}`);
  };
  const begin = performance.now();
  const pending: Promise<void>[] = [];
  for (let i = 0; performance.now() < begin + seconds * 1000; i++) {
    pending.push(one(ordinary[i % ordinary.length] as Ordinary));
    await sleep(Math.max(0, begin + (i + 1) * ordinaryEveryMillis - performance.now()));
  }
  await Promise.all(pending);
  return times;
}

/** Undefined if the service refuses the file. */
async function upload(client: Client, filename: string, bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.length <= directUploadBytesMax) {
    const { status, body } = await client.uploadFile(filename, bytes);
    return status === 201 ? body.blobPath : undefined;
  }
  const { body } = await client.post('/uploads/url', { filename, contentType: mediaTypeOfFilename(filename)?.type });
  await putBlob(body.uploadUrl, bytes);
  return body.blobPath;
}

/** Hostile files are uploaded before the measurement, so that making them takes no CPU during it. */
async function openHostileWorkspace({ config, api }: SubmissionBench, files: Hostile['files']) {
  const workspace = await administer(config, 'workspace create --name hostile --tier enterprise'.split(' '));
  const client = createClient(api.url, (workspace as { liveKey: string }).liveKey);
  const blobPaths: string[] = [];
  for (const { filename, bytes } of files) {
    const blobPath = await upload(client, filename, bytes());
    if (blobPath) blobPaths.push(blobPath);
  }
  const ends = new Map<string, number>();
  const note = (end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);
  let next = 0;
  const submitOne = async (isOver: () => boolean) => {
    const { status, body } = await client.post('/submissions', {
      assets: [{ blobPath: blobPaths[next++ % blobPaths.length] }],
    });
    if (status !== 201) return note(`refused ${status}`);
    for (;;) {
      const { body: now } = await client.get(`/submissions/${body.submissionId}`);
      if (now.status === 'complete' || now.status === 'failed') return note(now.assets[0].errorType ?? 'complete');
      if (isOver()) await client.post(`/submissions/${body.submissionId}/cancel`);
      else await sleep(250);
    }
  };
  return {
    counts: () => [...ends].map(([end, count]) => `${count} ${end}`).join(', '),
    /** Keeps `hostileAtOnce` submissions in progress until `end` is called, which cancels those that remain. */
    begin() {
      let isOver = false;
      const line = async () => {
        while (!isOver) await submitOne(() => isOver);
      };
      const lines = Array.from({ length: hostileAtOnce }, line);
      return {
        async end() {
          isOver = true;
          await Promise.all(lines);
        },
      };
    },
  };
}
