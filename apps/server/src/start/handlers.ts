import type { Handlers } from '#http/api.ts';
import { deleteExaminations } from '#modules/analysis/store.ts';
import { createKey } from '#modules/identity/keys/create-key.ts';
import { getKey } from '#modules/identity/keys/get-key.ts';
import { listKeys } from '#modules/identity/keys/list-keys.ts';
import { revokeKey } from '#modules/identity/keys/revoke-key.ts';
import { updateKey } from '#modules/identity/keys/update-key.ts';
import type { Tickets } from '#modules/identity/tickets/ticket.ts';
import { compareProfiles } from '#modules/profiles/compare-profiles.ts';
import { createProfile } from '#modules/profiles/create-profile.ts';
import { deleteProfile } from '#modules/profiles/delete-profile.ts';
import { getProfile } from '#modules/profiles/get-profile.ts';
import { listProfiles } from '#modules/profiles/list-profiles.ts';
import { updateProfile } from '#modules/profiles/update-profile.ts';
import { getChanges } from '#modules/results/changes/get-changes.ts';
import { updateIssue } from '#modules/results/decisions/update-issue.ts';
import { getAsset } from '#modules/results/get-asset.ts';
import { getIssue } from '#modules/results/issues/get-issue.ts';
import { listIssues } from '#modules/results/issues/list-issues.ts';
import { getMeasurements } from '#modules/results/measurements/get-measurements.ts';
import { getEvidence } from '#modules/results/stills/get-evidence.ts';
import { getPoster } from '#modules/results/stills/get-poster.ts';
import { getTopics } from '#modules/results/topics/get-topics.ts';
import { fireEvents } from '#modules/sandbox/fire-events.ts';
import { getSidekick } from '#modules/sidekicks/get-sidekick.ts';
import { listSidekicks } from '#modules/sidekicks/list-sidekicks.ts';
import { cancelSubmission } from '#modules/submissions/cancel-submission.ts';
import { createSubmission } from '#modules/submissions/create/create-submission.ts';
import { deleteSubmission } from '#modules/submissions/delete/delete-submission.ts';
import { getSubmission } from '#modules/submissions/get-submission.ts';
import { listSubmissions } from '#modules/submissions/list/list-submissions.ts';
import { createTicket } from '#modules/submissions/realtime/create-ticket.ts';
import { openRealtime as followChannel } from '#modules/submissions/realtime/open-realtime.ts';
import { retryAsset } from '#modules/submissions/retry-asset.ts';
import { listVersions } from '#modules/submissions/versions/list-versions.ts';
import { completeUploadParts } from '#modules/uploads/complete-upload-parts.ts';
import { createUploadParts } from '#modules/uploads/create-upload-parts.ts';
import { createUploadUrl } from '#modules/uploads/create-upload-url.ts';
import type { StorageQuotas } from '#modules/uploads/quota/storage-quota.ts';
import { renewUploadUrl } from '#modules/uploads/renew-upload-url.ts';
import { uploadDirect } from '#modules/uploads/upload-direct.ts';
import { getDelivery } from '#modules/webhooks/deliveries/get-delivery.ts';
import { listDeliveries } from '#modules/webhooks/deliveries/list-deliveries.ts';
import { replayDeliveries } from '#modules/webhooks/deliveries/replay-deliveries.ts';
import { replayDelivery } from '#modules/webhooks/deliveries/replay-delivery.ts';
import { testSubscription } from '#modules/webhooks/events/test-subscription.ts';
import { createSubscription } from '#modules/webhooks/subscriptions/create-subscription.ts';
import { deleteSubscription } from '#modules/webhooks/subscriptions/delete-subscription.ts';
import { getSubscription } from '#modules/webhooks/subscriptions/get-subscription.ts';
import { listEventTypes } from '#modules/webhooks/subscriptions/list-event-types.ts';
import { listSubscriptions } from '#modules/webhooks/subscriptions/list-subscriptions.ts';
import { rotateSecret } from '#modules/webhooks/subscriptions/rotate-secret.ts';
import { updateSubscription } from '#modules/webhooks/subscriptions/update-subscription.ts';
import { getMe } from '#modules/workspaces/get-me.ts';
import type { KeyRing } from '#platform/mechanisms/key-ring.ts';
import type { WebhookTools } from './open-webhooks.ts';
import { rowRemovers } from './row-removers.ts';

/** The handler of each route. Some also need the webhook tools, the tickets, the quotas, the peppers or functions of other modules. */
export function handlersOf(
  webhooks: WebhookTools,
  tickets: Tickets,
  { STORAGE_QUOTAS: quotas, KEY_PEPPER: peppers }: { STORAGE_QUOTAS: StorageQuotas; KEY_PEPPER: KeyRing },
): Handlers {
  return {
    createUploadUrl: (call, handles) => createUploadUrl(call, handles, quotas),
    renewUploadUrl: (call, handles) => renewUploadUrl(call, handles, quotas),
    createUploadParts: (call, handles) => createUploadParts(call, handles, quotas),
    completeUploadParts,
    uploadDirect: (call, handles) => uploadDirect(call, handles, quotas),
    createSubmission,
    listSubmissions,
    getSubmission,
    deleteSubmission: (call, handles) => deleteSubmission(call, handles, rowRemovers),
    cancelSubmission: (call, handles) => cancelSubmission(call, handles, deleteExaminations),
    retryAsset,
    listVersions,
    getAsset,
    listIssues,
    getIssue,
    updateIssue,
    getEvidence,
    getMeasurements,
    getPoster,
    getTopics,
    getChanges,
    listSidekicks,
    getSidekick,
    listProfiles,
    createProfile,
    getProfile,
    updateProfile,
    deleteProfile,
    compareProfiles,
    getMe: (call, handles) => getMe(call, handles, quotas),
    listKeys,
    createKey: (call, handles) => createKey(call, handles, peppers),
    getKey,
    updateKey,
    revokeKey,
    openRealtime: followChannel,
    createTicket: (call, handles) => createTicket(call, handles, tickets),
    createSubscription: (call, handles) => createSubscription(call, handles, webhooks),
    listSubscriptions,
    getSubscription,
    updateSubscription: (call, handles) => updateSubscription(call, handles, webhooks),
    deleteSubscription,
    rotateSecret: (call, handles) => rotateSecret(call, handles, webhooks),
    testSubscription: (call, handles) => testSubscription(call, handles, webhooks),
    listDeliveries,
    getDelivery,
    replayDelivery,
    replayDeliveries,
    listEventTypes,
    fireEvents,
  };
}
