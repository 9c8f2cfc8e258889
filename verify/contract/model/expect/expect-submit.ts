import { categoryOf, fits } from '../files.ts';
import { type Asset, type Mode, type Model, rememberedUnder, type Submission, type Upload } from '../model.ts';

/** A create with its targets: `upload` and `of` are undefined where this workspace has no such resource. */
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
  if (uploads.some((upload) => !upload || upload.fate === 'gone')) return ['403 invalid_blob_path'];
  const further = expectOfOwn(request, uploads as Upload[]);
  const mayBeGone = uploads.some((upload) => upload?.fate === 'discarded');
  return mayBeGone ? ['403 invalid_blob_path', ...further] : further;
}

function expectOfOwn(request: SubmitRequest, uploads: Upload[]): string[] {
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

const sameThings: { of: (filename: string) => string; isForEqualNumbers: boolean }[] = [
  { of: (filename) => filename, isForEqualNumbers: false },
  { of: (filename) => filename.toLowerCase(), isForEqualNumbers: false },
  { of: (filename) => categoryOf(filename), isForEqualNumbers: true },
  { of: () => 'anything', isForEqualNumbers: true },
];

/**
 * §9: which asset each new one is the next version of. All that refer to one submission share its assets: each takes the
 * first free one with the same name, the same name in any case, the same category, or any. The last two only if as many
 * are free as are unmatched.
 */
export function continuedAssets({ assets }: SubmitRequest): (Asset | 'ambiguous' | undefined)[] {
  const found = new Map<SubmitRequest['assets'][number], Asset>();
  const isContinuing = ({ upload, previous }: SubmitRequest['assets'][number]) => upload && previous?.of;
  for (const of of new Set(assets.filter(isContinuing).map(({ previous }) => previous?.of as Submission))) {
    const newVersions = assets.filter((asset) => isContinuing(asset) && asset.previous?.of === of);
    const free = [...of.assets];
    for (const same of sameThings) {
      const thingOf = (asset: { upload: Upload | undefined }) => same.of(asset.upload?.filename ?? '');
      const numbers = (thing: string) => [
        newVersions.filter((asset) => !found.has(asset) && thingOf(asset) === thing).length,
        free.filter((asset) => thingOf(asset) === thing).length,
      ];
      const things = new Set(newVersions.filter((asset) => !found.has(asset)).map(thingOf));
      const settled = [...things].filter((thing) => !same.isForEqualNumbers || numbers(thing)[0] === numbers(thing)[1]);
      for (const asset of newVersions) {
        if (found.has(asset) || !settled.includes(thingOf(asset))) continue;
        const place = free.findIndex((old) => thingOf(old) === thingOf(asset));
        if (place >= 0) found.set(asset, free.splice(place, 1)[0] as Asset);
      }
    }
  }
  return assets.map((asset) => (isContinuing(asset) ? (found.get(asset) ?? 'ambiguous') : undefined));
}
