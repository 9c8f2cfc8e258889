import { formatProfile } from '@assay/report/profiles.ts';
import type { CheckedFile, RunGate } from '../output/checked.ts';
import { casesOf, type JunitCase } from './junit-cases.ts';
import { renderElement } from './xml.ts';

type JunitOptions = { gate: RunGate | null; baseUrl: string; serviceVersion: string | null };

/** One suite per file, one case per check that was selected. */
export function renderJunit(checked: CheckedFile[], { gate, baseUrl, serviceVersion }: JunitOptions): string {
  const suites = checked.map((one) => ({ one, cases: casesOf(one, gate) }));
  const service = { service: baseUrl, serviceVersion };
  const total = (kind?: JunitCase['kind']) => suites.reduce((sum, { cases }) => sum + countOf(cases, kind), 0);
  const head = {
    name: 'assay',
    tests: total(),
    failures: total('failure'),
    errors: total('error'),
    skipped: total('skipped'),
  };
  const body = suites.map(({ one, cases }) => {
    const { result, file } = one;
    const attributes = {
      name: file,
      tests: countOf(cases),
      failures: countOf(cases, 'failure'),
      errors: countOf(cases, 'error'),
      skipped: countOf(cases, 'skipped'),
      ...(result && {
        timestamp: result.createdAt.replace(/\.\d+Z$/, ''),
        time: secondsOf(result),
        id: result.assetId,
      }),
    };
    const lines = cases.map(({ name, classname, xml }) => renderElement('testcase', { name, classname, file }, xml));
    return renderElement('testsuite', attributes, propertiesOf({ ...factsOf(one), ...service }) + lines.join(''));
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement('testsuites', head, body.join(''))}`;
}

/** What the result refers to: the file, by its hash, and the profile that was applied. */
function factsOf({ result }: CheckedFile): Record<string, string | null> {
  if (!result) return {};
  const profiles = new Set(result.checks.map(formatProfile));
  return {
    submissionId: result.submissionId,
    assetId: result.assetId,
    contentSha256: result.contentSha256,
    profile: [...profiles].join('; ') || null,
  };
}

function propertiesOf(facts: Record<string, string | null>): string {
  const known = Object.entries(facts).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  return renderElement('properties', {}, known.map((one) => renderElement('property', one)).join(''));
}

function countOf(cases: JunitCase[], kind?: JunitCase['kind']): number {
  return kind ? cases.filter((one) => one.kind === kind).length : cases.length;
}

function secondsOf({ createdAt, completedAt }: { createdAt: string; completedAt: string | null }): string {
  return completedAt ? ((Date.parse(completedAt) - Date.parse(createdAt)) / 1000).toFixed(3) : '0';
}
