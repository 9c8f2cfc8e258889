import * as limits from '@assay/contract/limits.ts';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { frontMatter, type Page, paragraphs, table } from './markdown.ts';

const { assetBytesMax, buckets, defaultRateLimits, defaultStorageQuotas, GiB, MiB } = limits;
const categories = Object.keys(assetBytesMax) as limits.Category[];

const formatSize = (bytes: number) => {
  if (bytes >= GiB) return `${bytes / GiB} GiB`;
  return bytes >= MiB ? `${bytes / MiB} MiB` : `${bytes / 1024} KiB`;
};
const formatNumber = (value: number) => value.toLocaleString('en-GB');

const bucketMeanings: Record<limits.Bucket, string> = {
  upload: 'requesting upload URLs, completing uploads in parts, direct uploads',
  submission_write: 'creating, retrying, cancelling and deleting submissions; decisions on issues; changing keys',
  submission_read: 'reading submissions, assets, results, checks, keys and the account; opening a live stream',
  webhook_write: 'changing subscriptions, tests and replays',
  webhook_read: 'reading subscriptions and deliveries',
  sandbox: 'firing events',
};

export function makeLimitsPage(): Page {
  const tiers = Object.keys(defaultRateLimits) as limits.PaidTier[];
  const text = paragraphs(
    frontMatter({ title: 'Limits and accepted files', description: 'Sizes, rates and file types, in tables.' }),
    '# Limits and accepted files',
    '## Requests per minute {#requests-a-minute}',
    `Per API key and bucket. A window of ${limits.rateLimitWindowSeconds} seconds starts with its first request. Refused requests count too. Above the limit the response is 429 with \`Retry-After\`; no header tells the remaining requests. An operator may set other limits, and a sandbox key always has those of \`starter\`. The plan \`free\` does not include the service: [402](/errors/tier_not_authorized_for_integrations_api).`,
    table(
      ['Bucket', ...tiers, 'Covers'],
      buckets.map((bucket) => [
        `\`${bucket}\``,
        ...tiers.map((tier) => formatNumber(defaultRateLimits[tier][bucket])),
        bucketMeanings[bucket],
      ]),
    ),
    `After ${limits.failedAuthenticationsPerMinuteMax} requests per minute from one address with a missing or wrong key, further ones get 429. Valid keys keep working.`,
    '## Storage per workspace {#storage}',
    'Above the quota, uploads are refused with [422](/errors/storage_quota_reached). An operator may set other quotas; `GET /me` shows yours, and what is stored.',
    table(['What', ...tiers], quotaRows(tiers)),
    '## Sizes',
    table(['What', 'Limit'], sizeRows()),
    '## Counts and times',
    table(['What', 'Limit'], countRows()),
    '## Accepted files',
    'The extension, the content type and the content of a file must be of the same format; otherwise the response is [415](/errors/content_type_mismatch). Case does not matter. Not accepted: SVG, HTML, old Office files, files with macros, ZIP.',
    ...categories.map(filesOf),
  );
  return { path: 'limits.md', text };
}

function quotaRows(tiers: limits.PaidTier[]): string[][] {
  const row = (what: string, name: keyof limits.StorageQuota) => [
    what,
    ...tiers.map((tier) => {
      const quota = defaultStorageQuotas[tier][name];
      return quota === null ? 'no limit' : formatNumber(quota);
    }),
  ];
  return [row('GiB', 'GiB'), row('Files', 'files')];
}

function sizeRows(): string[][] {
  return [
    [
      'Direct upload',
      `${formatSize(limits.directUploadBytesMax)} (${formatNumber(limits.directUploadBytesMax)} bytes)`,
    ],
    ...categories.map((category) => [category, formatSize(assetBytesMax[category])]),
    ['One PUT to an upload URL', '5,000 MiB; upload larger files in parts'],
    ['One part', `at least ${formatSize(limits.partBytesMin)} except for the last; at most 4,000 MiB`],
    ['JSON body', formatSize(limits.jsonBodyBytesMax)],
    [
      'File name',
      `${limits.filenameBytesMax} bytes in UTF-8 after normalisation to NFC; ${formatNumber(limits.sentFilenameBytesMax)} as sent`,
    ],
    ['`blobPath` in a request', `${formatNumber(limits.blobPathBytesMax)} bytes`],
    ['`metadata` as JSON', formatSize(limits.metadataBytesMax)],
  ];
}

function countRows(): string[][] {
  const { metadataKeysMax, metadataKeyCharactersMax, metadataDepthMax } = limits;
  return [
    ['Assets per submission', formatNumber(limits.assetsPerSubmissionMax)],
    ['Duration of an asset', `${limits.mediaSecondsMax / 3600} hours`],
    ['Retries per asset', formatNumber(limits.retriesPerAssetMax)],
    ['Issues per asset', formatNumber(limits.findingsPerAssetMax)],
    ['Still images per issue, per asset', `${limits.stillsPerIssueMax}, ${limits.stillsPerAssetMax}`],
    ['Points per measured series', formatNumber(limits.seriesPointsMax)],
    [
      '`metadata`',
      `${metadataKeysMax} keys of 1 to ${metadataKeyCharactersMax} characters, ${metadataDepthMax} levels`,
    ],
    ['Parts per upload', formatNumber(limits.partCountMax)],
    ['Lifetime of an upload URL', `${limits.presignedUrlLifetimeSeconds / 60} minutes`],
    [
      '`Idempotency-Key`',
      `${limits.idempotencyKeyCharactersMax} characters, stored for ${limits.idempotencyKeptHours} hours`,
    ],
    ['`simulationDelaySeconds`', `0 to ${limits.simulationDelaySecondsMax}`],
    ['Keys per workspace, without expired and revoked ones', formatNumber(limits.keysPerWorkspaceMax)],
    ['Subscriptions per workspace', formatNumber(limits.subscriptionsPerWorkspaceMax)],
    ['Attempts per delivery', formatNumber(limits.deliveryAttemptsMax)],
    ['Concurrent requests to one subscription', formatNumber(limits.deliveriesInFlightMax)],
    ['Deliveries per range replay', formatNumber(limits.replayedDeliveriesMax)],
    ['Issues per page', `${formatNumber(limits.issuesPage.default)} (at most ${formatNumber(limits.issuesPage.max)})`],
    ['Submissions per page', `${limits.submissionsPage.default} (at most ${limits.submissionsPage.max})`],
    ['Deliveries per page', `${limits.deliveriesPage.default} (at most ${limits.deliveriesPage.max})`],
  ];
}

function filesOf(category: limits.Category): string {
  const rows = mediaTypes
    .filter((media) => media.category === category)
    .map(({ extensions, type, aliases }) => [
      extensions.map((extension) => `\`.${extension}\``).join(', '),
      `\`${type}\``,
      aliases.map((alias) => `\`${alias}\``).join(', ') || 'none',
    ]);
  const title = `${category.charAt(0).toUpperCase()}${category.slice(1)}, up to ${formatSize(assetBytesMax[category])}`;
  return paragraphs(
    `### ${title} {#${category}}`,
    table(['Extensions', 'Content type', 'Also accepted as'], rows),
  ).trimEnd();
}
