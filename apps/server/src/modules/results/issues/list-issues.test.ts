import { randomUUID } from 'node:crypto';
import type { Issue } from '@assay/contract/schemas/issue.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { readPages } from '@assay/testing/service/pages.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);

const fileSafety = sidekicks.find(({ name }) => name === 'File safety');
const fileSafetyOnly = { sidekickIds: [fileSafety?.id ?? ''] };

/** At least one finding of every severity; the last one is uncertain, so it needs review. */
const pdfWithManyFindings = makePdf(
  '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /A << /S /Launch /F (x) >> /AcroForm << /XFA 9 0 R >> /Encrypt 9 0 R',
);
const upload = async (bytes: Uint8Array) => (await live.uploadFile('leaflet.pdf', bytes)).body.blobPath as string;

const deletedBlobPath = await upload(pdfWithManyFindings);
const failedSubmission = await submit(live, [deletedBlobPath]);
await openContainer(api.config).getBlobClient(deletedBlobPath).delete();
const waitingSubmission = await submit(
  apiWithoutWorker.client(workspace.liveKey),
  [await upload(pdfWithManyFindings)],
  fileSafetyOnly,
);
await openTestWorker(api.config);

const created = await submit(live, [await upload(pdfWithManyFindings)], fileSafetyOnly);
await untilFinished(live, created.submissionId);
const issuesPath = `${assetPath(created)}/issues`;
const { body: asset } = await live.get(assetPath(created));
const [acknowledged, dismissed] = asset.issues as [Issue, Issue];
await live.patch(`${issuesPath}/${acknowledged.id}`, { status: 'ACKNOWLEDGED', note: 'known' });
await live.patch(`${issuesPath}/${dismissed.id}`, { status: 'DISMISSED' });
const { body: fullList } = await live.get(issuesPath);
const allIssues: Issue[] = fullList.issues;

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');

