import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { findingsPerAssetMax } from '@assay/contract/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { EvidenceName } from '#evidence/evidence.ts';
import type { Profile } from '#sidekick/profile.ts';
import type { Finding, Sidekick } from '#sidekick/sidekick.ts';
import { runSidekicks } from './run.ts';

const declared = declarationFor('a.txt');

function sourceOf(text: string, signal = new AbortController().signal) {
  const bytes = Buffer.from(text);
  let reads = 0;
  const source: Source = {
    bytes: {
      sizeBytes: bytes.length,
      read: async (target, offset) => {
        reads++;
        return bytes.copy(target, 0, offset);
      },
    },
    fd: -1,
    signal,
    jail: 'none',
  };
  return { source, reads: () => reads };
}

const rule = (severity: Severity) => ({ headline: 'h', severity, standard: null, precedents: [] });

function sidekickOf(name: string, check: Sidekick['check'], more: Partial<Sidekick> = {}): Sidekick {
  return {
    id: `id-${name}`,
    name,
    topicLabel: name,
    shortName: name,
    version: '1.0.0',
    description: '',
    appliesTo: ['document'],
    isDefault: true,
    needs: ['testSignature'] satisfies EvidenceName[],
    rules: {
      'T-CRITICAL': rule('CRITICAL'),
      'T-MAJOR': rule('MAJOR'),
      'T-INFO': rule('INFO'),
      'T-NOT-VERIFIED': rule('MAJOR'),
    },
    notVerified: 'T-NOT-VERIFIED',
    examined: () => [],
    check,
    ...more,
  };
}

const finding = (ruleCode: string, subject = 's'): Finding => ({
  ruleCode,
  subject,
  summary: '',
  severityReasoning: '',
  confidence: 1,
  isCertain: true,
  locations: [],
});
const part = { kind: 'frames', label: 'frames 3 to 7', reason: 'damaged', share: 0.5 } as const;
const notVerified = (subject = 's'): Finding => ({ ...finding('T-NOT-VERIFIED', subject), notExamined: part });
const throwError = (error: unknown) => () => {
  throw error;
};

const noneOmitted = {
  measured: [],
  omittedCount: 0,
  omittedSeverityCounts: { critical: 0, major: 0, minor: 0, info: 0 },
};
const notApplicable = {
  ...{ sidekickId: 'id-a', version: '1.0.0', outcome: 'not_applicable', ...noneOmitted },
  coverage: { examined: [], notExamined: [] },
};

describe('evidence', () => {
  test('is gathered once, however many sidekicks need it', async () => {
    const one = sourceOf('text');
    await runSidekicks([sidekickOf('a', () => [])], one.source, declared);
    const two = sourceOf('text');
    await runSidekicks([sidekickOf('a', () => []), sidekickOf('b', () => [])], two.source, declared);
    expect(one.reads()).toBeGreaterThan(0);
    expect(two.reads()).toBe(one.reads());
  });

  test('takes time to gather, which counts towards the duration of a sidekick that needs it', async () => {
    const chosen = [sidekickOf('a', () => []), sidekickOf('b', () => [], { appliesTo: ['video'] })];
    const { source } = sourceOf('x');
    const { read } = source.bytes;
    const slow = (target: Uint8Array, offset: number) => sleep(30).then(() => read(target, offset));
    const { durations } = await runSidekicks(chosen, { ...source, bytes: { ...source.bytes, read: slow } }, declared);
    expect(durations).toEqual([{ sidekick: 'a', seconds: expect.any(Number) }]);
    expect(durations[0]?.seconds).toBeGreaterThan(0.029);
  });

  test('is not gathered for a sidekick that does not apply', async () => {
    const { source, reads } = sourceOf('text');
    const other = sidekickOf('a', throwError(new Error('was run')), { appliesTo: ['video'] });
    const { checks } = await runSidekicks([other], source, declared);
    expect(checks).toEqual([{ ...notApplicable, reason: 'nothing_in_file' }]);
    expect(reads()).toBe(0);
  });

  test.each(['nothing_in_file', 'nothing_in_profile'] as const)(
    'may show that there is %s to examine, in which case the sidekick is not run and has no duration',
    async (reason) => {
      const nothingToExamine: Sidekick['nothingToExamine'] = ({ testSignature }) => (testSignature ? null : reason);
      const other = sidekickOf('a', throwError(new Error('was run')), { nothingToExamine });
      const { checks, durations } = await runSidekicks([other], sourceOf('text').source, declared);
      expect(checks).toEqual([{ ...notApplicable, reason }]);
      expect(durations).toEqual([]);
    },
  );
});

