import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import type { LimitChanges } from '@assay/contract/schemas/profiles/limits.ts';
import { expect, test } from 'vitest';
import { sidekicks } from '#sidekick/catalogue.ts';
import { citedDocuments } from '#sidekick/cited-documents.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { builtInProfile, findDataFile, originOfBuiltIn } from './built-in-profiles.ts';
import { citeLimits, explainCitation } from './cite-limits.ts';

const limitsOf = (ruleCode: string) => {
  const limits = sidekicks.map(({ rules }) => rules[ruleCode]?.limits).find(Boolean);
  if (!limits) throw new Error(`${ruleCode} applies no limit`);
  return limits;
};

/** What an issue of this rule cites under a built-in profile. */
function cite(ruleCode: string, name: string, revision?: number) {
  const profile = builtInProfile(name, revision);
  return citeLimits(limitsOf(ruleCode), { profile, origin: originOfBuiltIn(name, revision) });
}

/** The same under an own profile that makes these changes to a built-in one. */
function citeOwn(ruleCode: string, base: string, limits: LimitChanges) {
  const profile = extendProfile(builtInProfile(base), { limits });
  const origin = { ...originOfBuiltIn(base), name: 'acme-web-spots', revision: 3 };
  return citeLimits(limitsOf(ruleCode), { profile, origin });
}

const own = { name: 'profile acme-web-spots', clause: 'revision 3', isVerified: true };
const broadcastFlashes = {
  name: 'Ofcom guidance notes, Section Two',
  clause: 'Annex 1, flashing images and regular patterns',
  isVerified: false,
};

