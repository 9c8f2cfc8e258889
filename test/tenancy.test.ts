import { randomUUID } from 'node:crypto';
import { isOneFile, paramsOf, type Route } from '@assay/contract/route.ts';
import { type RouteName, routeNames, routes } from '@assay/contract/routes.ts';
import { lookAfterBlobs } from '@assay/server/submissions/look-after-blobs.ts';
import { sidekicks } from '@assay/sidekicks/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi, openTestWorker, type TestWorkspace } from './support/api.ts';
import type { Answer, Client } from './support/client.ts';
import { makePdf } from './support/samples.ts';
import { submit, submitAndCancel, untilOver, uploadText } from './support/submissions.ts';

const api = await openTestApi(liftedLimits);
await openTestWorker(api.config);
const idle = await openTestApi(liftedLimits); // nobody serves its queues: what is submitted there waits

type Ask = (client: Client) => Promise<Answer>;
/** What must be answered, and the same request with ids that nobody has: the two answers may not be told apart. */
type Cell = { what: string; ask: Ask; like: Ask; status: number; code: string };
/** `null`: there is nothing of the kind to ask for. */
type Cells = { anothers: Cell[] | null; nested: Cell[] | null; deleted: Cell[] | null; malformed: Cell[] };
type Row = {
  own: Ask;
  /** By the names of everything in a request that may lead to a resource; more words may follow a name. */
  references: Record<string, Cells>;
  liveKeyOnSandboxOnly: { ask: Ask; status: number; code: string } | null;
};

type Ids = { submission_id: string; asset_id: string; issue_id: string };
const script = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');

/** A complete submission of two assets with issues, and the ids of one chain in it. */
async function fill(client: Client, filename: string, previousSubmissionId?: string) {
  const blobPaths: string[] = [];
  for (let i = 0; i < 2; i++) blobPaths.push((await client.uploadFile(`${i}-${filename}`, script)).body.blobPath);
  const assets = blobPaths.map((blobPath) => ({ blobPath, ...(previousSubmissionId && { previousSubmissionId }) }));
  const metadata = { campaign: `about ${filename}` };
  const { submissionId, assets: created } = await submit(client, assets, { metadata });
  await untilOver(client, submissionId);
  const [first, second] = created.map(({ assetId }) => assetId) as [string, string];
  const { body } = await client.get(`/submissions/${submissionId}/assets/${first}`);
  const issueIds: string[] = body.issues.map(({ id }: { id: string }) => id);
  const ids: Ids = { submission_id: submissionId, asset_id: first, issue_id: issueIds[0] as string };
  const groups = created.map(({ versionGroupId }) => versionGroupId);
  return { ids, secondAssetId: second, blobPath: blobPaths[0] as string, issueIds, groups };
}

const clientsOf = ({ liveKey, sandboxKey }: TestWorkspace) => ({
  live: api.client(liveKey),
  sandbox: api.client(sandboxKey),
});
const home = await api.makeWorkspace();
const { live, sandbox } = clientsOf(home);
const own = await fill(live, 'own.pdf');
const other = await fill(live, 'other.pdf');

const strange = await api.makeWorkspace();
const stranger = clientsOf(strange).live;
const theirs = await fill(stranger, 'their-secret.pdf');
const theirLater = await fill(stranger, 'their-secret.pdf', theirs.ids.submission_id);
await stranger.patch(fillPath('updateIssue', theirs.ids), { status: 'DISMISSED', note: 'their-secret note' });

const gone = await fill(live, 'gone.pdf');
const survivor = await fill(live, 'gone.pdf', gone.ids.submission_id);
await live.delete(fillPath('deleteSubmission', gone.ids));
await lookAfterBlobs(api.handles, { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 });

/** What nobody but the other workspace may ever read. */
const theirWords = [
  'their-secret',
  strange.workspaceId,
  ...[theirs, theirLater].flatMap(({ ids, secondAssetId, issueIds, groups }) => [
    ...Object.values(ids),
    secondAssetId,
    ...issueIds,
    ...groups,
  ]),
];

function fillPath(name: RouteName, ids: Partial<Ids> & Record<string, string>): string {
  return routes[name].path.replaceAll(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? '');
}

const nobodys = (): Ids => ({ submission_id: randomUUID(), asset_id: randomUUID(), issue_id: randomUUID() });
const notFound = {
  submission_id: 'submission_not_found',
  asset_id: 'asset_not_found',
  issue_id: 'issue_not_found',
} as const;
const noUuids = ['1', 'x'.repeat(36), `${randomUUID()}0`, `%7B${randomUUID()}%7D`, '%00', "'%20or%20true--"];
const chainOf = (name: RouteName) => paramsOf(routes[name]).map(({ inPath }) => inPath as keyof Ids);

