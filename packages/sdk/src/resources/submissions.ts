import type { Call, CallOptions, WriteOptions } from '../call.ts';
import { AssayError, TimeoutError } from '../errors.ts';
import { type FollowOptions, follow } from '../follow.ts';
import { listing } from '../listing.ts';
import { resolveSidekicks } from '../sidekick-ids.ts';
import type { Operations, Submission, SubmissionRequest } from '../wire.generated.ts';

type ListQuery = Operations['listSubmissions']['query'];
type VersionQuery = Operations['listVersions']['query'];
export type CreateOptions = WriteOptions & {
  /** With a sandbox key: the duration of the simulated run. */
  simulationDelaySeconds?: number | undefined;
};
export type WaitOptions = FollowOptions & {
  onUpdate?: ((submission: Submission) => void) | undefined;
  /** Default: no limit. */
  waitMs?: number | undefined;
};

export const submissions = (call: Call) => {
  const create = async (request: SubmissionRequest, { simulationDelaySeconds, ...options }: CreateOptions = {}) => {
    const sidekickIds = request.sidekickIds && (await resolveSidekicks(call, request.sidekickIds, options));
    const body = { ...request, sidekickIds };
    return call('createSubmission', { params: [], query: { simulationDelaySeconds }, body }, options);
  };

  const wait = async (submissionId: string, { onUpdate, waitMs, ...options }: WaitOptions = {}) => {
    const deadline = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs);
    const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
    let last: Submission | undefined;
    try {
      for await (const submission of follow(call, submissionId, { ...options, signal: AbortSignal.any(signals) })) {
        last = submission;
        onUpdate?.(submission);
      }
    } catch (error) {
      const isDeadline = deadline?.aborted && !options.signal?.aborted;
      throw isDeadline
        ? new TimeoutError(
            `Submission ${submissionId} has not finished after ${waitMs} ms. It continues; wait for it again.`,
          )
        : error;
    }
    if (!last) throw new AssayError('The service returned no state of the submission.');
    return last;
  };

  return {
    /** `sidekickIds` also accepts short names. */
    create,
    /** Resolves when the submission is `complete` or `failed`. Failed assets do not throw: see their `errorMessage`. */
    createAndWait: async (body: SubmissionRequest, options: CreateOptions & WaitOptions = {}) => {
      const { onUpdate, waitMs, pollOnly, ...rest } = options;
      const { submissionId } = await create(body, rest);
      return wait(submissionId, { onUpdate, waitMs, pollOnly, signal: rest.signal });
    },
    wait,
    /** Yields every state of the submission until it finishes. */
    follow: (submissionId: string, options?: FollowOptions) => follow(call, submissionId, options),
    /** For `followByTicket`, in a page without an API key. A ticket is valid for 60 seconds. */
    createTicket: (submissionId: string, options?: CallOptions) =>
      call('createTicket', { params: [], body: { channel: `submission.${submissionId}` } }, options),
    list: (query: ListQuery = {}, options?: CallOptions) =>
      listing(
        (cursor = query.cursor) => call('listSubmissions', { params: [], query: { ...query, cursor } }, options),
        (page) => page.submissions,
      ),
    get: (submissionId: string, options?: CallOptions) => call('getSubmission', { params: [submissionId] }, options),
    delete: (submissionId: string, options?: CallOptions) =>
      call('deleteSubmission', { params: [submissionId] }, options),
    cancel: (submissionId: string, options?: CallOptions) =>
      call('cancelSubmission', { params: [submissionId] }, options),
    versions: (submissionId: string, query: VersionQuery = {}, options?: CallOptions) =>
      listing(
        (cursor = query.cursor) =>
          call('listVersions', { params: [submissionId], query: { ...query, cursor } }, options),
        (page) => page.versions,
      ),
  };
};
