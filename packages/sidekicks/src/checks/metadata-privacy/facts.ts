import type { Evidence } from '#evidence/evidence.ts';
import { formatCount } from '#sidekick/format-values.ts';

/** A metadata value that ExifTool or ffprobe read from the file. */
export type Fact = {
  /** The name under which users find it: `XMP-dc:Creator`. */
  label: string;
  /** The ExifTool family, such as `EXIF` or `Office`; `ffprobe` for values that ffprobe read. */
  family: string;
  group: string;
  /** Whether the value is from an image embedded in the file. */
  isEmbedded: boolean;
  /** Lower-case letters and digits only, because readers spell names differently. */
  name: string;
  value: string;
};

export type FactEvidence = Pick<Evidence, 'metadata' | 'probe'>;

export const secondReader = 'ffprobe';

/** The values that ExifTool found, followed by those that ffprobe found. */
export function collectMetadata({ metadata, probe }: FactEvidence): Fact[] {
  const first = (metadata?.tags ?? []).map((tag) => toFact({ ...tag, label: `${tag.group}:${tag.name}` }));
  const second = (probe ? [probe, ...probe.streams] : [])
    .flatMap(({ tags }) => tags)
    .map((tag) =>
      toFact({ ...tag, label: `tag ${tag.name}`, family: secondReader, group: 'container', isEmbedded: false }),
    );
  return [...first, ...second].filter(({ value }) => value !== '');
}

/** Removes duplicates: facts from ffprobe are used only if there are none from ExifTool. */
export function preferFirstReader(facts: readonly Fact[]): Fact[] {
  const first = facts.filter(({ family }) => family !== secondReader);
  return first.length > 0 ? first : [...facts];
}

function toFact(fact: Fact): Fact {
  // ExifTool prints user-defined ID3 tags as `(name) value`.
  const [, name = fact.name, value = fact.value] =
    (fact.name === 'UserDefinedText' && /^\(([^)]{1,60})\) (.*)$/s.exec(fact.value)) || [];
  const label = name === fact.name ? fact.label : `${fact.label} ${name}`;
  return { ...fact, label, name: normaliseTagName(name), value: value.trim() };
}

/** `com.apple.quicktime.location.ISO6709`, `location-eng`, `By-line` → `locationiso6709`, `location`, `byline` */
function normaliseTagName(name: string): string {
  return name
    .replace(/^com\.(?:apple\.quicktime|android)\./i, '')
    .replace(/-[a-z]{3}$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** `Found in 2 tags, with 2 distinct values`. */
export function describeCount(facts: readonly Fact[]): string {
  const values = new Set(facts.map(({ value }) => value)).size;
  return `Found in ${formatCount(facts.length, 'tag')}${values > 1 ? `, with ${formatCount(values, 'distinct value')}` : ''}`;
}
