import { randomUUID } from 'node:crypto';
import { idParamsOf } from '@assay/contract/route.ts';
import { type RouteName, routes } from '@assay/contract/routes.ts';
import type { ApiResponse, Client } from '@assay/testing/service/client.ts';
import { deletedDeliveryId, fillPath, gone, home, type Ids, other, own, theirHome, theirs } from './fixture.ts';

export type TenancyRequest = (client: Client) => Promise<ApiResponse>;
/** A request and its expected response, and the same request with unknown ids: the two responses must be indistinguishable. */
export type TenancyCase = {
  what: string;
  ask: TenancyRequest;
  like: TenancyRequest;
  status: number;
  code: string;
  pointer?: string;
};
/** Cases that refer to a resource in each of these ways; `null` if no resource can be referred to in that way. */
export type ReferenceCases = {
  foreign: TenancyCase[] | null;
  nested: TenancyCase[] | null;
  deleted: TenancyCase[] | null;
  malformed: TenancyCase[];
};
export type RouteCases = {
  own: TenancyRequest;
  /** The keys are the names of the references in the request; a name may be followed by a description. */
  references: Record<string, ReferenceCases>;
  liveKeyOnSandboxOnly: { ask: TenancyRequest; status: number; code: string } | null;
};

const notFound: Record<keyof Ids, string> = {
  submission_id: 'submission_not_found',
  asset_id: 'asset_not_found',
  issue_id: 'issue_not_found',
  subscription_id: 'subscription_not_found',
  delivery_id: 'delivery_not_found',
  profile_id: 'profile_not_found',
  key_id: 'key_not_found',
};
const unknownIds = () => Object.fromEntries(Object.keys(notFound).map((param) => [param, randomUUID()])) as Ids;
const malformedIds = ['1', 'x'.repeat(36), `${randomUUID()}0`, `%7B${randomUUID()}%7D`, '%00', "'%20or%20true--"];
export const pathIdsOf = (name: RouteName) => idParamsOf(routes[name]) as (keyof Ids)[];

const malformedCases = (asking: (value: string) => TenancyRequest, pointer?: string) =>
  malformedIds.map((value): TenancyCase => {
    const ask = asking(value);
    return { what: value, ask, like: ask, status: 422, code: 'validation_failed', ...(pointer && { pointer }) };
  });
/** Cases for a sidekick: every workspace may refer to all sidekicks, and none can delete one. */
export const sidekickCases = (asking: (value: string) => TenancyRequest): ReferenceCases => {
  return { foreign: null, nested: null, deleted: null, malformed: malformedCases(asking) };
};
export const withoutReferences = (ask: TenancyRequest): RouteCases => ({
  own: ask,
  references: {},
  liveKeyOnSandboxOnly: null,
});

/**
 * The cases of a route with path parameters only: a path to the caller's resources, with a foreign id substituted at
 * each position.
 */
export function casesByPath(name: RouteName, json?: object, query = ''): RouteCases {
  const chain = pathIdsOf(name);
  const { method } = routes[name];
  const to = (ids: Partial<Ids>): TenancyRequest => {
    const path = fillPath(name, { ...own.ids, ...ids }) + query;
    return (client) => client.send(method, path, json ? { json } : {});
  };
  const pick = (ids: Ids, from: number, end = chain.length) =>
    Object.fromEntries(chain.slice(from, end).map((param) => [param, ids[param]])) as Partial<Ids>;

  const cellsAt = (param: keyof Ids, at: number): ReferenceCases => {
    const random = unknownIds();
    const cell = (what: string, ids: Partial<Ids>, likeIds: Partial<Ids>): TenancyCase => {
      return { what, ask: to(ids), like: to(likeIds), status: 404, code: notFound[param] };
    };
    const alone = (what: string, ids: Ids) => cell(what, pick(ids, at, at + 1), pick(random, at, at + 1));
    const withAllBelow = (what: string, ids: Ids) => cell(what, pick(ids, at), pick(random, at));
    const ownUnder = (what: string, above: Partial<Ids>) =>
      cell(what, above, { ...above, [param]: randomUUID(), ...pick(random, at + 1) });
    const underOwn = [
      alone("foreign, below the caller's own", theirs.ids),
      withAllBelow("foreign with all ids after it, below the caller's own", theirs.ids),
      ownUnder("the caller's own, below another of the caller's", pick(other.ids, 0, at)),
      ...(at === 2
        ? [ownUnder("the caller's own, below another of the caller's assets", { asset_id: own.secondAssetId })]
        : []),
    ];
    const withSubmission = alone('deleted with its submission', { ...gone.ids, delivery_id: deletedDeliveryId });
    return {
      foreign: [alone('this id', theirs.ids), withAllBelow('this id and all after it', theirs.ids)],
      nested: at > 0 ? underOwn : null,
      deleted: [
        alone('deleted', gone.ids),
        withAllBelow('deleted, with all ids after it', gone.ids),
        ...(param === 'delivery_id' ? [withSubmission] : []),
      ],
      malformed: malformedCases((value) => to({ [param]: value }), `/${param}`),
    };
  };
  return {
    own: to({}),
    references: Object.fromEntries(chain.map((param, at) => [param, cellsAt(param, at)])),
    liveKeyOnSandboxOnly: null,
  };
}

