import type { Precedent } from '@assay/contract/schemas/issue.ts';
import { citeClause } from '#sidekick/cited-documents.ts';
import type { LimitPath, Rule } from '#sidekick/sidekick.ts';

const threeFlashes = citeClause('WCAG 2.2', 'SC 2.3.1 Three Flashes or Below Threshold');
const regularPatterns = citeClause('ITU-R BT.1702-3', 'Guideline 2');

const limits: readonly LimitPath[] = ['photosensitivity/areaShareMax', 'photosensitivity/areas'];

const precedents: Precedent[] = [
  {
    title: 'ASA Ruling on Citroen UK Ltd (A11-164759)',
    decision: 'Upheld',
    date: '2012',
    url: 'https://www.asa.org.uk/rulings/citroen-uk-ltd-a11-164759.html',
  },
  {
    title: 'BBC breaches Ofcom’s Code, flashing lights in The Voice UK: the Live Final',
    decision: 'Breach of rule 2.12',
    date: '2015',
    url: 'https://merlin.obs.coe.int/article/7418',
  },
];

export const rules = {
  'PSE-LUMINANCE': {
    severity: 'CRITICAL',
    headline:
      'More than 3 luminance flashes within a second can cause seizures in people with photosensitive epilepsy.',
    limits,
    standard: threeFlashes,
    precedents,
  },
  'PSE-RED': {
    severity: 'CRITICAL',
    headline: 'More than 3 flashes of saturated red within a second can cause seizures, whatever their luminance.',
    limits,
    standard: threeFlashes,
    precedents,
  },
  'PSE-PATTERN': {
    severity: 'MAJOR',
    headline:
      'Large regular stripes can cause seizures in people with photosensitive epilepsy, even if they do not flash.',
    standard: regularPatterns,
    precedents: [],
  },
  'PSE-EXTENDED': {
    severity: 'MINOR',
    headline:
      'Flashing for more than 5 seconds can affect sensitive viewers even if each second stays within the limit.',
    standard: null,
    precedents: [],
  },
  'PSE-NOT-VERIFIED': {
    severity: 'MAJOR',
    headline: 'Part of the video could not be examined and was not checked for flashes.',
    standard: null,
    precedents: [],
  },
} as const satisfies Record<string, Rule>;

export type RuleCode = keyof typeof rules;