describe('findings', () => {
  test('are in the order of the sidekicks and of their output, with the severity of their rule', async () => {
    const chosen = [
      sidekickOf('b', () => [finding('T-INFO', '1'), finding('T-MAJOR', '2')]),
      sidekickOf('a', () => [finding('T-CRITICAL', '3')]),
    ];
    const { findings } = await runSidekicks(chosen, sourceOf('x').source, declared);
    expect(findings.map(({ sidekickId, subject, severity }) => [sidekickId, subject, severity])).toEqual([
      ['id-b', '1', 'INFO'],
      ['id-b', '2', 'MAJOR'],
      ['id-a', '3', 'CRITICAL'],
    ]);
  });

  test('state the grade that determined their severity', async () => {
    const graded = {
      ...rule('MAJOR'),
      grades: [
        { beyond: 0, severity: 'MINOR' as const },
        { beyond: 2, severity: 'MAJOR' as const },
      ],
    };
    const near = { ...finding('T-MAJOR'), severityReasoning: '3 s; limit 2 s', measured: 3, limit: 2, unit: 's' };
    const chosen = [sidekickOf('a', () => [near], { rules: { 'T-MAJOR': graded, 'T-NOT-VERIFIED': rule('MAJOR') } })];
    const { findings } = await runSidekicks(chosen, sourceOf('x').source, declared);
    expect(findings).toMatchObject([
      { severity: 'MINOR', severityReasoning: '3 s; limit 2 s; MINOR up to 2 s beyond the limit' },
    ]);
    expect(findings[0]).not.toHaveProperty('grades');
  });

  test('are limited per asset, and the least severe ones are left out but counted', async () => {
    const many = Array.from({ length: findingsPerAssetMax }, (_, i) => finding('T-INFO', String(i)));
    const chosen = [
      sidekickOf('a', () => many),
      sidekickOf('b', () => [finding('T-CRITICAL', 'worst'), finding('T-MAJOR', 'bad')]),
    ];
    const { checks, findings } = await runSidekicks(chosen, sourceOf('x').source, declared);
    expect(findings).toHaveLength(findingsPerAssetMax);
    expect(findings.slice(-3).map(({ subject }) => subject)).toEqual([String(findingsPerAssetMax - 3), 'worst', 'bad']);
    expect(checks.map(({ omittedCount }) => omittedCount)).toEqual([2, 0]);
    expect(checks.map(({ omittedSeverityCounts }) => omittedSeverityCounts)).toEqual([
      { critical: 0, major: 0, minor: 0, info: 2 },
      { critical: 0, major: 0, minor: 0, info: 0 },
    ]);
  });

  test('without a rule in their sidekick make runSidekicks reject', async () => {
    const chosen = [sidekickOf('a', () => [finding('T-UNKNOWN')])];
    await expect(runSidekicks(chosen, sourceOf('x').source, declared)).rejects.toThrow('a has no rule T-UNKNOWN');
  });
});