const unknownBlobPath = () => `${randomUUID()}/${randomUUID()}-0-their-file.pdf`;
const inFolderOf = (workspaceId: string, blobPath: string) => blobPath.replace(/^[^/]+/, workspaceId);

/** Cases for a blob path in a body. §4.3: a path that was not issued to this workspace always gets 403. */
export function blobPathCases(asking: (blobPath: string) => TenancyRequest): ReferenceCases {
  const cell = (what: string, blobPath: string, like = unknownBlobPath()): TenancyCase => {
    return { what, ask: asking(blobPath), like: asking(like), status: 403, code: 'invalid_blob_path' };
  };
  return {
    foreign: [cell('of another workspace', theirs.blobPath)],
    nested: [
      cell("a foreign blob in the caller's folder", inFolderOf(home.workspaceId, theirs.blobPath)),
      cell("the caller's blob in a foreign folder", inFolderOf(theirHome.workspaceId, own.blobPath)),
    ],
    deleted: [cell('deleted', gone.blobPath)],
    malformed: [
      cell('empty', ''),
      cell('a slash', '/'),
      cell('a path to the parent folder', '../x'),
      cell("a path to the parent folder of the caller's blob", `${own.blobPath}/../x`),
      cell("the caller's own, with a NUL", `${own.blobPath}\0`),
    ],
  };
}

/** The cases of a route whose body names one blob. */
export function casesByBlobPath(path: string, rest: object = {}): RouteCases {
  const asking =
    (blobPath: string): TenancyRequest =>
    (client) =>
      client.post(path, { blobPath, ...rest });
  return { own: asking(own.blobPath), references: { blobPath: blobPathCases(asking) }, liveKeyOnSandboxOnly: null };
}

/** Cases for the submission that events are fired for. */
export function submissionIdCases(asking: (submissionId: string) => TenancyRequest): ReferenceCases {
  const cell = (what: string, submissionId: string): TenancyCase => ({
    what,
    ask: asking(submissionId),
    like: asking(randomUUID()),
    status: 404,
    code: 'submission_not_found',
  });
  return {
    foreign: [cell('of another workspace', theirs.ids.submission_id)],
    nested: [cell("the caller's asset", own.ids.asset_id), cell("the caller's subscription", own.ids.subscription_id)],
    deleted: [cell('deleted', gone.ids.submission_id)],
    malformed: malformedCases(asking),
  };
}

/** Cases for a channel, which is a plain string: the caller may follow it, or it is unknown. */
export function channelCases(asking: (channel: string) => TenancyRequest): ReferenceCases {
  const cell = (what: string, channel: string): TenancyCase => ({
    what,
    ask: asking(channel),
    like: asking(`submission.${randomUUID()}`),
    status: 404,
    code: 'channel_not_found',
  });
  return {
    foreign: [
      cell('a foreign submission', `submission.${theirs.ids.submission_id}`),
      cell('the events of a foreign workspace', `webhooks.${theirHome.workspaceId}`),
    ],
    nested: [
      cell("the caller's asset", `submission.${own.ids.asset_id}`),
      cell("the caller's workspace as a submission", `submission.${home.workspaceId}`),
      cell("the caller's submission as a workspace", `webhooks.${own.ids.submission_id}`),
    ],
    deleted: [cell('deleted', `submission.${gone.ids.submission_id}`)],
    malformed: [
      cell('without a kind', own.ids.submission_id),
      cell('without an id', 'submission.'),
      cell('of an unknown kind', `asset.${own.ids.asset_id}`),
      cell('of two submissions', `submission.${own.ids.submission_id}.${theirs.ids.submission_id}`),
      cell('with a wildcard', 'submission.*'),
      cell("the caller's own, with a NUL", `submission.${own.ids.submission_id}\0`),
    ],
  };
}
