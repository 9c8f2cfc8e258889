import { readFileSync } from 'node:fs';
import { posterSidePixelsMax, seriesPointsMax, stillSidePixelsMax } from '@assay/contract/limits.ts';
import { prefixes } from '@assay/contract/route.ts';
import type { Issue } from '@assay/contract/schemas/issue.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,video,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);

// Three seconds of a test pattern with a tone, then three seconds of black and silence.
const mediaFolder = openMediaFolder('evidence');
const video = await mediaFolder.make(
  'advert.mp4',
  ...['-f', 'lavfi', '-i', "testsrc2=s=960x540:r=25:d=6,drawbox=c=black:t=fill:enable='gte(t,3)'"],
  ...['-f', 'lavfi', '-i', "sine=sample_rate=48000:d=6,volume=0:enable='gte(t,3)'"],
  ...['-c:v', 'libx264', '-c:a', 'aac'],
);
const upload = async () => (await live.uploadFile('advert.mp4', readFileSync(video))).body.blobPath as string;

const deletedBlobPath = await upload();
const failedSubmission = await submit(live, [deletedBlobPath]);
await openContainer(api.config).getBlobClient(deletedBlobPath).delete();
const waitingSubmission = await submit(apiWithoutWorker.client(workspace.liveKey), [await upload()]);
await openTestWorker(api.config);

const created = await submit(live, [await upload()]);
await untilFinished(live, created.submissionId);
const issues: Issue[] = (await live.get(`${assetPath(created)}/issues`)).body.issues;
const blackIssue = issues.find(({ ruleCode }) => ruleCode === 'QC-BLACK') as Issue;
const issueWithoutStills = issues.find(({ evidence }) => evidence.length === 0) as Issue;

/** The width and height from the frame header of a JPEG. */
function sizeOf(jpeg: Buffer): [number, number] {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] === 0xc0) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
  }
  throw new Error('not a JPEG');
}

describe('GET /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}/evidence/{n}', () => {
  describe('200: a still image of the issue', () => {
    test('every evidence URL of an issue returns a JPEG that is 640 pixels wide and was taken during the issue', async () => {
      expect(blackIssue.evidence.length).toBeGreaterThan(0);
      for (const { kind, url, timeMs } of blackIssue.evidence) {
        expect(kind).toBe('image');
        expect(timeMs).toBeGreaterThanOrEqual(3000);
        const response = await live.get(url.slice(prefixes[0].length));
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('image/jpeg');
        const [width, height] = sizeOf(response.body);
        expect([width, height]).toEqual([stillSidePixelsMax, 360]);
      }
    });
  });

  test('evidence URLs have the same path prefix as the request (§D16)', async () => {
    for (const prefix of prefixes) {
      const { body } = await live.send('GET', `${assetPath(created)}/issues`, { prefix });
      const urls = body.issues.flatMap((issue: { evidence: { url: string }[] }) =>
        issue.evidence.map(({ url }) => url),
      );
      expect(urls.length).toBeGreaterThan(0);
      expect(urls.filter((url: string) => !url.startsWith(`${prefix}/submissions/`))).toEqual([]);
    }
  });

  describe('404: the still does not exist, or the asset has not finished', () => {
    const below = `/issues/${blackIssue.id}/evidence/1`;
    test.each([
      ['asset_not_ready', assetPath(waitingSubmission) + below],
      [
        'evidence_not_found',
        `${assetPath(created)}/issues/${blackIssue.id}/evidence/${blackIssue.evidence.length + 1}`,
      ],
      ['evidence_not_found', `${assetPath(created)}/issues/${issueWithoutStills.id}/evidence/1`],
    ])('the request is refused with %s', async (code, path) => {
      expect(await live.get(path)).toMatchObject(refused(404, code));
    });

    test('asset_failed is returned for an asset whose analysis failed', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      expect(await live.get(`${assetPath(failedSubmission)}${below}`)).toMatchObject(refused(404, 'asset_failed'));
    });
  });

  describe('422: the number is invalid', () => {
    test.each(['0', '-1', '1.5', '01', 'x', '1000', '%31%00'])(
      'validation_failed is returned for evidence/%s',
      async (n) => {
        const path = `${assetPath(created)}/issues/${blackIssue.id}/evidence/${n}`;
        expect(await live.get(path)).toMatchObject(refused(422, 'validation_failed', '/n'));
      },
    );
  });
});

