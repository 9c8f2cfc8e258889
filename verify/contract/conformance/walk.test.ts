import { setTimeout as sleep } from 'node:timers/promises';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { prefixes } from '@assay/contract/route.ts';
import { CompactIssue, Issue } from '@assay/contract/schemas/issue.ts';
import { AssetResult } from '@assay/contract/schemas/result.ts';
import { AssetStatus, CreatedSubmission, Submission } from '@assay/contract/schemas/submission.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf, sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { ApiResponse } from '@assay/testing/service/client.ts';
import {
  type SubmissionIds,
  submit,
  untilFinished,
  uploadText,
  versionOf,
} from '@assay/testing/service/submissions.ts';
import { openContainer, putBlob } from '@assay/testing/storage/blobs.ts';
import pg from 'pg';
import { describe, expect, test } from 'vitest';

/** A caller's whole workflow with real files; its responses are checked below. */
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,video,document' });
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const leaflet = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /A << /S /Launch /F (x) >>');

const recordedResponses: ApiResponse[] = [];
async function recordResponse(step: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await step;
  recordedResponses.push(response);
  return response;
}

const pathOf = ({ submissionId, assets }: SubmissionIds, i = 0) =>
  `/submissions/${submissionId}/assets/${assets[i]?.assetId}`;

const issuedUrl = await recordResponse(
  live.post('/uploads/url', { filename: 'spring ad.mp4', contentType: 'video/mp4' }),
);
const putResponse = await putBlob(issuedUrl.body.uploadUrl, sample('clip.mp4'));
const directUpload = await recordResponse(live.uploadFile('leaflet.pdf', leaflet, 'application/pdf'));
const blobPaths: string[] = [directUpload.body.blobPath, issuedUrl.body.blobPath];

// No worker runs yet, so that the submissions stay as created and one of their files can be deleted.
const deletedBlobPath = await uploadText(live, 'lost.txt');
const failingSubmission = await submit(live, [deletedBlobPath, await uploadText(live, 'intact.txt')]);
await openContainer(api.config).getBlobClient(deletedBlobPath).delete();
const creation = await recordResponse(
  live.post('/submissions', { assets: blobPaths.map((blobPath) => ({ blobPath })), metadata: { campaign: 'spring' } }),
);
const created: SubmissionIds = creation.body;
const submissionPath = `/submissions/${created.submissionId}`;
const firstRead = await recordResponse(live.get(submissionPath));
const waitingResult = await recordResponse(live.get(pathOf(created)));
const earlyReads = [
  await recordResponse(live.get(`${pathOf(created)}/issues`)),
  await recordResponse(live.get(`${pathOf(created)}/topics`)),
];

await openTestWorker(api.config);
const polledStates: { status: string; progressPercent: number }[] = [];
for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(5)) {
  polledStates.push((await live.get(submissionPath)).body);
  if (['complete', 'failed'].includes(polledStates.at(-1)?.status ?? '')) break;
}
const finalRead = await recordResponse(live.get(submissionPath));
const leafletResult = await recordResponse(live.get(pathOf(created)));
const videoResult = await recordResponse(live.get(pathOf(created, 1)));
const issueList = await recordResponse(live.get(`${pathOf(created)}/issues`));
const topics = await recordResponse(live.get(`${pathOf(created)}/topics`));
const versions = await recordResponse(live.get(`${submissionPath}/versions`));
await untilFinished(live, failingSubmission.submissionId);
const failedRead = await recordResponse(live.get(`/submissions/${failingSubmission.submissionId}`));
const failedResult = await recordResponse(live.get(pathOf(failingSubmission)));
const submissionList = await recordResponse(live.get('/submissions'));
for (const path of ['/me', '/sidekicks', '/submissions/1', `${pathOf(created)}/changes`])
  await recordResponse(live.get(path));
await recordResponse(live.post('/submissions', { assets: [{ blobPath: 'x' }] }));
await recordResponse(api.client().get('/me'));

// Checks of a member's value, one for each type in the tables of the interface.
const isText = (value: unknown) => typeof value === 'string';
const isUuid = (value: unknown) => isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value as string);
const isTime = (value: unknown) =>
  isText(value) &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value as string) &&
  !Number.isNaN(Date.parse(value as string));
const isUrl = (value: unknown) => isText(value) && URL.canParse(value as string);
const isInteger = Number.isInteger;
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isStatus = (value: unknown) =>
  ['uploading', 'submitted', 'processing', 'complete', 'failed'].includes(String(value));
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

type MemberTypes = Record<string, (value: unknown) => boolean>;
const invalidMembersOf = (object: Record<string, unknown>, types: MemberTypes) =>
  Object.entries(types).flatMap(([name, is]) => (is(object[name]) ? [] : [`${name}: ${JSON.stringify(object[name])}`]));

