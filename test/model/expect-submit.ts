import { categoryOf, fits } from './files.ts';
import { type Asset, type Mode, type Model, rememberedUnder, type Submission, type Upload } from './model.ts';

/** What a create says, with what it names: `upload` and `of` are missing where this workspace has no such thing. */
export type SubmitRequest = {
  mode: Mode;
  path: string;
  json: object;
  key: string | undefined;
  delaySeconds: number | undefined;
  sidekicks: 'file safety' | 'none' | 'unknown';
  assets: { upload: Upload | undefined; previous: { of: Submission | undefined } | undefined }[];
};

/** Every answer that would be right, as `status` or `status code`. */
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
  // Which of several 422 comes first is nowhere promised.
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

/** §9: which asset each new one is the next version of: the only one there, of its name, or of its category. */
export function continuedAssets({ assets }: SubmitRequest): (Asset | 'ambiguous' | undefined)[] {
  return assets.map(({ upload, previous }) => {
    if (!previous?.of || !upload) return undefined;
    const before = previous.of.assets;
    const sameName = before.filter((asset) => asset.upload.filename === upload.filename);
    const sameCategory = before.filter((asset) => categoryOf(asset.upload.filename) === categoryOf(upload.filename));
    return [before, sameName, sameCategory].find(({ length }) => length === 1)?.[0] ?? 'ambiguous';
  });
}