const malformedCells = (asking: (value: string) => Ask) =>
  noUuids.map((value): Cell => {
    const ask = asking(value);
    return { what: value, ask, like: ask, status: 422, code: 'validation_failed' };
  });
/** Sidekicks belong to no workspace: everybody may name every one of them, and nobody can delete one. */
const ofNoWorkspace = (asking: (value: string) => Ask): Cells => {
  return { anothers: null, nested: null, deleted: null, malformed: malformedCells(asking) };
};

/** The row of a route that is all path: own resources of a chain, with another's put in at each place of it. */
function byPath(name: RouteName, json?: object): Row {
  const chain = chainOf(name);
  const { method } = routes[name];
  const to = (ids: Partial<Ids>): Ask => {
    const path = fillPath(name, { ...own.ids, ...ids });
    return (client) => client.send(method, path, json ? { json } : {});
  };
  const pick = (ids: Ids, from: number, end = chain.length) =>
    Object.fromEntries(chain.slice(from, end).map((param) => [param, ids[param]])) as Partial<Ids>;

  const cellsAt = (param: keyof Ids, at: number): Cells => {
    const random = nobodys();
    const cell = (what: string, ids: Partial<Ids>, likeIds: Partial<Ids>): Cell => {
      return { what, ask: to(ids), like: to(likeIds), status: 404, code: notFound[param] };
    };
    const alone = (what: string, ids: Ids) => cell(what, pick(ids, at, at + 1), pick(random, at, at + 1));
    const withAllBelow = (what: string, ids: Ids) => cell(what, pick(ids, at), pick(random, at));
    const ownUnder = (what: string, above: Partial<Ids>) =>
      cell(what, above, { ...above, [param]: randomUUID(), ...pick(random, at + 1) });
    const underOwn = [
      alone('another’s under own', theirs.ids),
      withAllBelow('another’s with all below it under own', theirs.ids),
      ownUnder('own under another own submission', pick(other.ids, 0, at)),
      ...(at === 2 ? [ownUnder('own under another own asset', { asset_id: own.secondAssetId })] : []),
    ];
    return {
      anothers: [alone('another’s', theirs.ids), withAllBelow('another’s, all of it', theirs.ids)],
      nested: at > 0 ? underOwn : null,
      deleted: [alone('deleted', gone.ids), withAllBelow('deleted, all of it', gone.ids)],
      malformed: malformedCells((value) => to({ [param]: value })),
    };
  };
  return {
    own: to({}),
    references: Object.fromEntries(chain.map((param, at) => [param, cellsAt(param, at)])),
    liveKeyOnSandboxOnly: null,
  };
}

const withoutReference = (ask: Ask): Row => ({ own: ask, references: {}, liveKeyOnSandboxOnly: null });
const nobodysBlob = () => `${randomUUID()}/${randomUUID()}-0-their-file.pdf`;
const movedTo = (workspaceId: string, blobPath: string) => blobPath.replace(/^[^/]+/, workspaceId);

/** A blob path in a body. §4.3: a path that was not issued to this workspace is 403, whatever is wrong with it. */
function blobPathCells(asking: (blobPath: string) => Ask): Cells {
  const cell = (what: string, blobPath: string, like = nobodysBlob()): Cell => {
    return { what, ask: asking(blobPath), like: asking(like), status: 403, code: 'invalid_blob_path' };
  };
  return {
    anothers: [cell('another’s', theirs.blobPath)],
    nested: [
      cell('another’s blob in the own folder', movedTo(home.workspaceId, theirs.blobPath)),
      cell('an own blob in another’s folder', movedTo(strange.workspaceId, own.blobPath)),
    ],
    deleted: [cell('deleted', gone.blobPath)],
    malformed: [
      cell('empty', ''),
      cell('a slash', '/'),
      cell('upwards', '../x'),
      cell('upwards from an own one', `${own.blobPath}/../x`),
      cell('an own one and a NUL', `${own.blobPath}\0`),
    ],
  };
}

const submitting = (asset: object, rest: object = {}): Ask => {
  return (client) => client.post('/submissions', { assets: [{ blobPath: own.blobPath, ...asset }], ...rest });
};
const previousCell = (what: string, previousSubmissionId: string): Cell => ({
  what,
  ask: submitting({ previousSubmissionId }),
  like: submitting({ previousSubmissionId: randomUUID() }),
  status: 404,
  code: 'previous_submission_not_found',
});

