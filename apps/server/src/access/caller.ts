import type { Tier } from '@assay/contract/limits.ts';
import type { BodyOf, OneFile, ParamsOf, QueryOf, StreamSuccess, SuccessOf } from '@assay/contract/route.ts';
import type { RouteName, Routes } from '@assay/contract/routes.ts';

/** Branded, so that a query cannot be given just any string for its tenant. */
export type WorkspaceId = string & { readonly workspaceId: unique symbol };

export type Mode = 'live' | 'sandbox';

/** Who asks. Only `authenticate.ts` makes one. */
export type Caller = {
  workspaceId: WorkspaceId;
  keyId: string;
  keyPrefix: string;
  mode: Mode;
  tier: Tier;
  /** The house profile of the workspace, for submissions that name none. */
  profile: string;
};

/** A file as it arrives: the name and type are the sender's words, the bytes can be read once. */
export type IncomingFile = { filename: string; contentType: string | undefined; bytes: AsyncIterable<Buffer> };

/** Who follows a stream: where it stands, and until when it listens. */
export type Follower = { lastEventId: string | undefined; signal: AbortSignal };

/** One request that has passed the door, as a handler sees it. */
export type Call<Name extends RouteName> = {
  caller: Caller;
  params: ParamsOf<Routes[Name]>;
  query: QueryOf<Routes[Name]>;
  body: BodyOf<Routes[Name]>;
  file: Routes[Name] extends { body: OneFile } ? IncomingFile : undefined;
  stream: Routes[Name]['success'] extends StreamSuccess ? Follower : undefined;
  idempotencyKey: string | undefined;
  /** The prefix below which the request came: links in the answer lead there too. */
  prefix: string;
  /** The ETags that the caller knows. */
  ifNoneMatch: string | undefined;
};

type Answer<Name extends RouteName> = SuccessOf<Routes[Name]>;

/** `answer` is undefined when the caller has it already. */
export type Tagged<Value> = { etag: string; answer: Value | undefined };

export type Reply<Name extends RouteName> = Routes[Name] extends { isIdempotent: true }
  ? { answer: Answer<Name>; isReplayed: boolean }
  : Routes[Name] extends { hasEtag: true }
    ? Tagged<Answer<Name>>
    : Answer<Name>;
