import { formatLocations } from '@assay/report/format/location.ts';
import { formatProfile } from '@assay/report/profiles.ts';
import { isUnresolved, type Severity } from '@assay/report/severity.ts';
import type { Check, Issue } from '@assay/sdk';
import type { CheckedFile } from './checked.ts';
import { isAtLeast, isSimulated } from './verdict.ts';

type JunitCase = { name: string; classname: string; kind: 'passed' | 'failure' | 'error' | 'skipped'; xml: string };

type JunitOptions = { failOn: Severity | undefined; baseUrl: string; serviceVersion: string | null };

/** One suite per file, one case per check that ran. A case fails if it has issues at or above the threshold. */
export function renderJunit(checked: CheckedFile[], { failOn, baseUrl, serviceVersion }: JunitOptions): string {
  const suites = checked.map((one) => ({ one, cases: casesOf(one, failOn ?? 'MINOR') }));
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

function casesOf(one: CheckedFile, threshold: Severity): JunitCase[] {
  const { file, result, refusal, issues } = one;
  const error = (name: string, type: string, message: string) =>
    caseForFile('error', `${file}: ${name}`, renderElement('error', { type, message }));
  if (refusal) {
    const stage = refusal.status === undefined ? 'rejected before the upload' : 'rejected by the service';
    return [error(stage, refusal.code ?? 'refused', [refusal.message, refusal.next].filter(Boolean).join(' '))];
  }
  if (!result) return [error('no result', 'unknown', 'The service returned no result.')];
  if (result.status === 'failed') {
    return [error('could not be analysed', result.errorType ?? 'failed', result.errorMessage ?? 'No reason given.')];
  }
  if (isSimulated(one)) {
    const message = 'Not analysed: simulated run with a sandbox key.';
    return [caseForFile('skipped', `${file}: not analysed`, renderElement('skipped', { message }))];
  }
  const ran = result.checks.filter(({ outcome }) => outcome === 'ran');
  return ran.map((check) => {
    const own = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId);
    return caseOf(check, own, threshold);
  });
}

function caseOf({ sidekickName, version }: Check, issues: Issue[], threshold: Severity): JunitCase {
  const name = `${sidekickName} ${version}`;
  const isFailing = (issue: Issue) => isUnresolved(issue) && isAtLeast(issue.severity, threshold);
  const failing = issues.filter(isFailing);
  const others = issues.filter((issue) => !isFailing(issue));
  const worst = failing[0];
  const message = failing.map(({ ruleCode, summary }) => `${ruleCode}: ${summary}`).join(' ');
  const failure = worst
    ? renderElement('failure', { type: worst.severity, message }, escapeXml(formatIssueList(failing)))
    : '';
  const rest = others.length > 0 ? renderElement('system-out', {}, escapeXml(formatIssueList(others))) : '';
  return { name, classname: 'assay', kind: worst ? 'failure' : 'passed', xml: failure + rest };
}

function formatIssueList(issues: Issue[]): string {
  const lines = issues.map(({ severity, ruleCode, summary, locations, status }) => {
    const where = locations.length > 0 ? ` at ${formatLocations(locations)}` : '';
    return `${severity} ${ruleCode}${where}: ${summary}${status === 'OPEN' ? '' : ` (${status})`}`;
  });
  return lines.join('\n');
}

function caseForFile(kind: JunitCase['kind'], name: string, xml: string): JunitCase {
  return { name, classname: 'assay', kind, xml };
}

function countOf(cases: JunitCase[], kind?: JunitCase['kind']): number {
  return kind ? cases.filter((one) => one.kind === kind).length : cases.length;
}

function secondsOf({ createdAt, completedAt }: { createdAt: string; completedAt: string | null }): string {
  return completedAt ? ((Date.parse(completedAt) - Date.parse(createdAt)) / 1000).toFixed(3) : '0';
}

function renderElement(name: string, attributes: Record<string, string | number>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${pairs.join('')}${content ? `>${content}</${name}>` : '/>'}\n`;
}

/** XML 1.0 cannot represent most control characters, lone surrogates, U+FFFE and U+FFFF: they are removed. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[<>&"\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
