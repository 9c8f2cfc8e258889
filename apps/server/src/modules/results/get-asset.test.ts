import { hash, randomUUID } from 'node:crypto';
import { noVerdict } from '@assay/contract/no-verdict.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  untilFinished,
  uploadText,
  versionOf,
} from '@assay/testing/service/submissions.ts';
import { openContainer, putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);

const fileSafety = sidekicks.find(({ name }) => name === 'File safety');
const fileSafetyOnly = { sidekickIds: [fileSafety?.id ?? ''] };
const scriptPdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');
const upload = async (bytes: Uint8Array) => (await live.uploadFile('leaflet.pdf', bytes)).body.blobPath as string;

/** Reads the only asset of a submission once it has finished. */
async function readFinishedAsset(client: Client, created: SubmissionIds) {
  await untilFinished(client, created.submissionId);
  return (await client.get(assetPath(created))).body;
}

const { body: issued } = await live.post('/uploads/url', { filename: 'leaflet.pdf', contentType: 'application/pdf' });
const replacedFileSubmission = await submitThenReplace();
const deletedFileSubmission = await submitThenRemove();
await openTestWorker(api.config);

/** Replaces the bytes after they were validated: the upload URL is still valid after the submission. */
async function submitThenReplace(): Promise<SubmissionIds> {
  await putBlob(issued.uploadUrl, makePdf());
  const created = await submit(live, [issued.blobPath]);
  await putBlob(issued.uploadUrl, scriptPdf);
  return created;
}

async function submitThenRemove(): Promise<SubmissionIds> {
  const blobPath = await upload(scriptPdf);
  const created = await submit(live, [blobPath]);
  await openContainer(api.config).getBlobClient(blobPath).delete();
  return created;
}

/** Every default sidekick is listed, even if it does not apply to plain text. */
const checksOf = (profile: string) =>
  sidekicks
    .filter(({ isDefault }) => isDefault)
    .map(({ id, name, shortName, version }) =>
      expect.objectContaining({
        sidekickId: id,
        sidekickName: name,
        shortName,
        version,
        profile,
        ...(id === fileSafety?.id
          ? { outcome: 'ran', reason: null }
          : { outcome: 'not_applicable', reason: expect.stringMatching(/^nothing_in_(file|profile)$/) }),
        issueCount: 0,
        omittedCount: 0,
      }),
    );