const versionTypes: MemberTypes = { assetId: isUuid, versionGroupId: isUuid, versionNumber: isInteger };
const assetStatusTypes: MemberTypes = {
  ...versionTypes,
  issueCount: orNull(isInteger),
  errorMessage: orNull(isText),
  errorType: orNull(isText),
  isRetryable: isBoolean,
  retryCount: isInteger,
};
const submissionTypes: MemberTypes = {
  submissionId: isUuid,
  workflowId: isText,
  workspaceId: isText,
  status: isStatus,
  progressPercent: isInteger,
  createdAt: isTime,
  completedAt: orNull(isTime),
  errorMessage: orNull(isText),
  assets: Array.isArray,
  isRetryable: isBoolean,
};

/** Yields every member of a value, at any depth, with its name. */
function* membersOf(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [name, member];
    yield* membersOf(member);
  }
}
const members = recordedResponses.flatMap(({ body }) => [...membersOf(body)]);

describe('responses', () => {
  test('every response has only camelCase members (§2a)', () => {
    expect(new Set(recordedResponses.map(({ status }) => status))).toEqual(new Set([200, 201, 401, 403, 404, 422]));
    const names = new Set(members.map(([name]) => name));
    expect(names.size).toBeGreaterThan(60);
    expect([...names].filter((name) => !/^[a-z]+([A-Z][a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test('every id in a response is a string, and a UUID where the interface requires one (§2b)', () => {
    const ids = members.filter(
      ([name, value]) => /^id$|Id$/.test(name) && !(name === 'previousAssetId' && value === null),
    );
    const marked = ['id', 'submissionId', 'assetId', 'versionGroupId', 'sidekickId', 'profileId', 'keyId'];
    const names = new Set(ids.map(([name]) => name));
    expect(names).toEqual(new Set([...marked, 'workflowId', 'workspaceId', 'requestId']));
    expect(ids.filter(([name, id]) => !(marked.includes(name) ? isUuid(id) : isText(id)))).toEqual([]);
  });

  test('a response is the same under both prefixes, even if the resource was created under the other prefix (§0a)', async () => {
    const [usual, versioned] = prefixes;
    expect([usual, versioned]).toEqual(['/api/integrations', '/api/v1/integrations']);
    const paths = ['', '/versions'].map((rest) => `${submissionPath}${rest}`);
    paths.push(pathOf(created), `${pathOf(created)}/issues`, `${pathOf(created)}/topics`, '/submissions');
    for (const path of paths) {
      const response = await live.get(path, { prefix: usual });
      expect(response.status).toBe(200);
      expect((await live.get(path, { prefix: versioned })).body).toEqual(response.body);
    }
    const json = { assets: [{ blobPath: directUpload.body.blobPath }] };
    const { status, body } = await sandbox.post('/submissions', json, { prefix: versioned });
    expect(status).toBe(201);
    expect((await live.get(`/submissions/${body.submissionId}`, { prefix: usual })).status).toBe(200);
  });

  // The client of these tests checks every response against these schemas.
  test.each([Submission, AssetStatus, AssetResult, CreatedSubmission])(
    'the status in a response is one of the five documented ones (§2.1d)',
    ({ shape }) => {
      expect(shape.status.options).toEqual(['uploading', 'submitted', 'processing', 'complete', 'failed']);
    },
  );

  test.each([Issue, CompactIssue])(
    'an issue in a response has a documented severity and status (§2.4b, §2.4c)',
    ({ shape }) => {
      expect(shape.severity.options).toEqual(['CRITICAL', 'MAJOR', 'MINOR', 'INFO']);
      const statuses = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'];
      expect(shape.status.options).toEqual(statuses);
    },
  );
});

describe('uploads', () => {
  test('an upload that failed with 500 succeeds when it is repeated after the cause is fixed (§4.2f, §7c, §7p)', async () => {
    const { workspaceId, liveKey } = await api.makeWorkspace();
    const upload = () => api.client(liveKey).uploadFile('a.txt', 'hello');
    const owner = new pg.Client({ connectionString: api.config.MIGRATION_DATABASE_URL });
    await owner.connect();
    // Causes an unexpected error in this workspace only, because other tests use the table meanwhile.
    await owner.query(`
      create function refuse_blob() returns trigger language plpgsql as 'begin raise exception ''full''; end';
      create trigger refuse_blob before insert on blobs for each row
        when (new.workspace_id = '${workspaceId}') execute function refuse_blob()`);
    const response = await upload().finally(() => owner.query('drop function refuse_blob cascade'));
    await owner.end();
    expect(response).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect((await upload()).status).toBe(201);
  });

  test('an upload URL has the documented members, and a file reaches the storage through it without a key (§1a, §2.5a, §4.1a)', () => {
    expect(issuedUrl.status).toBe(200);
    expect(invalidMembersOf(issuedUrl.body, { uploadUrl: isUrl, blobPath: isText, expiresAt: isTime })).toEqual([]);
    const [folder, name, ...rest] = issuedUrl.body.blobPath.split('/');
    expect([folder, rest]).toEqual([workspace.workspaceId, []]);
    expect(name).toMatch(/spring ad\.mp4$/);
    expect(issuedUrl.body.uploadUrl.startsWith(api.url)).toBe(false);
    expect(putResponse.ok).toBe(true);
  });

  test('a direct upload returns the documented members (§1a, §2.5b, §4.2a)', () => {
    expect(directUpload).toMatchObject({
      status: 201,
      body: { sizeBytes: leaflet.length, contentType: 'application/pdf', blobPath: expect.any(String) },
    });
  });

  test('files from an upload URL and from a direct upload can be submitted together (§1b)', () => {
    expect(creation.status).toBe(201);
    expect(leafletResult.body).toMatchObject({ filename: 'leaflet.pdf', status: 'complete' });
    expect(videoResult.body).toMatchObject({ filename: 'spring ad.mp4', status: 'complete' });
  });

  test('the file size limits match the interface (§8.1b)', () => {
    const MiB = 1024 * 1024;
    const caps = { video: 5 * 1024 * MiB, audio: 500 * MiB, image: 50 * MiB, document: 100 * MiB };
    expect(assetBytesMax).toEqual(caps);
  });
});

describe('submissions', () => {
  test('a submission has every member of its type when it is created, complete and failed (§2.1a, §2.1g, §4.4b)', () => {
    for (const { status, body } of [firstRead, finalRead, failedRead]) {
      expect(status).toBe(200);
      expect(invalidMembersOf(body, submissionTypes)).toEqual([]);
    }
    expect([firstRead, finalRead, failedRead].map(({ body }) => body.status)).toEqual([
      'submitted',
      'complete',
      'failed',
    ]);
  });

  test('a submission has its id in submissionId, never in id (§2.1b)', () => {
    const submissions = [
      creation.body,
      firstRead.body,
      finalRead.body,
      failedRead.body,
      versions.body,
      ...submissionList.body.submissions,
    ];
    for (const submission of submissions) {
      expect(submission).toHaveProperty('submissionId');
      expect(submission).not.toHaveProperty('id');
    }
  });

  test('a submission has completedAt only once it is finished (§2.1c)', () => {
    expect(firstRead.body.completedAt).toBeNull();
    for (const { body } of [finalRead, failedRead])
      expect(Date.parse(body.completedAt)).toBeGreaterThan(Date.parse(body.createdAt));
  });

  test('the status and progress of a polled submission only increase until it finishes, and then nothing changes (§1e, §2.1f, §3e)', async () => {
    const order = ['submitted', 'processing', 'complete'];
    const places = polledStates.map(({ status }) => order.indexOf(status));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const percents = polledStates.map(({ progressPercent }) => progressPercent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect([firstRead.body.progressPercent, percents.at(-1)]).toEqual([0, 100]);
    for (let turn = 0; turn < 10; turn++) {
      for (const { body } of [finalRead, failedRead]) {
        expect((await live.get(`/submissions/${body.submissionId}`)).body).toEqual(body);
      }
      await sleep(30);
    }
  });

  test('an asset status has every member of its type, and flat failure fields (§2.2a, §2.2d, §4.4b)', () => {
    const statuses = [firstRead, finalRead, failedRead].flatMap(({ body }) => body.assets);
    expect(statuses).toHaveLength(6);
    for (const status of statuses) {
      expect(invalidMembersOf(status, assetStatusTypes)).toEqual([]);
      const isNested = (member: string) => typeof status[member] === 'object' && status[member] !== null;
      const counts = ['severityCounts', 'statusCounts']; // nothing else is nested, least of all a failure
      expect(Object.keys(status).filter((member) => isNested(member) && !counts.includes(member))).toEqual([]);
    }
    expect(failedRead.body.assets[0]).toMatchObject({ errorType: 'blob_missing', errorMessage: expect.any(String) });
  });

  test('an asset status has the number of issues once there are results (§2.2c)', () => {
    expect(firstRead.body.assets.map(({ issueCount }: { issueCount: unknown }) => issueCount)).toEqual([null, null]);
    expect(finalRead.body.assets[0].issueCount).toBe(issueList.body.totalCount);
    expect(failedRead.body.assets).toMatchObject([{ issueCount: null }, { issueCount: 0 }]);
  });

  test.each(['/status', '/results'])(
    'neither a submission nor an asset has an endpoint %s (§4.4c, §4.5b)',
    async (suffix) => {
      for (const path of [submissionPath, pathOf(created)]) {
        const response = await live.get(`${path}${suffix}`);
        expect(response).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
      }
    },
  );

  test('whether a submission is simulated depends only on its key: the address, path and body are the same (§1h, §5b, §5g)', async () => {
    const json = { assets: [{ blobPath: directUpload.body.blobPath }] };
    const { used } = (await sandbox.get('/me')).body.credits;
    const [real, simulated] = [await live.post('/submissions', json), await sandbox.post('/submissions', json)];
    const ends = [
      await untilFinished(live, real.body.submissionId),
      await untilFinished(sandbox, simulated.body.submissionId),
    ];
    expect(ends).toMatchObject([
      { mode: 'live', status: 'complete', assets: [{ issueCount: leafletResult.body.issueCount }] },
      { mode: 'sandbox', status: 'complete', assets: [{ issueCount: null }] },
    ]);
    expect((await sandbox.get('/me')).body.credits.used - used).toBe(1); // only the live submission costs a credit
  });
});

describe('results', () => {
  test('an asset result has every member of its type, before and after the asset finishes (§2.3a, §2.3b, §4.5b)', () => {
    const types: MemberTypes = {
      ...versionTypes,
      submissionId: isUuid,
      filename: isText,
      status: isStatus,
      issues: Array.isArray,
      mimeType: orNull(isText),
      issueCount: orNull(isInteger),
    };
    for (const { status, body } of [waitingResult, leafletResult, videoResult, failedResult]) {
      expect(status).toBe(200);
      expect(invalidMembersOf(body, types)).toEqual([]);
    }
    const [first] = created.assets.map(versionOf);
    expect(leafletResult.body).toMatchObject({ mimeType: 'application/pdf', ...first, versionNumber: 1 });
  });

  test('an asset result has the file name and type of the upload (§2.3c, §4.3p)', () => {
    const { submissionId } = created;
    expect(leafletResult.body).toMatchObject({ submissionId, filename: 'leaflet.pdf', mimeType: 'application/pdf' });
    expect(videoResult.body).toMatchObject({ submissionId, filename: 'spring ad.mp4', mimeType: 'video/mp4' });
  });

  test('an asset’s result, issue list and topics contain the same issues, and the result counts them (§1d, §1k, §2.3d)', () => {
    const idsOf = (issues: { id: string }[]) => issues.map(({ id }) => id).sort();
    const ids = idsOf(leafletResult.body.issues);
    expect(ids.length).toBeGreaterThan(1);
    expect(leafletResult.body.issueCount).toBe(ids.length);
    expect(idsOf(issueList.body.issues)).toEqual(ids);
    const clustered = topics.body.topics.flatMap(({ issues }: { issues: Issue[] }) => issues);
    expect(idsOf([...clustered, ...topics.body.orphanIssues])).toEqual(ids);
  });

  test('an issue has every member of its type, including its sidekick and rule (§2.4a, §2.4f, §2.5g)', () => {
    const types: MemberTypes = {
      id: isUuid,
      summary: isText,
      severity: isText,
      status: isText,
      createdAt: isTime,
      updatedAt: isTime,
      referenceNumber: isInteger,
      ruleCode: isText,
      sidekickId: isUuid,
      severityReasoning: isText,
      severityReasoningHeadline: isText,
      precedents: Array.isArray,
    };
    for (const issue of issueList.body.issues) {
      expect(invalidMembersOf(issue, types)).toEqual([]);
      expect(sidekicks.find(({ id }) => id === issue.sidekickId)?.rules).toHaveProperty(issue.ruleCode);
    }
  });

  test('a precedent of an issue has all four text members (§2.4d)', async () => {
    const precedent = { url: 'https://example.org/1', title: 'A case', decision: 'upheld', date: '2024-05-01' };
    const [issue] = issueList.body.issues;
    await api.handles.db
      .updateTable('issues')
      .set({ precedents: JSON.stringify([precedent]) })
      .where('submission_id', '=', created.submissionId)
      .where('issue_id', '=', issue.id)
      .execute();
    const { body } = await live.get(`${pathOf(created)}/issues`);
    expect(body.issues[0].precedents).toEqual([precedent]);
  });

  test('a topics response has exactly the four documented members (§2.5c)', () => {
    expect(Object.keys(topics.body).sort()).toEqual(['assetId', 'metadata', 'orphanIssues', 'topics']);
    expect(topics.body).toMatchObject({ assetId: leafletResult.body.assetId, topics: [expect.any(Object)] });
  });

  test('issues and topics of an asset are available only once it is finished (§4.6b, §4.7b, §7d)', () => {
    for (const early of earlyReads) expect(early).toMatchObject({ status: 404, body: { code: 'asset_not_ready' } });
    expect([issueList.status, topics.status]).toEqual([200, 200]);
  });
});
