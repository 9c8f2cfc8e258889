import type { Check, Issue } from '@assay/sdk';
import { formatLocation } from '../format/location.ts';
import { isUnresolved, type Severity } from '../report/severity.ts';
import type { Checked } from './checked.ts';
import { isAtLeast, isSimulated } from './verdict.ts';

type Case = { name: string; classname: string; kind: 'passed' | 'failure' | 'error' | 'skipped'; xml: string };

/** One suite per file, one case per check that ran; issues at or above the threshold are its failure. */
export function renderJunit(checked: Checked[], failOn: Severity | undefined): string {
  const suites = checked.map((one) => ({ one, cases: casesOf(one, failOn ?? 'MINOR') }));
  const total = (kind?: Case['kind']) => suites.reduce((sum, { cases }) => sum + countOf(cases, kind), 0);
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
    const lines = cases.map(({ name, classname, xml }) => element('testcase', { name, classname, file }, xml));
    return element('testsuite', attributes, lines.join(''));
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', head, body.join(''))}`;
}

function casesOf(one: Checked, threshold: Severity): Case[] {
  const { result, refusal, issues } = one;
  if (refusal)
    return [wholeCase('error', element('error', { type: refusal.code ?? 'refused', message: refusal.message }))];
  if (!result)
    return [wholeCase('error', element('error', { type: 'unknown', message: 'The service returned no result.' }))];
  if (result.status === 'failed') {
    const message = result.errorMessage ?? 'No reason given.';
    return [wholeCase('error', element('error', { type: result.errorType ?? 'failed', message }))];
  }
  if (isSimulated(one)) {
    return [wholeCase('skipped', element('skipped', { message: 'Not analysed: simulated run with a sandbox key.' }))];
  }
  const ran = result.checks.filter(({ outcome }) => outcome === 'ran');
  return ran.map((check) => {
    const own = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId);
    return caseOf(check, own, threshold);
  });
}

function caseOf({ sidekickName, version }: Check, issues: Issue[], threshold: Severity): Case {
  const name = `${sidekickName} ${version}`;
  const isFailing = (issue: Issue) => isUnresolved(issue) && isAtLeast(issue.severity, threshold);
  const failing = issues.filter(isFailing);
  const others = issues.filter((issue) => !isFailing(issue));
  const worst = failing[0];
  const message = failing.map(({ ruleCode, summary }) => `${ruleCode}: ${summary}`).join(' ');
  const failure = worst ? element('failure', { type: worst.severity, message }, escaped(listOf(failing))) : '';
  const rest = others.length > 0 ? element('system-out', {}, escaped(listOf(others))) : '';
  return { name, classname: 'assay', kind: worst ? 'failure' : 'passed', xml: failure + rest };
}

function listOf(issues: Issue[]): string {
  const lines = issues.map(({ severity, ruleCode, summary, locations, status }) => {
    const where = locations.length > 0 ? ` at ${locations.map(formatLocation).join('; ')}` : '';
    return `${severity} ${ruleCode}${where}: ${summary}${status === 'OPEN' ? '' : ` (${status})`}`;
  });
  return lines.join('\n');
}

function wholeCase(kind: Case['kind'], xml: string): Case {
  return { name: 'analysis', classname: 'assay', kind, xml };
}

function countOf(cases: Case[], kind?: Case['kind']): number {
  return kind ? cases.filter((one) => one.kind === kind).length : cases.length;
}

function secondsOf({ createdAt, completedAt }: { createdAt: string; completedAt: string | null }): string {
  return completedAt ? ((Date.parse(completedAt) - Date.parse(createdAt)) / 1000).toFixed(3) : '0';
}

function element(name: string, attributes: Record<string, string | number>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `<${name}${pairs.join('')}${content ? `>${content}</${name}>` : '/>'}\n`;
}

/** XML 1.0 cannot represent most control characters, lone surrogates, U+FFFE and U+FFFF: they are removed. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[<>&"\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