describe('GET /submissions/{submission_id}/assets/{asset_id}/issues', () => {
  describe('200: the response contains a flat list of issues', () => {
    test('every issue of the asset is listed by reference number on one page (§2.4b, §4.6a)', () => {
      expect(fullList).toMatchObject({ submissionId: created.submissionId, assetId: created.assets[0]?.assetId });
      expect(fullList).toMatchObject({ totalCount: asset.issueCount, nextCursor: null, hasMore: false });
      expect(allIssues.map(({ id }) => id)).toEqual(asset.issues.map(({ id }: Issue) => id));
      expect(allIssues.map(({ referenceNumber }) => referenceNumber)).toEqual(allIssues.map((_, i) => i + 1));
      expect(new Set(allIssues.map(({ severity }) => severity))).toEqual(new Set(['CRITICAL', 'MAJOR', 'MINOR']));
    });

    test('every documented and additional field is present, even if it is null (§2.4a, §2.4f, §4.6a)', () => {
      for (const issue of allIssues) {
        expect(issue).toEqual({
          id: expect.any(String),
          summary: expect.stringMatching(/./),
          severity: expect.any(String),
          status: expect.any(String),
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          referenceNumber: expect.any(Number),
          ruleCode: expect.stringMatching(/^SAFE-/),
          sidekickId: fileSafety?.id,
          severityReasoning: expect.stringMatching(/./),
          severityReasoningHeadline: fileSafety?.rules[issue.ruleCode]?.headline,
          precedents: [],
          confidence: issue.ruleCode === 'SAFE-NOT-VERIFIED' ? 0.5 : 1,
          measured: issue.ruleCode === 'SAFE-NOT-VERIFIED' ? null : 1,
          limit: issue.ruleCode === 'SAFE-NOT-VERIFIED' ? null : 0,
          unit: issue.ruleCode === 'SAFE-NOT-VERIFIED' ? null : 'occurrences',
          standard: fileSafety?.rules[issue.ruleCode]?.standard ?? null,
          locations: [],
          evidence: [],
          statusNote: issue.id === acknowledged.id ? 'known' : null,
          statusReason: null,
          previousDecision: null,
          statusChangedAt: [acknowledged.id, dismissed.id].includes(issue.id) ? issue.updatedAt : null,
        });
      }
    });

    test('a certain finding is OPEN, and an uncertain one is AWAITING_HUMAN_INPUT', async () => {
      const other = await submit(live, [await upload(pdfWithManyFindings)], fileSafetyOnly);
      await untilFinished(live, other.submissionId);
      const { issues } = (await live.get(`${assetPath(other)}/issues`)).body as { issues: Issue[] };
      for (const { ruleCode, status } of issues) {
        expect(status).toBe(ruleCode === 'SAFE-NOT-VERIFIED' ? 'AWAITING_HUMAN_INPUT' : 'OPEN');
      }
    });

    const severityIs =
      (...values: string[]) =>
      ({ severity }: Issue) =>
        values.includes(severity);
    const statusIs =
      (...values: string[]) =>
      ({ status }: Issue) =>
        values.includes(status);
    const ruleIs =
      (...values: string[]) =>
      ({ ruleCode }: Issue) =>
        values.includes(ruleCode);
    const filters: [string, (issue: Issue) => boolean][] = [
      ['severity=CRITICAL', severityIs('CRITICAL')],
      ['severity=MAJOR', severityIs('MAJOR')],
      ['severity=MINOR&severity=INFO', severityIs('MINOR', 'INFO')],
      ['status=OPEN', statusIs('OPEN')],
      ['status=ACKNOWLEDGED&status=DISMISSED', statusIs('ACKNOWLEDGED', 'DISMISSED')],
      ['status=AWAITING_HUMAN_INPUT', statusIs('AWAITING_HUMAN_INPUT')],
      [`sidekickId=${fileSafety?.id}`, () => true],
      [`sidekickId=${fileSafety?.id.toUpperCase()}`, () => true],
      [`sidekickId=${randomUUID()}&sidekickId=${fileSafety?.id}`, () => true],
      ['ruleCode=SAFE-PDF-XFA', ruleIs('SAFE-PDF-XFA')],
      ['ruleCode=SAFE-PDF-XFA&ruleCode=SAFE-PDF-LAUNCH', ruleIs('SAFE-PDF-XFA', 'SAFE-PDF-LAUNCH')],
      ['severity=MAJOR&ruleCode=SAFE-PDF-JAVASCRIPT', ruleIs('SAFE-PDF-JAVASCRIPT')],
      [
        `severity=MINOR&severity=INFO&status=OPEN&sidekickId=${fileSafety?.id}&ruleCode=SAFE-PDF-XFA&ruleCode=SAFE-NOT-VERIFIED`,
        ruleIs('SAFE-PDF-XFA'),
      ],
    ];
    test.each(filters)('the filter %s returns exactly the matching issues', async (query, fits) => {
      const expected = allIssues.filter(fits);
      expect(expected.length).toBeGreaterThan(0);
      const { body } = await live.get(`${issuesPath}?${query}`);
      expect(body).toMatchObject({ issues: expected, totalCount: expected.length, hasMore: false });
    });

    test.each([
      'status=RESOLVED',
      `sidekickId=${randomUUID()}`,
      'ruleCode=SAFE-PDF',
      'ruleCode=safe-pdf-xfa',
      'ruleCode=SAFE%25',
      'ruleCode=',
      'severity=CRITICAL&ruleCode=SAFE-PDF-XFA',
    ])('the filter %s matches no issue', async (query) => {
      expect((await live.get(`${issuesPath}?${query}`)).body).toMatchObject({
        issues: [],
        totalCount: 0,
        nextCursor: null,
      });
    });

    test.each([1, 2, 3, allIssues.length - 1, allIssues.length, allIssues.length + 1, 1000])(
      'pages of up to %i issues contain every issue exactly once, and the last page is not empty',
      async (limit) => {
        const pages = await readPages(live, `${issuesPath}?limit=${limit}`);
        expect(pages.flatMap(({ issues }) => issues)).toEqual(allIssues);
        expect(pages).toHaveLength(Math.ceil(allIssues.length / limit));
        for (const { issues, totalCount } of pages)
          expect([totalCount, issues.length <= limit]).toEqual([allIssues.length, true]);
      },
    );

    test('pages of a filtered list contain exactly the matching issues', async () => {
      const expected = allIssues.filter(severityIs('MAJOR', 'INFO'));
      const pages = await readPages(live, `${issuesPath}?severity=MAJOR&severity=INFO&limit=1`);
      expect(pages.flatMap(({ issues }) => issues)).toEqual(expected);
      expect(pages.map(({ totalCount }) => totalCount)).toEqual(expected.map(() => expected.length));
    });

    test('the list is empty for an asset without issues and for a simulated run (§8.3b)', async () => {
      const empty = { issues: [], totalCount: 0, nextCursor: null, hasMore: false };
      for (const [client, bytes] of [[live, makePdf()] as const, [sandbox, pdfWithManyFindings] as const]) {
        const one = await submit(client, [await upload(bytes)], fileSafetyOnly);
        await untilFinished(client, one.submissionId);
        const { status, body } = await client.get(`${assetPath(one)}/issues`);
        expect(status).toBe(200);
        expect(body).toMatchObject(empty);
      }
    });
  });

  describe('404: the asset is not complete (§4.6b, §7d)', () => {
    test('asset_not_ready is returned for an asset that is waiting', async () => {
      expect(await live.get(`${assetPath(waitingSubmission)}/issues`)).toMatchObject(refused(404, 'asset_not_ready'));
    });

    test('asset_failed is returned for a failed asset, because an empty list would look like a clean result', async () => {
      await untilFinished(live, failedSubmission.submissionId);
      expect(await live.get(`${assetPath(failedSubmission)}/issues`)).toMatchObject(refused(404, 'asset_failed'));
    });
  });

  describe('422: a parameter is invalid', () => {
    const repeated = Array.from({ length: 21 }, () => 'ruleCode=x').join('&');
    test.each([
      ['/limit', 'limit=0'],
      ['/limit', 'limit=-1'],
      ['/limit', 'limit=1001'],
      ['/limit', 'limit=1.5'],
      ['/limit', 'limit=ten'],
      ['/limit', 'limit='],
      ['/limit', 'limit=1&limit=2'],
      ['/cursor', 'cursor=x'],
      ['/cursor', 'cursor='],
      ['/cursor', `cursor=${cursorOf('1')}`],
      ['/cursor', `cursor=${cursorOf({})}`],
      ['/cursor', `cursor=${cursorOf(2 ** 31)}`],
      ['/cursor', `cursor=${'A'.repeat(201)}`],
      ['/severity/0', 'severity=major'],
      ['/severity/1', 'severity=MAJOR&severity=LOW'],
      ['/status/0', 'status=CLOSED'],
      ['/sidekickId/0', 'sidekickId=1'],
      ['/ruleCode/0', `ruleCode=${'x'.repeat(101)}`],
      ['/ruleCode/0', 'ruleCode=%00'],
      ['/ruleCode', repeated],
    ])('the error has the pointer %s for ?%s', async (pointer, query) => {
      expect(await live.get(`${issuesPath}?${query}`)).toMatchObject(refused(422, 'validation_failed', pointer));
    });
  });
});
