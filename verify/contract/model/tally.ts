/** How often each command got each response, and how long it took. */
export type Tally = {
  count(command: string, response: string, millis: number): void;
  timesOf(command: string, response: string): number;
  rows(): Record<'command' | 'response' | 'times' | 'mean ms', string>[];
};

export function createTally(): Tally {
  const counts = new Map<string, { command: string; response: string; times: number; millis: number }>();
  return {
    count(command, response, millis) {
      const key = `${command} ${response}`;
      const own = counts.get(key) ?? { command, response, times: 0, millis: 0 };
      counts.set(key, { ...own, times: own.times + 1, millis: own.millis + millis });
    },
    timesOf: (command, response) => counts.get(`${command} ${response}`)?.times ?? 0,
    rows: () =>
      [...counts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { command, response, times, millis }]) => ({
          command,
          response,
          times: String(times),
          'mean ms': (millis / times).toFixed(0),
        })),
  };
}

/** For each command, the responses that must occur. The first one is the usual one and must occur often. */
const requiredResponses: Record<string, [string, ...string[]]> = {
  upload: ['201', '415 content_type_mismatch'],
  url: ['200'],
  put: ['201'],
  renew: ['200', '403 invalid_blob_path', '403 live_upload'],
  submit: [
    '201',
    '400 simulation_needs_sandbox_key',
    '403 invalid_blob_path',
    '415 content_type_mismatch',
    '422 blob_not_uploaded',
    '422 duplicate_blob_path',
    '422 unknown_sidekick',
    '422 idempotency_key_reused',
  ],
  version: [
    '201',
    '404 previous_submission_not_found',
    '422 ambiguous_previous_version',
    '422 duplicate_previous_version',
  ],
  poll: ['200', '404 submission_not_found'],
  settle: ['complete', 'blob_changed'],
  retry: [
    '202',
    '404 submission_not_found',
    '404 asset_not_found',
    '409 asset_not_failed',
    '409 asset_not_retryable',
    '409 retry_limit_reached',
    '409 retry_in_flight',
    '422 idempotency_key_reused',
  ],
  replay: ['201 replayed', '202 replayed', '422 idempotency_key_reused'],
  cancel: ['202', '403 live_submission', '404 submission_not_found', '409 submission_settled'],
  delete: ['204', '403 live_submission', '404 submission_not_found', '409 submission_in_progress'],
  purge: ['403 invalid_blob_path'],
  versions: ['200', '404 submission_not_found'],
  list: ['200'],
  asset: ['200', '404 submission_not_found', '404 asset_not_found'],
  issues: ['200', '404 submission_not_found', '404 asset_not_ready', '404 asset_failed'],
  topics: ['200', '404 submission_not_found', '404 asset_not_ready', '404 asset_failed'],
  me: ['200'],
  decide: ['200', '403 live_submission', '404 submission_not_found', '404 asset_not_found', '404 issue_not_found'],
  // The status of issues at their first read, which shows that they inherited a decision.
  found: ['OPEN', 'ACKNOWLEDGED', 'DISMISSED'],
  subscribe: ['201', '422 url_not_allowed', '422 idempotency_key_reused'],
  change: ['200', '403 live_subscription', '404 subscription_not_found'],
  unsubscribe: ['204', '404 subscription_not_found'],
  subscription: ['200', '404 subscription_not_found'],
  subscriptions: ['200'],
  deliveries: ['200', '404 subscription_not_found'],
  delivery: ['200'],
  delivered: ['pending', 'succeeded', 'cancelled'],
  resend: ['202', '404 subscription_not_found', '404 delivery_not_found', '409 subscription_inactive'],
  fire: ['200', '403 sandbox_only', '404 submission_not_found'],
  events: ['200', '404 channel_not_found'],
  follow: ['200', '404 channel_not_found'],
  watch: ['snapshot', 'asset.updated', 'submission.updated', 'end'],
  resume: ['200', '204', '404 channel_not_found'],
};
const usualTimesMin = 5;

/** Returns the required responses that did not occur: without them a run has covered less than it seems. */
export function findMissingResponses(tally: Tally): { usual: string[]; rare: string[] } {
  const missing = { usual: [] as string[], rare: [] as string[] };
  for (const [command, responses] of Object.entries(requiredResponses)) {
    for (const [i, response] of responses.entries()) {
      const times = tally.timesOf(command, response);
      const [kind, timesMin] = i === 0 ? (['usual', usualTimesMin] as const) : (['rare', 1] as const);
      if (times < timesMin) missing[kind].push(`${command} ${response}: ${times} times`);
    }
  }
  return missing;
}
