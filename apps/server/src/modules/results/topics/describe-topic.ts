import type { Issue } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { causes, familyOf, topicLabels } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Cause } from '@assay/sidekicks/sidekick/sidekick.ts';
import { spanOf } from '../matching/span-of.ts';

type DescribedIssue = Pick<Issue, 'ruleCode' | 'summary' | 'severity' | 'locations'>;

/**
 * Title, summary and severity of a topic. Of equally severe issues, the one with the lowest reference number counts. A
 * topic of one rule is named after the family of the rule, or after its prefix if no sidekick has this family any more.
 */
export function describeTopic(
  issues: readonly DescribedIssue[],
): Pick<Issue, 'summary' | 'severity'> & { title: string } {
  const severestFirst = issues.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const severest = severestFirst[0];
  if (!severest) throw new Error('a topic has issues');
  const shared = sharedCauses(issues);
  const names = new Set(
    severestFirst.map(({ ruleCode }) => {
      const cause = shared.find(({ ruleCodes }) => ruleCodes.includes(ruleCode));
      return cause?.title ?? topicLabels.get(familyOf(ruleCode)) ?? familyOf(ruleCode);
    }),
  );
  return {
    title: [`${[...names].join(', ')}: ${issues.length} issues`, ...formatRange(issues)].join(', '),
    summary: `${severest.summary.trim()} ${issues.length === 2 ? '1 more issue' : `${issues.length - 1} more issues`}.`,
    severity: severest.severity,
  };
}

/** The causes that several rules of these issues share. */
function sharedCauses(issues: readonly DescribedIssue[]): Cause[] {
  const found = new Set(issues.map(({ ruleCode }) => ruleCode));
  return causes.filter(({ ruleCodes }) => ruleCodes.filter((code) => found.has(code)).length > 1);
}

/** Empty if the issues concern the whole asset. */
function formatRange(issues: readonly DescribedIssue[]): string[] {
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

// Not Math.min(...values): an issue may have more locations than a call can have arguments.
const smallest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** Formats a time as `00:04.00`, or `1:00:04.00` from one hour on. */
function formatTime(ms: number): string {
  // Rounded before it is split, so that 59.996 s becomes 01:00.00 and not 00:60.00.
  const hundredths = Math.round(ms / 10);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}
