/** Every limit of the API: those that the integration interface defines, and those that it leaves open. */

export const MiB = 1024 * 1024;
export const GiB = 1024 * MiB;

export const directUploadBytesMax = 10 * MiB; // §8.1
export const assetBytesMax = { video: 5 * GiB, audio: 500 * MiB, image: 50 * MiB, document: 100 * MiB } as const; // §8.1
export type Category = keyof typeof assetBytesMax;

export const presignedUrlLifetimeSeconds = 60 * 60; // §8.1
/** The most parts of an upload: enough for a file of 5 GiB in parts of 5 MiB, the smallest that S3 accepts. */
export const partCountMax = 1024;
export const partBytesMin = 5 * MiB;
/** The limit after normalisation to NFC. As sent, a name may be longer, because NFD text takes more bytes. */
export const filenameBytesMax = 255;
export const sentFilenameBytesMax = 1024;
export const blobPathBytesMax = 2048;
export const jsonBodyBytesMax = 1 * MiB;

// §8.2
export const buckets = [
  'upload',
  'submission_write',
  'submission_read',
  'webhook_write',
  'webhook_read',
  'sandbox',
] as const;
export type Bucket = (typeof buckets)[number];

export const tiers = ['free', 'starter', 'pro', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];
/** Requests of the tier `free` are refused with 402, so it has no rate limits. */
export type PaidTier = Exclude<Tier, 'free'>;

export const rateLimitWindowSeconds = 60;
export const failedAuthenticationsPerMinuteMax = 100;

/** Requests per minute of each key in each bucket. The operator can override these limits. */
export const defaultRateLimits: Record<PaidTier, Record<Bucket, number>> = {
  starter: { upload: 30, submission_write: 20, submission_read: 200, webhook_write: 20, webhook_read: 60, sandbox: 60 },
  pro: { upload: 120, submission_write: 60, submission_read: 600, webhook_write: 30, webhook_read: 120, sandbox: 60 },
  enterprise: {
    upload: 600,
    submission_write: 300,
    submission_read: 3000,
    webhook_write: 60,
    webhook_read: 300,
    sandbox: 60,
  },
};

/** Null is no limit. */
export type StorageQuota = { GiB: number | null; files: number | null };
/** What a workspace may store. The operator can override these quotas. */
export const defaultStorageQuotas: Record<PaidTier, StorageQuota> = {
  starter: { GiB: 500, files: 100_000 },
  pro: { GiB: 5_000, files: 1_000_000 },
  enterprise: { GiB: 50_000, files: 10_000_000 },
};
/** How soon the stored size of an upload is looked up, and again until there is one. */
export const measuredAfterSeconds = 5 * 60;
/**
 * Examinations of one category that a workspace may have in progress, on all workers together. The operator can override
 * these limits.
 */
export const defaultExaminationsAtOnce: Record<PaidTier, number> = { starter: 4, pro: 16, enterprise: 64 };

/** How long a process may still accept a revoked key, or apply the previous tier. */
export const keyRecheckSeconds = 5;
/** How long a ticket can be used to open a stream. */
export const ticketLifetimeSeconds = 60;

// Limits that §8.2 leaves open.
export const assetsPerSubmissionMax = 50;
export const retriesPerAssetMax = 3;
export const findingsPerAssetMax = 1000;
export const decisionsShownMax = 200;
export const stillsPerIssueMax = 3;
export const stillsPerAssetMax = 30;
export const stillSidePixelsMax = 640;
export const posterSidePixelsMax = 480;
/** The most points of a measured series. In longer media, the points are further apart. */
export const seriesPointsMax = 2000;
/** Longer media fails with `media_too_long`. */
export const mediaSecondsMax = 6 * 60 * 60;

export const simulationDelaySecondsMax = 30; // §8.3

/** The most values in a JSON body, counted at every depth: far more than any request needs. */
export const bodyValuesMax = 10_000;
/** The most field errors that a refusal lists. */
export const fieldErrorsMax = 100;
export const metadataKeysMax = 50;
export const metadataKeyCharactersMax = 64;
export const metadataDepthMax = 5;
export const metadataBytesMax = 16 * 1024;

export const idempotencyKeyCharactersMax = 255;
export const idempotencyKeptHours = 24;

// Webhooks.
export const subscriptionsPerWorkspaceMax = 20;
export const webhookUrlCharactersMax = 2048;
export const requestsPerSecondMax = 100;
export const secretGraceSeconds = { default: 86_400, max: 604_800 } as const;
export const deliveryAttemptsMax = 10;
export const webhookTimeoutSecondsMax = 60;
export const deliveriesInFlightMax = 5;
export const replayedDeliveriesMax = 10_000;
/** How much of a receiver's response is read, and how much is stored. */
export const answerBytesReadMax = 64 * 1024;
export const answerBytesKeptMax = 4 * 1024;
/** A subscription without a success for days is disabled, but only after at least this many failures. */
export const failuresBeforeDisabledMin = 5;
/** A subscription is disabled when this many attempts at one delivery were blocked, because its host has moved. */
export const blockedAttemptsMax = 5;
/** The longest wait that a receiver can request by `Retry-After`. */
export const retryAfterSecondsMax = 86_400;

export const firedErrorMessageCharactersMax = 10_000;

export const realtimePulseSeconds = 15;

/** Keys that are neither expired nor revoked. The operator can create more. */
export const keysPerWorkspaceMax = 200;

export const keysPage = { default: 100, max: 100 } as const;
export const subscriptionsPage = { default: 100, max: 100 } as const;
export const deliveriesPage = { default: 25, max: 100 } as const;
/** A longer client reference is stored, but not sent in events. */
export const clientReferenceCharactersMax = 200;
export const submissionsPage = { default: 25, max: 100 } as const;
export const issuesPage = { default: 1000, max: 1000 } as const;
export const versionsPage = { default: 1000, max: 1000 } as const;
