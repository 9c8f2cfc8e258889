import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { Precedent } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';
import { type Evidence, gatherers } from '#evidence/evidence.ts';
import { gather } from '#evidence/gather.ts';
import { builtInProfile, originOfBuiltIn } from '#profiles/built-in-profiles.ts';
import {
  allowedIncomplete,
  causes,
  chooseSidekicks,
  familyOf,
  findSidekick,
  notVerifiedRuleCodes,
  sidekicks,
  topicLabels,
} from './catalogue.ts';
import { notVerifiedSeverity } from './severity.ts';
import type { Sidekick } from './sidekick.ts';

const checksFolder = join(import.meta.dirname, '..', 'checks');
const checkFolders = readdirSync(checksFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('every folder in `checks` contains a sidekick, and sidekick ids are unique', () => {
  expect(sidekicks).toHaveLength(checkFolders.length);
  expect(new Set(sidekicks.map(({ id }) => id)).size).toBe(sidekicks.length);
});

test('each rule code belongs to only one sidekick', () => {
  const codes = sidekicks.flatMap(({ rules }) => Object.keys(rules));
  expect(new Set(codes).size).toBe(codes.length);
});

test('the rule codes of a sidekick share a unique prefix, which is the key of its topic label', () => {
  const families = sidekicks.map(({ rules }) => [...new Set(Object.keys(rules).map(familyOf))]);
  for (const ofOne of families) expect(ofOne).toHaveLength(1);
  expect(new Set(families.flat()).size).toBe(sidekicks.length);
  expect([...topicLabels]).toEqual(sidekicks.map(({ topicLabel }, i) => [families[i]?.[0], topicLabel]));
});

test('every cause of a check names at least two known rules, of which at least one belongs to that check', () => {
  const known = new Set(sidekicks.flatMap(({ rules }) => Object.keys(rules)));
  const withFile = checkFolders.filter(({ name }) => existsSync(join(checksFolder, name, 'causes.ts')));
  expect(sidekicks.flatMap((sidekick) => (sidekick.causes ? sidekick.shortName : [])).sort()).toEqual(
    withFile.map(({ name }) => name).sort(),
  );
  expect(causes).toHaveLength(sidekicks.flatMap((sidekick) => sidekick.causes ?? []).length);
  for (const sidekick of sidekicks) {
    for (const { title, ruleCodes } of sidekick.causes ?? []) {
      expect(title).toMatch(/^[A-Z]/);
      expect(new Set(ruleCodes).size, title).toBeGreaterThan(1);
      expect(ruleCodes.filter((code) => !known.has(code))).toEqual([]);
      expect(
        ruleCodes.some((code) => code in sidekick.rules),
        title,
      ).toBe(true);
    }
  }
});

test.each([
  ['README.md', /\]\(packages\/sidekicks\/src\/checks\/([^/]+)\/README\.md\)/g, 'shortName'],
  ['docs/index.md', /\]\(\/sidekicks\/([a-z-]+)\)/g, 'shortName'],
  ['.github/ISSUE_TEMPLATE/check-result.yml', /^ {8}- ([A-Z][\w ]+)$/gm, 'name'],
] as const)('%s lists every check and no other', (file, pattern, key) => {
  const listed = [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(sidekicks.map((sidekick) => sidekick[key]).toSorted());
});

test('chooseSidekicks returns the sidekicks with the given ids, or the default ones if it gets null', () => {
  expect(chooseSidekicks(null)).toEqual(sidekicks.filter(({ isDefault }) => isDefault));
  expect(chooseSidekicks([])).toEqual([]);
  expect(chooseSidekicks(sidekicks.map(({ id }) => id).reverse())).toEqual(sidekicks);
  expect(findSidekick('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  for (const sidekick of sidekicks) expect(findSidekick(sidekick.id)).toBe(sidekick);
});

test('notVerifiedRuleCodes has one rule of every sidekick', () => {
  expect(notVerifiedRuleCodes.size).toBe(sidekicks.length);
  expect([...notVerifiedRuleCodes].map(familyOf).toSorted()).toEqual([...topicLabels.keys()].toSorted());
});

describe('allowedIncomplete', () => {
  const general = builtInProfile('general', 1);

  test('returns the checks that the profile names', () => {
    expect(allowedIncomplete(general)).toEqual([]);
    expect(allowedIncomplete({ ...general, allowIncomplete: ['loudness', 'captions'] })).toEqual([
      'loudness',
      'captions',
    ]);
  });

  test('returns a check whose rule for what was not examined a stored revision has switched off', () => {
    const setting = (ruleCode: string, severity: 'OFF' | 'INFO') => ({ ...general, rules: [{ ruleCode, severity }] });
    expect(allowedIncomplete(setting('QC-NOT-VERIFIED', 'OFF'))).toEqual(['qc-picture-sound']);
    expect(allowedIncomplete(setting('QC-NOT-VERIFIED', 'INFO'))).toEqual([]);
    expect(allowedIncomplete(setting('QC-BLACK', 'OFF'))).toEqual([]);
  });
});

describe.each(checkFolders.map(({ name }) => name))('the %s check', async (name) => {
  const { sidekick } = (await import(`../checks/${name}/sidekick.ts`)) as { sidekick: Sidekick };
  const readme = join(checksFolder, name, 'README.md');

  test('has an id, a version, names and a description, and needs only known evidence', () => {
    expect(sidekick.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sidekick.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(sidekick.name).not.toBe('');
    expect(sidekick.topicLabel).not.toBe('');
    expect(sidekick.shortName, 'the name of its folder').toBe(name);
    expect(sidekick.shortName).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(sidekick.description).not.toBe('');
    expect(sidekick.appliesTo.length).toBeGreaterThan(0);
    for (const need of sidekick.needs) expect(Object.keys(gatherers)).toContain(need);
  });

  test('has rules, each with a headline, a severity and complete precedents', () => {
    for (const [code, rule] of Object.entries(sidekick.rules)) {
      expect(code).toMatch(/^[A-Z]+(-[A-Z0-9]+)+$/);
      expect(rule.headline.trim()).not.toBe('');
      expect(severities).toContain(rule.severity);
      for (const precedent of rule.precedents) {
        expect(Object.values(Precedent.strict().parse(precedent)).every(Boolean)).toBe(true);
      }
      if (rule.standard) expect(rule.standard.name && rule.standard.clause).toBeTruthy();
    }
  });

  test('declares one of its rules for what it did not examine, with the severity of the worst rule that it could hide', () => {
    const rule = sidekick.rules[sidekick.notVerified];
    expect(rule, sidekick.notVerified).toBeDefined();
    expect(rule?.severity).toBe(notVerifiedSeverity(sidekick, { ...builtInProfile('general'), rules: [] }));
    expect(rule?.grades, 'how much was not examined does not change its severity').toBeUndefined();
  });

  test('has a README with every rule, the sources, thresholds, known mistakes and measurements', () => {
    expect(existsSync(readme)).toBe(true);
    const text = readFileSync(readme, 'utf8');
    for (const [code, { severity }] of Object.entries(sidekick.rules)) {
      expect(text).toMatch(new RegExp(`\`${code}\` *\\| *${severity}\\b`));
    }
    for (const heading of [
      ...['Rules', 'Source', 'Thresholds', 'What is not examined', 'Known mistakes', 'How it was measured'],
    ]) {
      expect(text).toContain(`## ${heading}\n`);
    }
    expect(text).toContain('## How it was measured\n\nIn short: ');
  });

  test('returns the same findings for the same evidence, in the same order', async () => {
    const bytes = Buffer.from('%PDF-1.7\n1 0 obj << /S /JavaScript /JS (x) >> endobj');
    const gathered = await withBytes(bytes, (source) => gather(new Set(sidekick.needs), source));
    expect(gathered.failures).toEqual([]);
    const evidence = Object.freeze(gathered.evidence) as Evidence;
    for (const media of mediaTypes.filter(({ category }) => sidekick.appliesTo.includes(category))) {
      const applied = { profile: builtInProfile('ebu-r128'), origin: originOfBuiltIn('ebu-r128') };
      const declared = { media, filename: `a.${media.extensions[0]}`, ...applied };
      expect(sidekick.check(structuredClone(evidence), declared)).toEqual(sidekick.check(evidence, declared));
    }
  });
});