describe('GET /submissions/{submission_id}/assets/{asset_id}', () => {
  describe('200: the response contains the asset in any status', () => {
    test('an unfinished asset has no issues, no issueCount and no checks (§2.3b, §4.3p)', async () => {
      const bytes = scriptPdf;
      const waiting = await submit(apiWithoutWorker.client(workspace.liveKey), [await upload(bytes)]);
      const { status, body } = await live.get(assetPath(waiting));
      expect(status).toBe(200);
      expect(body).toEqual({
        ...versionOf(waiting.assets[0] as SubmissionIds['assets'][number]),
        submissionId: waiting.submissionId,
        filename: 'leaflet.pdf',
        status: 'submitted',
        issues: [],
        mimeType: 'application/pdf',
        issueCount: null,
        sizeBytes: bytes.length,
        contentSha256: null,
        progressPercent: 0,
        errorMessage: null,
        errorType: null,
        isRetryable: false,
        retryCount: 0,
        createdAt: expect.any(String),
        completedAt: null,
        ...noVerdict,
        media: null,
        checks: [],
      });
    });

    test('a complete asset has issueCount compact issues and the checks that ran (§1k, §2.3d, §2.4e)', async () => {
      const created = await submit(live, [await upload(scriptPdf)], fileSafetyOnly);
      const asset = await readFinishedAsset(live, created);
      expect(asset).toMatchObject({
        ...created.assets.map(versionOf)[0],
        status: 'complete',
        progressPercent: 100,
        errorType: null,
        contentSha256: hash('sha256', scriptPdf),
      });
      expect(asset.issues.map((issue: { ruleCode: string }) => issue.ruleCode).sort()).toEqual([
        'SAFE-PDF-AUTOMATIC-ACTION',
        'SAFE-PDF-JAVASCRIPT',
      ]);
      expect(asset.issueCount).toBe(asset.issues.length);
      for (const issue of asset.issues) {
        expect(Object.keys(issue).sort()).toEqual([
          'id',
          'referenceNumber',
          'ruleCode',
          'severity',
          'status',
          'summary',
        ]);
        expect(issue).toMatchObject({ severity: 'MAJOR', status: 'OPEN' });
      }
      expect(asset.checks).toEqual([
        {
          sidekickId: fileSafety?.id,
          sidekickName: 'File safety',
          shortName: 'file-safety',
          version: fileSafety?.version,
          profile: 'general',
          profileRevision: expect.any(Number),
          outcome: 'ran',
          reason: null,
          coverage: { examined: expect.any(Array), notExamined: [] },
          measured: [],
          notVerifiedRuleCode: 'SAFE-NOT-VERIFIED',
          issueCount: 2,
          omittedCount: 0,
          omittedSeverityCounts: { critical: 0, major: 0, minor: 0, info: 0 },
        },
      ]);
      expect(Date.parse(asset.completedAt)).toBeGreaterThanOrEqual(Date.parse(asset.createdAt));
    });

    test('a complete asset without issues has an issueCount of 0 and the checks that ran', async () => {
      const asset = await readFinishedAsset(live, await submit(live, [await upload(makePdf())], fileSafetyOnly));
      expect(asset).toMatchObject({ status: 'complete', issueCount: 0, issues: [], checks: [{ outcome: 'ran' }] });
    });

    test('checks contain every default sidekick if none was chosen', async () => {
      const asset = await readFinishedAsset(live, await submit(live, [await uploadText(live)]));
      expect(asset.checks).toEqual(checksOf('general'));
    });

    test('checks contain the profile of the submission', async () => {
      const metadata = { assay: { profile: 'atsc-a85' } };
      const asset = await readFinishedAsset(live, await submit(live, [await uploadText(live)], { metadata }));
      expect(asset.checks).toEqual(checksOf('atsc-a85'));
    });

    test('an issue of a limit that an own profile changes, or inherits from one, cites the profile that was applied', async () => {
      await live.post('/profiles', {
        name: 'one-line',
        extends: { profile: 'social' },
        limits: { captions: { linesMax: 1 } },
      });
      await live.post('/profiles', { name: 'same-lines', extends: { profile: 'one-line' } });
      await live.post('/profiles', {
        name: 'two-lines',
        extends: { profile: 'one-line' },
        limits: { captions: { linesMax: 2 } },
      });
      const cues = '1\n00:00:01,000 --> 00:00:06,000\nOne\nTwo\nThree\n';
      const { blobPath } = (await live.uploadFile('a.srt', Buffer.from(cues))).body;
      const standardUnder = async (profile: string) => {
        const created = await submit(live, [blobPath], { metadata: { assay: { profile } } });
        await untilFinished(live, created.submissionId);
        const { issues } = (await live.get(`${assetPath(created)}/issues?ruleCode=CAPT-LINES`)).body;
        return issues[0].standard;
      };
      const applied = (name: string) => ({ name: `profile ${name}`, clause: 'revision 1', isVerified: true });
      expect(await standardUnder('one-line')).toEqual(applied('one-line'));
      expect(await standardUnder('same-lines')).toEqual(applied('same-lines'));
      // The limit is that of the built-in profile again.
      expect(await standardUnder('two-lines')).toEqual(applied('social'));
    });

    test('an asset with an empty list of sidekicks is complete with no issues and no checks (§4.3d)', async () => {
      const asset = await readFinishedAsset(live, await submit(live, [await upload(scriptPdf)], { sidekickIds: [] }));
      expect(asset).toMatchObject({ status: 'complete', issueCount: 0, issues: [], checks: [] });
    });

    test('checks contain exactly the chosen sidekicks, even if repeated or in capital letters (§2.5g, §4.3d)', async () => {
      const [id = ''] = fileSafetyOnly.sidekickIds;
      const asset = await readFinishedAsset(
        live,
        await submit(live, [await upload(scriptPdf)], { sidekickIds: [id, id.toUpperCase()] }),
      );
      expect(asset.checks).toMatchObject([{ sidekickId: id, outcome: 'ran' }]);
    });

    test.each([
      ['blob_changed', replacedFileSubmission],
      ['blob_missing', deletedFileSubmission],
    ])(
      'a failed asset (%s) has its failure fields at the top level and no issueCount (§2.2d)',
      async (errorType, created) => {
        expect(await readFinishedAsset(live, created)).toMatchObject({
          status: 'failed',
          issues: [],
          issueCount: null,
          errorType,
          errorMessage: expect.any(String),
          isRetryable: false,
          retryCount: 0,
          contentSha256: null,
          completedAt: expect.any(String),
          checks: [],
        });
      },
    );

    test('a replaced file is analysed with its new content when it is submitted again', async () => {
      expect(await readFinishedAsset(live, await submit(live, [issued.blobPath]))).toMatchObject({
        contentSha256: hash('sha256', scriptPdf),
      });
    });

    test('an asset of a complete sandbox submission has no issueCount, no issues and no checks (§8.3b)', async () => {
      const asset = await readFinishedAsset(sandbox, await submit(sandbox, [await upload(scriptPdf)]));
      expect(asset).toMatchObject({ status: 'complete', issueCount: null, issues: [], checks: [] });
      expect(asset).toMatchObject({ progressPercent: 100, completedAt: expect.any(String), contentSha256: null });
    });

    test('of several assets in a submission, the requested one is returned (§4.5b)', async () => {
      const created = await submit(
        live,
        [await uploadText(live, 'clean.txt'), await upload(scriptPdf)],
        fileSafetyOnly,
      );
      await untilFinished(live, created.submissionId);
      expect((await live.get(assetPath(created, 0))).body).toMatchObject({ filename: 'clean.txt', issueCount: 0 });
      expect((await live.get(assetPath(created, 1))).body).toMatchObject({ filename: 'leaflet.pdf', issueCount: 2 });
    });

    test('a later version has its own version number and the version group of the first', async () => {
      const first = await submit(live, [await uploadText(live)]);
      const previousSubmissionId = first.submissionId;
      const second = await submit(live, [{ blobPath: await uploadText(live), previousSubmissionId }]);
      expect((await live.get(assetPath(second))).body).toMatchObject({
        versionNumber: 2,
        versionGroupId: first.assets[0]?.versionGroupId,
      });
    });

    test('a sandbox key can read a live asset, and the ids may be in capital letters', async () => {
      const created = await submit(live, [await upload(scriptPdf)]);
      const asset = await readFinishedAsset(live, created);
      expect((await sandbox.get(assetPath(created))).body).toEqual(asset);
      const { submissionId, assets } = created;
      const inCapitals = `/submissions/${submissionId.toUpperCase()}/assets/${assets[0]?.assetId.toUpperCase()}`;
      expect((await live.get(inCapitals)).body).toEqual(asset);
    });
  });

  describe('404: the submission does not exist or has no such asset (§7j)', () => {
    test('submission_not_found is returned for an unknown submission', async () => {
      const response = await live.get(
        `/submissions/${randomUUID()}/assets/${replacedFileSubmission.assets[0]?.assetId}`,
      );
      expect(response).toMatchObject(refused(404, 'submission_not_found'));
    });

    test.each([
      ['an unknown id', randomUUID()],
      ['an asset of another submission', deletedFileSubmission.assets[0]?.assetId],
    ])('asset_not_found is returned for %s', async (_, assetId) => {
      const response = await live.get(`/submissions/${replacedFileSubmission.submissionId}/assets/${assetId}`);
      expect(response).toMatchObject(refused(404, 'asset_not_found'));
    });
  });

  describe('422: an id is not a UUID (§4.5a)', () => {
    test.each([
      ['/submission_id', `/submissions/1/assets/${randomUUID()}`],
      ['/asset_id', `/submissions/${randomUUID()}/assets/1`],
    ])('the error points to %s', async (pointer, path) => {
      expect(await live.get(path)).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});
