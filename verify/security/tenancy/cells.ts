import { randomUUID } from 'node:crypto';
import { idParamsOf } from '@assay/contract/route.ts';
import { type RouteName, routes } from '@assay/contract/routes.ts';
import type { Answer, Client } from '@assay/testing/service/client.ts';
import { deletedDeliveryId, fillPath, gone, home, type Ids, other, own, strange, theirs } from './fixture.ts';

export type Ask = (client: Client) => Promise<Answer>;
/** A request and its expected response, and the same request with unknown ids: the two responses must be indistinguishable. */
export type Cell = { what: string; ask: Ask; like: Ask; status: number; code: string; pointer?: string };
/** `null` if there is no such resource. */
export type Cells = { anothers: Cell[] | null; nested: Cell[] | null; deleted: Cell[] | null; malformed: Cell[] };
export type Row = {
  own: Ask;
  /** Keys are the names of the references in the request; a key may continue with a description. */
  references: Record<string, Cells>;
  liveKeyOnSandboxOnly: { ask: Ask; status: number; code: string } | null;
};

const notFound: Record<keyof Ids, string> = {
  submission_id: 'submission_not_found',
  asset_id: 'asset_not_found',
  issue_id: 'issue_not_found',
  subscription_id: 'subscription_not_found',
  delivery_id: 'delivery_not_found',
  profile_id: 'profile_not_found',
};
const unknownIds = () => Object.fromEntries(Object.keys(notFound).map((param) => [param, randomUUID()])) as Ids;
const malformedIds = ['1', 'x'.repeat(36), `${randomUUID()}0`, `%7B${randomUUID()}%7D`, '%00', "'%20or%20true--"];
export const chainOf = (name: RouteName) => idParamsOf(routes[name]) as (keyof Ids)[];

const malformedCells = (asking: (value: string) => Ask, pointer?: string) =>
  malformedIds.map((value): Cell => {
    const ask = asking(value);
    return { what: value, ask, like: ask, status: 422, code: 'validation_failed', ...(pointer && { pointer }) };
  });
/** Sidekicks belong to no workspace: every workspace may refer to all of them, and none can delete one. */
export const globalCells = (asking: (value: string) => Ask): Cells => {
  return { anothers: null, nested: null, deleted: null, malformed: malformedCells(asking) };
};
export const withoutReference = (ask: Ask): Row => ({ own: ask, references: {}, liveKeyOnSandboxOnly: null });

/** The row of a route with path parameters only: a chain of own resources, with another's substituted at each position. */
export function byPath(name: RouteName, json?: object, query = ''): Row {
  const chain = chainOf(name);
  const { method } = routes[name];
  const to = (ids: Partial<Ids>): Ask => {
    const path = fillPath(name, { ...own.ids, ...ids }) + query;
    return (client) => client.send(method, path, json ? { json } : {});
  };
  const pick = (ids: Ids, from: number, end = chain.length) =>
    Object.fromEntries(chain.slice(from, end).map((param) => [param, ids[param]])) as Partial<Ids>;

  const cellsAt = (param: keyof Ids, at: number): Cells => {
    const random = unknownIds();
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
      ownUnder('own under another own one', pick(other.ids, 0, at)),
      ...(at === 2 ? [ownUnder('own under another own asset', { asset_id: own.secondAssetId })] : []),
    ];
    const withSubmission = alone('deleted with its submission', { ...gone.ids, delivery_id: deletedDeliveryId });
    return {
      anothers: [alone('another’s', theirs.ids), withAllBelow('another’s, all of it', theirs.ids)],
      nested: at > 0 ? underOwn : null,
      deleted: [
        alone('deleted', gone.ids),
        withAllBelow('deleted, all of it', gone.ids),
        ...(param === 'delivery_id' ? [withSubmission] : []),
      ],
      malformed: malformedCells((value) => to({ [param]: value }), `/${param}`),
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
export function blobPathCells(asking: (blobPath: string) => Ask): Cells {
  const cell = (what: string, blobPath: string, like = unknownBlobPath()): Cell => {
    return { what, ask: asking(blobPath), like: asking(like), status: 403, code: 'invalid_blob_path' };
  };
  return {
    anothers: [cell('another’s', theirs.blobPath)],
    nested: [
      cell('another’s blob in the own folder', inFolderOf(home.workspaceId, theirs.blobPath)),
      cell('an own blob in another’s folder', inFolderOf(strange.workspaceId, own.blobPath)),
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

/** The row of a route whose body names one blob. */
export function byBlobPath(path: string, rest: object = {}): Row {
  const asking =
    (blobPath: string): Ask =>
    (client) =>
      client.post(path, { blobPath, ...rest });
  return { own: asking(own.blobPath), references: { blobPath: blobPathCells(asking) }, liveKeyOnSandboxOnly: null };
}

/** Cases for the submission that events are fired for. */
export function submissionIdCells(asking: (submissionId: string) => Ask): Cells {
  const cell = (what: string, submissionId: string): Cell => ({
    what,
    ask: asking(submissionId),
    like: asking(randomUUID()),
    status: 404,
    code: 'submission_not_found',
  });
  return {
    anothers: [cell('another’s', theirs.ids.submission_id)],
    nested: [cell('an own asset', own.ids.asset_id), cell('an own subscription', own.ids.subscription_id)],
    deleted: [cell('deleted', gone.ids.submission_id)],
    malformed: malformedCells(asking),
  };
}

/** Cases for a channel, which is a plain string: the caller may follow it, or it is unknown. */
export function channelCells(asking: (channel: string) => Ask): Cells {
  const cell = (what: string, channel: string): Cell => ({
    what,
    ask: asking(channel),
    like: asking(`submission.${randomUUID()}`),
    status: 404,
    code: 'channel_not_found',
  });
  return {
    anothers: [
      cell('another’s submission', `submission.${theirs.ids.submission_id}`),
      cell('another’s events', `webhooks.${strange.workspaceId}`),
    ],
    nested: [
      cell('an own asset', `submission.${own.ids.asset_id}`),
      cell('the own workspace as a submission', `submission.${home.workspaceId}`),
      cell('an own submission as a workspace', `webhooks.${own.ids.submission_id}`),
    ],
    deleted: [cell('deleted', `submission.${gone.ids.submission_id}`)],
    malformed: [
      cell('no kind', own.ids.submission_id),
      cell('no id', 'submission.'),
      cell('another kind', `asset.${own.ids.asset_id}`),
      cell('two at once', `submission.${own.ids.submission_id}.${theirs.ids.submission_id}`),
      cell('any', 'submission.*'),
      cell('an own one and a NUL', `submission.${own.ids.submission_id}\0`),
    ],
  };
}