const rows: Record<RouteName, Row> = {
  createUploadUrl: withoutReference((client) =>
    client.post('/uploads/url', { filename: 'a.mp4', contentType: 'video/mp4' }),
  ),
  renewUploadUrl: {
    own: (client) => client.post('/uploads/renew', { blobPath: own.blobPath }),
    references: { blobPath: blobPathCells((blobPath) => (client) => client.post('/uploads/renew', { blobPath })) },
    liveKeyOnSandboxOnly: null,
  },
  uploadDirect: withoutReference((client) => client.uploadFile('a.txt', 'a')),
  createSubmission: {
    own: submitting({}),
    references: {
      blobPath: blobPathCells((blobPath) => submitting({ blobPath })),
      // The first is own and known, so it must not vouch for the second.
      'blobPath beside an own one': blobPathCells((blobPath) => (client) => {
        return client.post('/submissions', { assets: [{ blobPath: own.blobPath }, { blobPath }] });
      }),
      previousSubmissionId: {
        anothers: [previousCell('another’s', theirs.ids.submission_id)],
        nested: null,
        deleted: [previousCell('deleted', gone.ids.submission_id)],
        // §4.3 calls it a string: what is no uuid is not found.
        malformed: [
          previousCell('empty', ''),
          previousCell('no uuid', 'x'),
          previousCell('an own asset', own.ids.asset_id),
          previousCell('an own one and a NUL', `${own.ids.submission_id}\0`),
        ],
      },
      sidekickIds: ofNoWorkspace((id) => submitting({}, { sidekickIds: [id] })),
    },
    liveKeyOnSandboxOnly: {
      ask: (client) => client.post('/submissions?simulationDelaySeconds=0', { assets: [{ blobPath: own.blobPath }] }),
      status: 400,
      code: 'simulation_needs_sandbox_key',
    },
  },
  listSubmissions: withoutReference((client) => client.get('/submissions?limit=100')),
  getSubmission: byPath('getSubmission'),
  deleteSubmission: {
    ...byPath('deleteSubmission'),
    own: async (client) => {
      const { submissionId } = await submitAndCancel(idle.client(home.liveKey));
      return client.delete(fillPath('deleteSubmission', { submission_id: submissionId }));
    },
  },
  cancelSubmission: {
    ...byPath('cancelSubmission'),
    own: async (client) => {
      const waiting = idle.client(home.liveKey);
      const { submissionId } = await submit(waiting, [await uploadText(waiting)]);
      return client.post(fillPath('cancelSubmission', { submission_id: submissionId }));
    },
  },
  retryAsset: {
    ...byPath('retryAsset'),
    own: async (client) => {
      const { submissionId, assets } = await submitAndCancel(idle.client(home.liveKey));
      const ids = { submission_id: submissionId, asset_id: assets[0]?.assetId as string };
      return client.post(fillPath('retryAsset', ids));
    },
  },
  listVersions: byPath('listVersions'),
  getAsset: byPath('getAsset'),
  listIssues: {
    ...byPath('listIssues'),
    references: {
      ...byPath('listIssues').references,
      sidekickId: ofNoWorkspace((id) => (client) => client.get(`${fillPath('listIssues', own.ids)}?sidekickId=${id}`)),
    },
  },
  updateIssue: byPath('updateIssue', { status: 'ACKNOWLEDGED', note: 'seen' }),
  getTopics: byPath('getTopics'),
  getChanges: byPath('getChanges'),
  listSidekicks: withoutReference((client) => client.get('/sidekicks')),
  getSidekick: {
    own: (client) => client.get(`/sidekicks/${sidekicks[0]?.id}`),
    references: { sidekick_id: ofNoWorkspace((id) => (client) => client.get(`/sidekicks/${id}`)) },
    liveKeyOnSandboxOnly: null,
  },
  getMe: withoutReference((client) => client.get('/me')),
};

/** Names in a request by which a resource is meant: those of the path, and members of query and body that say so. */
function referencesOf(route: Route): Set<string> {
  const schemas = [route.query, isOneFile(route.body) ? undefined : route.body];
  const members = schemas.flatMap((schema) =>
    memberNames(schema?.toJSONSchema({ io: 'input', unrepresentable: 'any' })),
  );
  const named = members.filter((name) => /(Id|Ids|Path|Paths)$/.test(name));
  return new Set([...paramsOf(route).map(({ inPath }) => inPath), ...named]);
}

function memberNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(memberNames)];
}

/** All of an answer but what names the request itself. */
function shown({ status, headers, body }: Answer) {
  const { date, 'x-request-id': _, ...rest } = Object.fromEntries(headers);
  const { requestId, instance, ...problem } = body;
  return { status, headers: rest, body: problem };
}

function leaksIn(answer: Answer): string[] {
  const text = JSON.stringify(shown(answer));
  return theirWords.filter((word) => text.includes(word));
}

