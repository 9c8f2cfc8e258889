import type { Evidence } from '../../evidence/evidence.ts';

/** Something that the file says of itself, whoever read it. */
export type Fact = {
  /** As people look for it: `XMP-dc:Creator`. */
  label: string;
  /** In whose words: `EXIF`, `Office`; `ffprobe` for what the second reader says. */
  family: string;
  group: string;
  /** Whether a picture inside the file says it. */
  isEmbedded: boolean;
  /** In small letters and digits alone, as readers spell it differently. */
  name: string;
  value: string;
};

export type FactEvidence = Pick<Evidence, 'metadata' | 'probe'>;

export const secondReader = 'ffprobe';

/** All that both readers found, the first reader's first. */
export function collectFacts({ metadata, probe }: FactEvidence): Fact[] {
  const first = (metadata?.tags ?? []).map((tag) => factOf({ ...tag, label: `${tag.group}:${tag.name}` }));
  const second = (probe ? [probe, ...probe.streams] : [])
    .flatMap(({ tags }) => tags)
    .map((tag) =>
      factOf({ ...tag, label: `tag ${tag.name}`, family: secondReader, group: 'container', isEmbedded: false }),
    );
  return [...first, ...second].filter(({ value }) => value !== '');
}

/** The same fact from both readers is one: the second is heard only where the first is silent. */
export function preferFirstReader(facts: readonly Fact[]): Fact[] {
  const first = facts.filter(({ family }) => family !== secondReader);
  return first.length > 0 ? first : [...facts];
}

function factOf(fact: Fact): Fact {
  // ID3 keeps tags of one's own as `(name) value`.
  const [, name = fact.name, value = fact.value] =
    (fact.name === 'UserDefinedText' && /^\(([^)]{1,60})\) (.*)$/s.exec(fact.value)) || [];
  const label = name === fact.name ? fact.label : `${fact.label} ${name}`;
  return { ...fact, label, name: nameOf(name), value: value.trim() };
}

/** `com.apple.quicktime.location.ISO6709`, `location-eng`, `By-line` → `locationiso6709`, `location`, `byline` */
function nameOf(name: string): string {
  return name
    .replace(/^com\.(?:apple\.quicktime|android)\./i, '')
    .replace(/-[a-z]{3}$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
