import type { Examined } from '@assay/contract/schemas/coverage.ts';
import { collectMetadata, type FactEvidence } from './facts.ts';

/** What the check examines in a file. */
export function examinedTags({ metadata, probe }: FactEvidence): Examined[] {
  const compared = metadata?.thumbnails.filter(({ likeness }) => likeness).length ?? 0;
  const parts: Examined[] = [
    { kind: 'metadata', label: 'tags', quantity: collectMetadata({ metadata, probe }).length, unit: 'tags' },
    { kind: 'metadata', label: 'GPS track', quantity: metadata?.track?.sampleCount ?? 0, unit: 'positions' },
    { kind: 'image', label: 'thumbnails', quantity: compared, unit: 'thumbnails' },
    { kind: 'embedded_file', label: 'photos in the file', quantity: metadata?.photoCount ?? 0, unit: 'photos' },
  ];
  return parts.filter(({ quantity, label }) => quantity !== 0 || label === 'tags');
}