describe('the matrix is whole', () => {
  test.each(routeNames)('%s has cells for everything by which a request may name a resource', (name) => {
    const { references, liveKeyOnSandboxOnly } = rows[name];
    expect(new Set(Object.keys(references).map((key) => key.split(' ')[0]))).toEqual(referencesOf(routes[name]));
    for (const [reference, { anothers, nested, deleted, malformed }] of Object.entries(references)) {
      const isOfWorkspace = !/^sidekick/.test(reference);
      const isBelowAnother = chainOf(name).indexOf(reference as keyof Ids) > 0;
      expect(malformed.length).toBeGreaterThan(0);
      for (const cells of [anothers, deleted]) expect((cells?.length ?? 0) > 0).toBe(isOfWorkspace);
      if (isBelowAnother) expect(nested?.length).toBeGreaterThan(0);
    }
    const route: Route = routes[name];
    expect(liveKeyOnSandboxOnly !== null).toBe(route.sandboxQuery !== undefined);
  });
});

describe.each(routeNames)('%s', (name) => {
  const { own: askOwn, references, liveKeyOnSandboxOnly } = rows[name];

  test('own: answered, with nothing of another workspace (§1i)', async () => {
    const answer = await askOwn(live);
    expect(answer.status).toBe(routes[name].success.status);
    expect(leaksIn(answer)).toEqual([]);
  });

  const cells = Object.entries(references).flatMap(([reference, columns]) =>
    Object.entries(columns).flatMap(([column, list]) => (list ?? []).map((cell) => ({ reference, column, ...cell }))),
  );
  test.each(cells)('$reference, $column: $what (§1i)', async ({ ask, like, status, code }) => {
    const answer = await ask(live);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(shown(answer)).toEqual(shown(await like(live)));
    expect(leaksIn(answer)).toEqual([]);
    // A sandbox key may be refused for another reason, but never for one that says that the thing is there.
    const inSandbox = await ask(sandbox);
    expect(shown(inSandbox)).toEqual(shown(await like(sandbox)));
    expect(leaksIn(inSandbox)).toEqual([]);
  });

  test.each([liveKeyOnSandboxOnly].filter((cell) => cell !== null))(
    'a live key on what is for the sandbox: $code',
    async ({ ask, status, code }) => {
      expect(await ask(live)).toMatchObject({ status, body: { code } });
      expect((await ask(sandbox)).status).toBe(routes[name].success.status);
    },
  );
});

describe('what names no resource still stays at home', () => {
  test('every page of the submissions shows own ones alone (§1i)', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Answer = await live.get(`/submissions?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(leaksIn(answer)).toEqual([]);
      seen.push(...answer.body.submissions.map((one: { submissionId: string }) => one.submissionId));
      cursor = answer.body.nextCursor;
    }
    expect(seen).toEqual(expect.arrayContaining([own.ids.submission_id, other.ids.submission_id]));
    expect(seen).not.toContain(gone.ids.submission_id);
  });

  test.each(['/submissions', fillPath('listVersions', theirs.ids), fillPath('listIssues', theirs.ids)])(
    'another’s cursor of %s shows nothing of it',
    async (path) => {
      const { body } = await stranger.get(`${path}?limit=1`);
      expect(body.nextCursor).toEqual(expect.any(String));
      const asked = path.replace(theirs.ids.submission_id, own.ids.submission_id);
      const ownPath = asked.replace(theirs.ids.asset_id, own.ids.asset_id);
      expect(leaksIn(await live.get(`${ownPath}?cursor=${body.nextCursor}`))).toEqual([]);
    },
  );

  test('another’s Idempotency-Key is a key like any other', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = async (client: Client) => {
      const json = { assets: [{ blobPath: await uploadText(client) }] };
      return client.post('/submissions', json, { headers });
    };
    const first = await ask(stranger);
    const second = await ask(live);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.has('idempotency-replayed')).toBe(false);
    expect(second.body.submissionId).not.toBe(first.body.submissionId);
  });

  test('a refused decision changes nothing for its owner', async () => {
    const path = fillPath('listIssues', theirs.ids);
    const { body: before } = await stranger.get(path);
    for (const client of [live, sandbox]) {
      await client.patch(fillPath('updateIssue', theirs.ids), { status: 'RESOLVED' });
      await client.patch(fillPath('updateIssue', { ...theirs.ids, ...own.ids, issue_id: theirs.ids.issue_id }), {
        status: 'RESOLVED',
      });
    }
    expect((await stranger.get(path)).body).toEqual(before);
  });

  test('a deleted version is in no list of versions, and nothing is compared with it', async () => {
    const { body } = await live.get(fillPath('listVersions', survivor.ids));
    const submissions = body.versions.map((version: { submissionId: string }) => version.submissionId);
    expect(new Set(submissions)).toEqual(new Set([survivor.ids.submission_id]));
    expect((await live.get(fillPath('getChanges', survivor.ids))).body).toMatchObject({ previous: null });
  });
});
