import { categoryOf, fits } from '../files.ts';
import { type Asset, type Mode, type Model, rememberedUnder, type Submission, type Upload } from '../model.ts';

/** A request to create a submission; `upload` and `of` are undefined where this workspace has no such resource. */
export type SubmitRequest = {
  mode: Mode;
  path: string;
  json: object;
  key: string | undefined;
  delaySeconds: number | undefined;
  sidekicks: 'file safety' | 'none' | 'unknown';
  assets: { upload: Upload | undefined; previous: { of: Submission | undefined } | undefined }[];
};

/** All correct responses, as `status` or `status code`. */
export function expectSubmit(model: Model, request: SubmitRequest): string[] {
  if (request.mode === 'live' && request.delaySeconds !== undefined) return ['400 simulation_needs_sandbox_key'];
  const known = rememberedUnder(model, request.mode, 'submit', request.key);
  if (known) {
    const isSame = known.path === request.path && JSON.stringify(known.json) === JSON.stringify(request.json);
    return [isSame ? '201 replayed' : '422 idempotency_key_reused'];
  }
  const uploads = request.assets.map(({ upload }) => upload);
  if (uploads.some((upload) => !upload || upload.retention === 'removed')) return ['403 invalid_blob_path'];
  const further = expectForOwnUploads(request, uploads as Upload[]);
  const mayBeGone = uploads.some((upload) => upload?.retention === 'discarded');
  return mayBeGone ? ['403 invalid_blob_path', ...further] : further;
}

function expectForOwnUploads(request: SubmitRequest, uploads: Upload[]): string[] {
  const { assets, sidekicks } = request;
  if (assets.some(({ previous }) => previous && (!previous.of || previous.of.isDeleted))) {
    return ['404 previous_submission_not_found'];
  }
  const continued = continuedAssets(request);
  const groups = continued.flatMap((asset) => (asset && asset !== 'ambiguous' ? asset.versionGroupId : []));
  // The order of several 422 is not specified.
  const wrong = [
    continued.includes('ambiguous') && '422 ambiguous_previous_version',
    new Set(groups).size < groups.length && '422 duplicate_previous_version',
    new Set(uploads).size < uploads.length && '422 duplicate_blob_path',
    sidekicks === 'unknown' && '422 unknown_sidekick',
    uploads.some(({ content }) => !content) && '422 blob_not_uploaded',
  ].filter((code) => code !== false);
  if (wrong.length > 0) return wrong;
  const isMismatch = uploads.some(({ filename, content }) => content && !fits(filename, content));
  return [isMismatch ? '415 content_type_mismatch' : '201'];
}

type NewVersion = SubmitRequest['assets'][number];

const matchingRules: { keyOf: (filename: string) => string; needsEqualCounts: boolean }[] = [
  { keyOf: (filename) => filename, needsEqualCounts: false },
  { keyOf: (filename) => filename.toLowerCase(), needsEqualCounts: false },
  { keyOf: (filename) => categoryOf(filename), needsEqualCounts: true },
  { keyOf: () => 'any', needsEqualCounts: true },
];

/**
 * §9: the earlier asset that each new asset continues. New assets that name the same submission share its assets: each
 * takes the first free one with the same name, the same name in any case, the same category, or any. The last two rules
 * apply only if there are as many free assets as unmatched ones.
 */
export function continuedAssets({ assets }: SubmitRequest): (Asset | 'ambiguous' | undefined)[] {
  const found = new Map<NewVersion, Asset>();
  const previousOf = ({ upload, previous }: NewVersion) => (upload ? previous?.of : undefined);
  for (const submission of new Set(assets.map(previousOf).filter((one) => one !== undefined))) {
    const newVersions = assets.filter((asset) => previousOf(asset) === submission);
    const free = [...submission.assets];
    for (const rule of matchingRules) {
      const keyOf = (asset: { upload: Upload | undefined }) => rule.keyOf(asset.upload?.filename ?? '');
      const unmatched = Map.groupBy(
        newVersions.filter((asset) => !found.has(asset)),
        keyOf,
      );
      for (const [key, versions] of unmatched) {
        const freeCount = free.filter((old) => keyOf(old) === key).length;
        if (rule.needsEqualCounts && versions.length !== freeCount) continue;
        for (const asset of versions) {
          const place = free.findIndex((old) => keyOf(old) === key);
          if (place >= 0) found.set(asset, free.splice(place, 1)[0] as Asset);
        }
      }
    }
  }
  return assets.map((asset) => (previousOf(asset) ? (found.get(asset) ?? 'ambiguous') : undefined));
}