describe('GET /submissions/{submission_id}/assets/{asset_id}/poster', () => {
  describe('200: a still of the asset', () => {
    test('the asset has its technical facts and the URL of its poster, a JPEG up to 480 pixels wide', async () => {
      const { media } = (await live.get(assetPath(created))).body;
      expect(media).toMatchObject({
        container: 'MP4',
        durationMs: expect.closeTo(6000, -2),
        video: [{ codec: 'h264', width: 960, height: 540, frameRate: 25, scan: 'progressive' }],
        audio: [{ codec: 'aac', channels: 1, sampleRate: 48_000 }],
        poster: { url: `${prefixes[0]}${assetPath(created)}/poster`, timeMs: expect.any(Number) },
      });
      const response = await live.get(`${assetPath(created)}/poster`);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(sizeOf(response.body)).toEqual([posterSidePixelsMax, 270]);
    });
  });

  describe('404: the asset has no poster, or has not finished', () => {
    test('evidence_not_found is returned for text, which has no poster', async () => {
      const text = await submit(live, [await uploadText(live, 'a.txt', 'a')]);
      await untilFinished(live, text.submissionId);
      expect((await live.get(assetPath(text))).body.media).toBeNull();
      expect(await live.get(`${assetPath(text)}/poster`)).toMatchObject(refused(404, 'evidence_not_found'));
    });

    test('asset_not_ready and asset_failed are returned for an asset without results', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      expect(await live.get(`${assetPath(waitingSubmission)}/poster`)).toMatchObject(refused(404, 'asset_not_ready'));
      expect(await live.get(`${assetPath(failedSubmission)}/poster`)).toMatchObject(refused(404, 'asset_failed'));
    });
  });
});

describe('GET /submissions/{submission_id}/assets/{asset_id}/measurements', () => {
  type Series = { name: string; unit: string; stepMs: number; values: (number | null)[] };
  const measurementsOf = async (one: SubmissionIds) => (await live.get(`${assetPath(one)}/measurements`)).body;

  describe('200: measurements over time', () => {
    test('every series covers the whole video with a bounded number of values', async () => {
      const { durationMs, frameRate, series } = await measurementsOf(created);
      expect(durationMs).toBeGreaterThanOrEqual(6000);
      expect(frameRate).toBe(25);
      expect(series.map(({ name }: Series) => name)).toEqual([
        'loudnessMomentary',
        'loudnessShortTerm',
        'soundLevel',
        'silence',
        'luminance',
        'flashes',
      ]);
      for (const { name, stepMs, values } of series as Series[]) {
        expect([name, values.length <= seriesPointsMax]).toEqual([name, true]);
        expect([name, Math.abs(values.length * stepMs - 6000) < 1000]).toEqual([name, true]);
      }
    });

    test('the values match a video that is black and silent in its second half', async () => {
      const { series } = await measurementsOf(created);
      const at = (name: string, ms: number) => {
        const { stepMs, values } = series.find((one: Series) => one.name === name);
        return values[Math.floor(ms / stepMs)];
      };
      expect([at('silence', 1500), at('silence', 4500)]).toEqual([0, 1]);
      expect(at('luminance', 1500)).toBeGreaterThan(0.2);
      expect(at('luminance', 4500)).toBeLessThan(0.05);
      expect(at('soundLevel', 4500)).toBeLessThan(at('soundLevel', 1500) - 40);
    });

    test('a text file has no measurements', async () => {
      const text = await submit(live, [await uploadText(live, 'a.txt', 'a')]);
      await untilFinished(live, text.submissionId);
      expect(await measurementsOf(text)).toMatchObject({ durationMs: null, frameRate: null, series: [] });
    });
  });

  describe('404: the asset does not exist or has not finished', () => {
    test('asset_not_ready is returned for an asset that is waiting', async () => {
      expect(await live.get(`${assetPath(waitingSubmission)}/measurements`)).toMatchObject(
        refused(404, 'asset_not_ready'),
      );
    });

    test('asset_failed is returned for an asset whose analysis failed', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      expect(await live.get(`${assetPath(failedSubmission)}/measurements`)).toMatchObject(refused(404, 'asset_failed'));
    });
  });
});

describe('the stills of a deleted submission', () => {
  test('are deleted with it, and so is its poster', async () => {
    const { submissionId, assets } = created;
    const stills = api.handles.db.selectFrom('stills').select('still_id').where('submission_id', '=', submissionId);
    expect((await stills.execute()).map((row) => row.still_id)).toContain(assets[0]?.assetId);
    await live.delete(`/submissions/${submissionId}`);
    expect(await stills.execute()).toEqual([]);
  });
});
