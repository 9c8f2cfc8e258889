import type { Issue } from '@assay/contract/issue.ts';
import { severities } from '@assay/contract/severity.ts';
import { spanOf } from './span-of.ts';

type Described = Pick<Issue, 'ruleCode' | 'summary' | 'severity' | 'locations'>;

const familyLabels: ReadonlyMap<string, string> = new Map([
  ['PSE', 'Photosensitivity'],
  ['LOUD', 'Loudness'],
  ['QC', 'Picture and sound'],
  ['TEXT', 'On-screen text'],
  ['CAPT', 'Captions'],
  ['UA', 'Document accessibility'],
  ['PII', 'Personal data'],
  ['META', 'Metadata'],
  ['PROV', 'Provenance'],
  ['CLAIM', 'Claims'],
  ['IMG', 'Imagery'],
  ['SAFE', 'File safety'],
]);

/** What is common to the rules of one subject area: the rule code up to its first hyphen. */
export function familyOf(ruleCode: string): string {
  return ruleCode.replace(/-.*$/s, '');
}

/** What is said of a topic. The issues come in the order of their reference numbers, which settles equal severities. */
export function describeTopic(issues: readonly Described[]): Pick<Issue, 'summary' | 'severity'> & { title: string } {
  const severestFirst = issues.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const severest = severestFirst[0];
  if (!severest) throw new Error('a topic has issues');
  const families = new Set(severestFirst.map(({ ruleCode }) => familyOf(ruleCode)));
  const labels = [...families].map((family) => familyLabels.get(family) ?? family);
  return {
    title: [`${labels.join(', ')}: ${issues.length} issues`, ...formatRange(issues)].join(', '),
    summary: `${severest.summary.replace(/[\s.]+$/, '')}, and ${issues.length - 1} more.`,
    severity: severest.severity,
  };
}

/** Nothing where the issues concern the asset as a whole. */
function formatRange(issues: readonly Described[]): string[] {
  const locations = issues.flatMap((issue) => issue.locations);
  const spans = locations.flatMap((location) => spanOf(location) ?? []);
  if (spans.length > 0) {
    const start = formatTime(smallest(spans.map(({ startMs }) => startMs)));
    const end = formatTime(largest(spans.map(({ endMs }) => endMs)));
    return [start === end ? `at ${start}` : `${start} to ${end}`];
  }
  const pages = locations.flatMap(({ page }) => page ?? []);
  if (pages.length === 0) return [];
  const [first, last] = [smallest(pages), largest(pages)];
  return [first === last ? `page ${first}` : `pages ${first} to ${last}`];
}

// Not Math.min(...values): an issue may have more locations than a call may have arguments.
const smallest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** `00:04.0`, and `1:00:04.0` from an hour on. */
function formatTime(ms: number): string {
  // Rounded before it is split, so that 59.96 s becomes 01:00.0 and not 00:60.0.
  const tenths = Math.round(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}
