import type { Call, CallOptions, WriteOptions } from '../call.ts';
import { listing } from '../listing.ts';
import { resolveSidekicks } from '../sidekick-ids.ts';
import type { IssueStatusRequest, Operations } from '../wire.generated.ts';

type IssueQuery = Operations['listIssues']['query'];

export const assets = (call: Call) => ({
  get: (submissionId: string, assetId: string, options?: CallOptions) =>
    call('getAsset', { params: [submissionId, assetId] }, options),
  retry: (submissionId: string, assetId: string, options?: WriteOptions) =>
    call('retryAsset', { params: [submissionId, assetId], body: {} }, options),
  topics: (submissionId: string, assetId: string, options?: CallOptions) =>
    call('getTopics', { params: [submissionId, assetId] }, options),
  changes: (submissionId: string, assetId: string, options?: CallOptions) =>
    call('getChanges', { params: [submissionId, assetId] }, options),
  measurements: (submissionId: string, assetId: string, options?: CallOptions) =>
    call('getMeasurements', { params: [submissionId, assetId] }, options),
  /** The poster as JPEG. `media.poster` of the asset is null if there is none. */
  poster: (submissionId: string, assetId: string, options?: CallOptions) =>
    call('getPoster', { params: [submissionId, assetId] }, options),
});

export const issues = (call: Call) => ({
  /** `sidekickId` also accepts short names. */
  list: (submissionId: string, assetId: string, query: IssueQuery = {}, options?: CallOptions) =>
    listing(
      async (cursor = query.cursor) => {
        const sidekickId = query.sidekickId && (await resolveSidekicks(call, [query.sidekickId].flat(), options));
        const params: [string, string] = [submissionId, assetId];
        return call('listIssues', { params, query: { ...query, sidekickId, cursor } }, options);
      },
      (page) => page.issues,
    ),
  /** One issue with all its decisions. */
  get: (submissionId: string, assetId: string, issueId: string, options?: CallOptions) =>
    call('getIssue', { params: [submissionId, assetId, issueId] }, options),
  /** Sets the status of an issue and records the decision. */
  decide: (submissionId: string, assetId: string, issueId: string, body: IssueStatusRequest, options?: CallOptions) =>
    call('updateIssue', { params: [submissionId, assetId, issueId], body }, options),
  /** The n-th still (from 1) as JPEG. */
  evidence: (submissionId: string, assetId: string, issueId: string, n: number, options?: CallOptions) =>
    call('getEvidence', { params: [submissionId, assetId, issueId, n] }, options),
});

export const sidekicks = (call: Call) => ({
  list: (options?: CallOptions) =>
    listing(
      () => call('listSidekicks', { params: [] }, options),
      (page) => page.sidekicks,
    ),
  /** By id or short name. */
  get: async (sidekick: string, options?: CallOptions) => {
    const [sidekickId = ''] = await resolveSidekicks(call, [sidekick], options);
    return call('getSidekick', { params: [sidekickId] }, options);
  },
  /** Resolves ids and short names (case-insensitive) to ids. Throws on an unknown name and lists the known ones. */
  resolve: (sidekicks: readonly string[], options?: CallOptions) => resolveSidekicks(call, sidekicks, options),
});
