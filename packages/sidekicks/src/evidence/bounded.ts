import { assetBytesMax } from '@assay/contract/limits.ts';
import type { CoverageKind } from '@assay/contract/schemas/coverage.ts';

export type Bound = { max: number; kind: CoverageKind; label: string };

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Every bound on how much the evidence of files reads; video, audio and captions have `media/bounds.ts`. `label` says
 * to people what is left out beyond it. Bounds on output, such as the names that a text lists, are not here: they leave
 * nothing unexamined.
 */
export const bounds = {
  // Archives and Office packages.
  zipDirectoryBytes: { max: 16 * MiB, kind: 'entries', label: 'archive entries after 16 MiB of directory' },
  zipEntries: { max: 20_000, kind: 'entries', label: 'archive entries after the first 20,000' },
  zipPartPackedBytes: { max: 256 * KiB, kind: 'entries', label: 'XML parts of more than 256 KiB packed' },
  zipPartBytes: { max: MiB, kind: 'entries', label: 'XML parts of more than 1 MiB' },
  relationshipParts: { max: 1000, kind: 'entries', label: 'relationship parts after the first 1,000' },
  relationshipBytes: { max: 32 * MiB, kind: 'entries', label: 'relationship parts after 32 MiB' },
  relationships: { max: 1000, kind: 'entries', label: 'relationships that load content after the first 1,000' },
  nestedPackages: { max: 200, kind: 'embedded_file', label: 'embedded documents after the first 200' },
  nestedPackageBytes: { max: 16 * MiB, kind: 'embedded_file', label: 'embedded documents of more than 16 MiB' },
  nestedBytes: { max: 64 * MiB, kind: 'embedded_file', label: 'embedded documents after 64 MiB' },
  nestedDepth: { max: 2, kind: 'embedded_file', label: 'documents embedded more than two levels deep' },
  propertyParts: { max: 10, kind: 'metadata', label: 'property parts after the first 10' },
  properties: { max: 1000, kind: 'metadata', label: 'document properties after the first 1,000' },
  // PDF.
  pdfBytes: { max: assetBytesMax.document, kind: 'pages', label: 'the PDF after 100 MiB' },
  pdfObjectStreams: { max: 10_000, kind: 'pages', label: 'object streams after the first 10,000' },
  pdfObjectStreamBytes: { max: 16 * MiB, kind: 'pages', label: 'object streams of more than 16 MiB packed' },
  pdfInflatedStreamBytes: { max: 16 * MiB, kind: 'pages', label: 'object streams that expand to more than 16 MiB' },
  pdfInflatedBytes: { max: 64 * MiB, kind: 'pages', label: 'object streams after 64 MiB in total' },
  pdfFilters: { max: 8, kind: 'pages', label: 'object streams with more than 8 filters' },
  pdfDepth: { max: 128, kind: 'pages', label: 'PDF dictionaries more than 128 levels deep' },
  // Images and text.
  imageBytes: { max: assetBytesMax.image, kind: 'image', label: 'the image after 50 MiB' },
  trailingImages: { max: 16, kind: 'image', label: 'images after the sixteenth one appended to a JPEG' },
  pngChunks: { max: 256, kind: 'image', label: 'PNG chunks after the first 256 before the pixels' },
  tiffDirectories: { max: 256, kind: 'image', label: 'TIFF pages after the first 256' },
  tiffFields: { max: 4096, kind: 'image', label: 'fields of a TIFF page after the first 4,096' },
  heifBoxes: { max: 64, kind: 'image', label: 'HEIF or AVIF boxes after the first 64' },
  heifMetaBytes: { max: MiB, kind: 'image', label: 'HEIF or AVIF properties after 1 MiB' },
  textBytes: { max: assetBytesMax.document, kind: 'text', label: 'text of a file of more than 100 MiB' },
  // Metadata.
  metadataTags: { max: 10_000, kind: 'metadata', label: 'tags after the first 10,000' },
  metadataCharacters: { max: 64 * KiB, kind: 'metadata', label: 'values after 65,536 characters' },
  /** In valid files, only tracks and PDFs with AES-256 encryption (7 s) take more than a second. */
  exifToolCpuSeconds: { max: 20, kind: 'metadata', label: 'metadata that takes more than 20 s to read' },
  /** ExifTool takes about 0.3 ms for a sample of a track, and a long video has a hundred thousand samples. */
  trackCpuSeconds: { max: 60, kind: 'metadata', label: 'metadata of tracks that takes more than 60 s to read' },
  exifToolOutputBytes: { max: 64 * MiB, kind: 'metadata', label: 'metadata of more than 64 MiB' },
  embeddedOutputBytes: { max: 64 * MiB, kind: 'metadata', label: 'metadata of embedded content of more than 64 MiB' },
  thumbnails: { max: 4, kind: 'image', label: 'thumbnails after the fourth' },
  thumbnailBytes: { max: 8 * MiB, kind: 'image', label: 'thumbnails of more than 8 MiB' },
  photos: { max: 200, kind: 'embedded_file', label: 'embedded photos after the first 200' },
  photoParts: { max: 1000, kind: 'embedded_file', label: 'embedded images after the first 1,000' },
  photoHeadBytes: { max: MiB, kind: 'embedded_file', label: 'metadata of embedded photos after their first 1 MiB' },
  photoInflatedBytes: { max: 4 * MiB, kind: 'embedded_file', label: 'embedded photos that expand beyond 4 MiB' },
  photoBytes: { max: 64 * MiB, kind: 'embedded_file', label: 'embedded photos after 64 MiB in total' },
  photoSearchBytes: { max: assetBytesMax.audio, kind: 'embedded_file', label: 'embedded photos after 500 MiB' },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof bounds;
export type Limits = Readonly<Record<BoundName, number>>;

export const defaultLimits = Object.fromEntries(Object.entries(bounds).map(([name, { max }]) => [name, max])) as Limits;

/** What every evidence says that has bounds. A check that uses it reports each of them as not verified. */
export type Bounded = {
  /** The bounds beyond which something of the file was not read, each once. */
  hit: readonly BoundName[];
};

/** Applies the bounds while a file is read, and remembers every one that was hit. */
export type Reading = Bounded & {
  /** Counts towards a bound. False, and a hit, if there is no room for so much. */
  take(name: BoundName, amount?: number): boolean;
  /** Whether one thing is within a bound. If not, it is a hit. */
  accepts(name: BoundName, size: number): boolean;
  /** What is left of a bound. Whoever stops there calls `exceed`. */
  left(name: BoundName): number;
  exceed(name: BoundName): void;
};

export function createReading(limits: Limits = defaultLimits): Reading {
  const taken = new Map<BoundName, number>();
  const hit = new Set<BoundName>();
  const left = (name: BoundName) => limits[name] - (taken.get(name) ?? 0);
  const accepts = (name: BoundName, size: number) => {
    if (size > limits[name]) hit.add(name);
    return size <= limits[name];
  };
  return {
    get hit() {
      return [...hit];
    },
    take: (name, amount = 1) => {
      const sum = (taken.get(name) ?? 0) + amount;
      if (!accepts(name, sum)) return false;
      taken.set(name, sum);
      return true;
    },
    accepts,
    left,
    exceed: (name) => hit.add(name),
  };
}

/**
 * The bounds that were hit in these kinds of evidence, each once, in the order of the table. Other kinds, which other
 * checks need, can be there as well.
 */
export function hitBounds<Kind extends string>(
  evidence: Readonly<Record<Kind, unknown>>,
  kinds: readonly Kind[],
): BoundName[] {
  const hit = new Set(kinds.flatMap((kind) => (evidence[kind] as Partial<Bounded> | null)?.hit ?? []));
  return (Object.keys(bounds) as BoundName[]).filter((name) => hit.has(name));
}
