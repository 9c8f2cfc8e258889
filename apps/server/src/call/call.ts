import type { BodyOf, OneFile, ParamsOf, QueryOf, StreamSuccess, SuccessOf } from '@assay/contract/route.ts';
import type { RouteName, Routes } from '@assay/contract/routes.ts';
import type { Caller } from './caller.ts';

/** An uploaded file, with the name and type that the sender declared. The bytes can be read only once. */
export type IncomingFile = { filename: string; contentType: string | undefined; bytes: AsyncIterable<Buffer> };

/** A client that follows an event stream: the last event it received, and the signal that ends the stream. */
export type Follower = { lastEventId: string | undefined; signal: AbortSignal };

/** One authorised request, as a handler receives it. */
export type Call<Name extends RouteName> = {
  caller: Caller;
  params: ParamsOf<Routes[Name]>;
  query: QueryOf<Routes[Name]>;
  body: BodyOf<Routes[Name]>;
  file: Routes[Name] extends { body: OneFile } ? IncomingFile : undefined;
  stream: Routes[Name]['success'] extends StreamSuccess ? Follower : undefined;
  idempotencyKey: string | undefined;
  /** The prefix of the request's path; links in the response use it too. */
  prefix: string;
  /** The ETags of the caller's cached copies. */
  ifNoneMatch: string | undefined;
  /** The connection is closed if nothing is sent on it for this long, also while a handler runs. */
  silentMillisMax: number;
};

type ResponseBody<Name extends RouteName> = SuccessOf<Routes[Name]>;

/** `response` is undefined when the caller's copy is current. */
export type TaggedResponse<Value> = { etag: string; response: Value | undefined };

export type Reply<Name extends RouteName> = Routes[Name] extends { isIdempotent: true }
  ? { response: ResponseBody<Name>; isReplayed: boolean }
  : Routes[Name] extends { hasEtag: true }
    ? TaggedResponse<ResponseBody<Name>>
    : ResponseBody<Name>;
