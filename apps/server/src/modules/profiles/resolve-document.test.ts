import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import { ProfileRequest } from '@assay/contract/schemas/profiles/resource.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { faultyEvidence } from '@assay/sidekicks/profiles/samples/faulty-evidence.ts';
import { profileDocuments } from '@assay/sidekicks/profiles/samples/profile-documents.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';
import { severityOf } from '@assay/sidekicks/sidekick/severity.ts';
import type { Rule } from '@assay/sidekicks/sidekick/sidekick.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import { findBuiltIn } from './built-in.ts';
import { changeDocument, resolveDocument } from './resolve-document.ts';

const documentCount = Number(process.env.DOCUMENTS ?? 2000);
const seed = testSeed(20261117);
const emptyDocument = { title: '', description: '', limits: {}, rules: [] };

type ValidationOutcome = { kind: 'resolved'; resolved: Profile } | { kind: 'shape' | 'meaning'; pointers: string[] };

/** Validates a document as for a request: its shape first, then its meaning. */
function validateDocument(document: unknown): ValidationOutcome {
  const { data, error } = ProfileRequest.safeParse(document);
  if (error) {
    const paths = error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
    );
    return { kind: 'shape', pointers: paths.map((path) => path.map((part) => `/${String(part)}`).join('')) };
  }
  const base = findBuiltIn(data.extends?.profile ?? 'general', data.extends?.revision);
  if (!base) return { kind: 'meaning', pointers: ['/extends/profile'] };
  const { resolved, errors } = resolveDocument(base.resolved, changeDocument(emptyDocument, data), data);
  if (errors.length > 0) return { kind: 'meaning', pointers: errors.map(({ pointer }) => pointer) };
  return { kind: 'resolved', resolved };
}

/** Whether a pointer refers to a member of the document, or to a missing member of one of its objects. */
function pointsIntoDocument(document: unknown, pointer: string): boolean {
  const parts = pointer.split('/').slice(1);
  const holder = parts.slice(0, -1).reduce((inner: unknown, part) => (inner as never)?.[part], document);
  return parts.length === 0 || (typeof holder === 'object' && holder !== null);
}

/** Runs every check on the sample evidence and returns the number of issues. */
function countIssues(profile: Profile): number {
  let count = 0;
  for (const filename of ['a.mp4', 'a.wav', 'a.srt']) {
    const media = mediaTypeOfFilename(filename);
    if (!media) throw new Error(`no media type of ${filename}`);
    for (const sidekick of sidekicks.filter(({ appliesTo }) => appliesTo.includes(media.category))) {
      for (const finding of sidekick.check(faultyEvidence, {
        media,
        filename,
        profile,
        origin: originOfBuiltIn('general'),
      })) {
        count += severityOf(finding, sidekick.rules[finding.ruleCode] as Rule, profile) ? 1 : 0;
      }
    }
  }
  return count;
}

describe('profile documents', () => {
  test(`${documentCount} generated documents are resolved and usable, or rejected with a valid pointer`, () => {
    const counts = { resolved: 0, shape: 0, meaning: 0 };
    const issueCounts = new Set<number>();
    for (const document of fc.sample(profileDocuments, { numRuns: documentCount, seed })) {
      const outcome = validateDocument(document);
      counts[outcome.kind] += 1;
      if (outcome.kind === 'resolved') {
        expect(Limits.safeParse(outcome.resolved.limits).error, JSON.stringify(document)).toBeUndefined();
        issueCounts.add(countIssues(outcome.resolved));
        continue;
      }
      expect(outcome.pointers).not.toEqual([]);
      const astray = outcome.pointers.filter((pointer) => !pointsIntoDocument(document, pointer));
      expect(astray, JSON.stringify(document)).toEqual([]);
      if (outcome.kind === 'meaning') expect(outcome.pointers, JSON.stringify(document)).not.toContain('');
    }
    // Each kind of outcome is frequent enough to be significant, and the profiles differ in what they find.
    for (const count of Object.values(counts))
      expect(count, JSON.stringify(counts)).toBeGreaterThan(documentCount / 20);
    expect(issueCounts.size).toBeGreaterThan(5);
  });

  test.each(builtInProfiles)('the built-in profile %s finds faults in the sample evidence', (name) => {
    expect(countIssues(builtInProfile(name))).toBeGreaterThan(5);
  });
});

describe('a profile document', () => {
  const given = { limits: { captions: { wordsPerMinuteMajor: 1 } } };

  test('whose limit contradicts an inherited one is rejected with a pointer to the changed group', () => {
    const { errors } = resolveDocument(builtInProfile('general'), changeDocument(emptyDocument, given), given);
    expect(errors).toEqual([
      {
        pointer: '/limits/captions',
        code: 'invalid_profile',
        detail: 'limits.captions.wordsPerMinuteMinor must be at most wordsPerMinuteMajor (1).',
      },
    ]);
  });

  test('that contradicts the profile it newly extends is rejected with a pointer to extends', () => {
    const extending = { extends: { profile: 'general' } };
    const { errors } = resolveDocument(builtInProfile('general'), changeDocument(emptyDocument, given), extending);
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/extends']);
  });

  test('is changed member by member: each given member is replaced as a whole, without its nulls', () => {
    const before = { ...emptyDocument, title: 'Ours', limits: { loudness: { target: -16 } }, failOn: 'MINOR' as const };
    const after = changeDocument(before, { limits: { captions: { linesMax: 3, wordsPerMinuteMajor: null } } });
    expect(after).toEqual({ ...before, limits: { captions: { linesMax: 3 } } });
  });
});