test('an issue cites the clause that an unchanged limit of a built-in profile was taken from', () => {
  const r128 = { name: 'EBU R 128 (version 4.0, 2020)', isVerified: false };
  const tolerance = { ...r128, clause: 'Programme loudness, tolerance of QC measurements' };
  expect(cite('LOUD-INTEGRATED-HIGH', 'ebu-r128')).toEqual(tolerance);
  expect(cite('LOUD-INTEGRATED-LOW', 'ebu-r128-s1')).toEqual(tolerance);
  expect(cite('LOUD-TRUE-PEAK', 'ebu-r128')).toEqual({ ...r128, clause: 'Maximum true peak level' });
  expect(cite('LOUD-SHORT-TERM', 'ebu-r128-s1')).toMatchObject({ name: 'EBU R 128 s1' });
  expect(cite('LOUD-INTEGRATED-HIGH', 'streaming')).toMatchObject({ name: 'AES TD1008.1.21-9', clause: 'Section 4' });
  expect(cite('QC-LEVELS', 'general')).toMatchObject({ name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1' });
});

test('an issue under uk-dpp-as11 cites AMWA AS-11 for the format, and the DPP for the true peak', () => {
  const amwa = { name: 'AMWA AS-11 UK DPP HD', isVerified: true };
  expect(cite('SPEC-VIDEO-CODEC', 'uk-dpp-as11')).toEqual({ ...amwa, clause: '1080i25 Class 100 AVC' });
  expect(cite('SPEC-MXF-PATTERN', 'uk-dpp-as11', 1)).toEqual({ ...amwa, clause: 'Operational pattern 1a' });
  expect(cite('LOUD-TRUE-PEAK', 'uk-dpp-as11')).toMatchObject({ name: 'DPP Technical Standards', isVerified: false });
});

test('an issue of flashes cites WCAG under the profiles for the web, and a broadcast rule under those for broadcasters', () => {
  const wcag = { name: 'WCAG 2.2', clause: 'SC 2.3.1 Three Flashes or Below Threshold', isVerified: true };
  for (const name of ['general', 'streaming', 'podcast', 'social']) expect(cite('PSE-LUMINANCE', name)).toEqual(wcag);
  for (const name of ['ebu-r128', 'ebu-r128-s1', 'uk-dpp-as11'])
    expect(cite('PSE-RED', name)).toEqual(broadcastFlashes);
  for (const name of ['atsc-a85', 'us-broadcast-ad']) {
    expect(cite('PSE-RED', name)).toMatchObject({ name: 'ITU-R BT.1702-3', isVerified: false });
  }
});

test('an issue of a limit that an own profile changes cites that profile and its revision, in every check', () => {
  expect(citeOwn('LOUD-INTEGRATED-HIGH', 'streaming', { loudness: { target: -14, toleranceAboveLu: 0.5 } })).toEqual(
    own,
  );
  expect(citeOwn('LOUD-INTEGRATED-HIGH', 'streaming', { loudness: { meterToleranceLu: 0 } })).toEqual(own);
  expect(citeOwn('PSE-RED', 'ebu-r128', { photosensitivity: { areaShareMax: 0.2 } })).toEqual(own);
  expect(citeOwn('QC-LEVELS', 'ebu-r128', { qcPictureSound: { levelMax: 240 } })).toEqual(own);
  expect(citeOwn('CAPT-LINES', 'ebu-r128', { captions: { linesMax: 3 } })).toEqual(own);
  expect(citeOwn('SPEC-VIDEO-CODEC', 'uk-dpp-as11', { deliverySpec: { videoCodecs: ['prores'] } })).toEqual(own);
});

test('an issue of a limit that an own profile leaves or sets back as it was cites the clause', () => {
  expect(citeOwn('LOUD-TRUE-PEAK', 'ebu-r128', { loudness: { target: -14 } })).toEqual(
    cite('LOUD-TRUE-PEAK', 'ebu-r128'),
  );
  expect(citeOwn('LOUD-INTEGRATED-LOW', 'ebu-r128', { loudness: { target: -23 } })).toEqual(
    cite('LOUD-INTEGRATED-LOW', 'ebu-r128'),
  );
});

test('an issue of a changed loudness limit cites the standard that the own profile names, as not read in the original', () => {
  const standard = { name: 'ACME handbook', clause: '4' };
  const changes = { loudness: { standard, target: -14 } };
  expect(citeOwn('LOUD-INTEGRATED-HIGH', 'streaming', changes)).toEqual({ ...standard, isVerified: false });
  expect(citeOwn('LOUD-TRUE-PEAK', 'streaming', changes)).toMatchObject({ name: 'AES TD1008.1.21-9' });
  expect(citeOwn('CAPT-LINES', 'streaming', { ...changes, captions: { linesMax: 3 } })).toEqual(own);
});

test('an issue of a limit that is our own choice, or adds up what a standard does not, cites the built-in profile', () => {
  const builtIn = (name: string, revision: number) => ({
    ...{ name: `profile ${name}`, clause: `revision ${revision}`, isVerified: true },
  });
  expect(cite('QC-BLACK', 'ebu-r128')).toEqual(builtIn('ebu-r128', 2));
  // AS-11 allows exactly 4 or 16 channels, the profile any number between them.
  expect(cite('SPEC-CHANNELS-IN-ALL', 'uk-dpp-as11')).toEqual(builtIn('uk-dpp-as11', 2));
  expect(cite('LOUD-INTEGRATED-LOW', 'general')).toEqual(builtIn('general', 3));
  // ±1.0 LU and ±0.2 LU are two tolerances of R 128, and the first revision applies their sum.
  expect(cite('LOUD-INTEGRATED-HIGH', 'ebu-r128', 1)).toEqual(builtIn('ebu-r128', 1));
  expect(cite('LOUD-INTEGRATED-LOW', 'uk-dpp-as11', 1)).toEqual(builtIn('uk-dpp-as11', 1));
  expect(citeOwn('QC-BLACK', 'social', {})).toEqual(builtIn('social', 1));
});

test('an issue of a limit that no profile sets cites the profile that was applied', () => {
  expect(citeOwn('SPEC-VIDEO-TRACKS', 'general', { deliverySpec: { videoCodecs: ['h264'] } })).toEqual(own);
});

test('the reasoning says beside the clause whether its source was read in the original', () => {
  expect(explainCitation(broadcastFlashes)).toBe(
    'limit of Ofcom guidance notes, Section Two, Annex 1, flashing images and regular patterns (not read in the original)',
  );
  expect(explainCitation(own)).toBe('limit of profile acme-web-spots, revision 3');
});

test('every document that a rule or a built-in profile cites is in the table that says whether it was read', () => {
  const files = builtInProfiles.flatMap((name) => [findDataFile(name), findDataFile(name, 1)]);
  const cited = [
    ...files.flatMap((file) => file?.sources.flatMap(({ standard }) => standard?.name ?? []) ?? []),
    ...sidekicks.flatMap(({ rules }) => Object.values(rules).flatMap(({ standard }) => standard?.name ?? [])),
  ];
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter((name) => !Object.hasOwn(citedDocuments, name))).toEqual([]);
  expect(Object.keys(citedDocuments).filter((name) => !cited.includes(name))).toEqual([]);
});