describe('a check', () => {
  const examined = { kind: 'audio_stream', label: 'audio track 1', quantity: 8, unit: 's' } as const;
  const run = async (found: Finding[], profile: Partial<Profile> = {}, more: Partial<Sidekick> = {}) => {
    const chosen = [sidekickOf('a', () => found, { examined: () => [examined], ...more })];
    const withProfile = { ...declared, profile: { ...declared.profile, ...profile } };
    const { checks, findings } = await runSidekicks(chosen, sourceOf('x').source, withProfile);
    return { check: checks[0], findings };
  };
  const severitiesOf = async (...args: Parameters<typeof run>) =>
    (await run(...args)).findings.map(({ severity }) => severity);

  test('has run if it examined everything, whatever it found', async () => {
    for (const found of [[], [finding('T-CRITICAL')]]) {
      const { check } = await run(found);
      expect(check).toMatchObject({ outcome: 'ran', reason: null });
      expect(check?.coverage).toEqual({ examined: [examined], notExamined: [] });
    }
  });

  test('has the values that its sidekick measured, whether or not they are an issue', async () => {
    const measured = [{ quantity: 'truePeak', label: 'audio', value: -1, unit: 'dBTP' }] as const;
    expect((await run([], {}, { measured: () => [...measured] })).check?.measured).toEqual(measured);
    expect((await run([])).check?.measured).toEqual([]);
  });

  test('cites where the limits of its rule come from, and says so in the reasoning', async () => {
    const cited = { ...rule('INFO'), limits: ['qcPictureSound/levelMax'] as const };
    const rules = { 'T-INFO': cited, 'T-MAJOR': rule('MAJOR'), 'T-NOT-VERIFIED': rule('MAJOR') };
    const { findings } = await run([{ ...finding('T-INFO'), severityReasoning: 'too bright' }], {}, { rules });
    expect(findings).toMatchObject([
      {
        standard: { name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1', isVerified: false },
        severityReasoning: 'too bright; limit of EBU R 103 (version 3.0, 2020), Annex 1 (not read in the original)',
      },
    ]);
    const [without] = (await run([{ ...finding('T-MAJOR'), severityReasoning: 'odd' }], {}, { rules })).findings;
    expect(without).toMatchObject({ standard: null, severityReasoning: 'odd' });
  });

  test('is incomplete if a finding says what was not examined, which is in its coverage and not in the finding', async () => {
    const second = { ...part, label: 'frame 9' };
    const { check, findings } = await run([
      finding('T-INFO'),
      notVerified('1'),
      { ...notVerified('2'), notExamined: second },
    ]);
    expect(check).toMatchObject({ outcome: 'incomplete', reason: null });
    expect(check?.coverage).toEqual({ examined: [examined], notExamined: [part, second] });
    expect(findings.map(({ ruleCode }) => ruleCode)).toEqual(['T-INFO', 'T-NOT-VERIFIED', 'T-NOT-VERIFIED']);
    for (const one of findings) expect(one).not.toHaveProperty('notExamined');
  });

  test('gives what it did not examine the severity of the worst rule that could be hidden, at most MAJOR', async () => {
    expect(await severitiesOf([notVerified()])).toEqual(['MAJOR']);
    const rules = { 'T-MINOR': rule('MINOR'), 'T-INFO': rule('INFO'), 'T-NOT-VERIFIED': rule('MAJOR') };
    expect(await severitiesOf([notVerified()], {}, { rules })).toEqual(['MINOR']);
    const settings = [{ ruleCode: 'T-MINOR', severity: 'OFF' as const }];
    expect(await severitiesOf([notVerified()], { rules: settings }, { rules })).toEqual(['INFO']);
  });

  test('gives what it did not examine the severity that the profile sets', async () => {
    const rules = [{ ruleCode: 'T-NOT-VERIFIED', severity: 'MINOR' as const }];
    expect(await severitiesOf([notVerified()], { rules })).toEqual(['MINOR']);
  });

  test('is incomplete, with an issue, even if a stored profile has switched the rule off', async () => {
    const rules = [{ ruleCode: 'T-NOT-VERIFIED', severity: 'OFF' as const }];
    const { check, findings } = await run([notVerified()], { rules });
    expect(check).toMatchObject({ outcome: 'incomplete', coverage: { notExamined: [part] } });
    expect(findings).toMatchObject([{ ruleCode: 'T-NOT-VERIFIED', severity: 'MAJOR' }]);
  });

  test('is incomplete even if the finding that says so is left out because of the limit per asset', async () => {
    const many = Array.from({ length: findingsPerAssetMax }, (_, i) => finding('T-MAJOR', String(i)));
    const rules = [{ ruleCode: 'T-NOT-VERIFIED', severity: 'INFO' as const }];
    const { check, findings } = await run([...many, notVerified()], { rules });
    expect(findings.some(({ ruleCode }) => ruleCode === 'T-NOT-VERIFIED')).toBe(false);
    expect(check).toMatchObject({
      outcome: 'incomplete',
      omittedCount: 1,
      omittedSeverityCounts: { critical: 0, major: 0, minor: 0, info: 1 },
    });
  });

  test.each([
    ['of its rule for what was not examined does not say what', finding('T-NOT-VERIFIED')],
    ['of another rule says that something was not examined', { ...finding('T-INFO'), notExamined: part }],
  ])('makes runSidekicks reject if a finding %s', async (_, wrong) => {
    await expect(run([wrong])).rejects.toThrow(`${wrong.ruleCode} and what was not examined belong together`);
  });
});

describe('runSidekicks', () => {
  test('rejects with the error of a sidekick that throws', async () => {
    const error = new Error('mine');
    const run = runSidekicks([sidekickOf('a', throwError(error))], sourceOf('x').source, declared);
    await expect(run).rejects.toBe(error);
  });

  test('rejects with a permanent asset failure rather than other errors, with all failures as its cause', async () => {
    const bug = new Error('a bug');
    const chosen = [
      sidekickOf('a', throwError(bug)),
      sidekickOf('b', throwError(new AssetFailure('analysis_timeout', 'too slow'))),
      sidekickOf('c', throwError(new AssetFailure('corrupt_media', 'damaged'))),
    ];
    const failure = await runSidekicks(chosen, sourceOf('x').source, declared).catch((error) => error);
    expect(failure).toBeInstanceOf(AssetFailure);
    // `corrupt_media` takes precedence because it is permanent: a retry cannot fix it.
    expect(failure).toMatchObject({ errorType: 'corrupt_media', reason: 'damaged' });
    expect(failure.cause.errors).toHaveLength(3);
    expect(failure.cause.errors[0]).toBe(bug);
  });

  test('reports the errors of all sidekicks that throw', async () => {
    const chosen = ['a', 'b'].map((name) => sidekickOf(name, throwError(new Error(name))));
    const failure = await runSidekicks(chosen, sourceOf('x').source, declared).catch((error) => error);
    expect(failure.errors.map(({ message }: Error) => message)).toEqual(['a', 'b']);
  });

  test('still runs the sidekicks that do not need the evidence that could not be gathered', async () => {
    const broken: Source = {
      bytes: {
        sizeBytes: 100,
        read: async () => {
          throw new AssetFailure('blob_missing', 'gone');
        },
      },
      fd: -1,
      signal: new AbortController().signal,
      jail: 'none',
    };
    const chosen = [sidekickOf('a', () => []), sidekickOf('b', throwError(new Error('b')), { needs: [] })];
    const failure = await runSidekicks(chosen, broken, declared).catch((error) => error);
    expect(failure.errorType).toBe('blob_missing');
    expect(failure.cause.errors).toHaveLength(2);
  });

  test('stops on abort before the start and while evidence is gathered', async () => {
    const reason = new Error('stop');
    const chosen = [sidekickOf('a', throwError(new Error('was run')))];
    const before = sourceOf('x', AbortSignal.abort(reason));
    await expect(runSidekicks(chosen, before.source, declared)).rejects.toBe(reason);
    expect(before.reads()).toBe(0);

    const controller = new AbortController();
    const during: Source = {
      bytes: {
        sizeBytes: 1,
        read: async () => {
          controller.abort(reason);
          return 1;
        },
      },
      fd: -1,
      signal: controller.signal,
      jail: 'none',
    };
    await expect(runSidekicks(chosen, during, declared)).rejects.toBe(reason);
  });
});
