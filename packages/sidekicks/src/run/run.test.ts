import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { findingsPerAssetMax } from '@assay/contract/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { EvidenceName } from '#evidence/evidence.ts';
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
    rules: { 'T-CRITICAL': rule('CRITICAL'), 'T-MAJOR': rule('MAJOR'), 'T-INFO': rule('INFO') },
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
const throwError = (error: unknown) => () => {
  throw error;
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
    expect(checks).toEqual([{ sidekickId: 'id-a', version: '1.0.0', outcome: 'not_applicable', omittedCount: 0 }]);
    expect(reads()).toBe(0);
  });

  test('may show that a sidekick does not apply to the file, in which case the sidekick is not run and has no duration', async () => {
    const applies: Sidekick['applies'] = ({ testSignature }) => Boolean(testSignature);
    const other = sidekickOf('a', throwError(new Error('was run')), { applies });
    const { checks, durations } = await runSidekicks([other], sourceOf('text').source, declared);
    expect(checks).toEqual([{ sidekickId: 'id-a', version: '1.0.0', outcome: 'not_applicable', omittedCount: 0 }]);
    expect(durations).toEqual([]);
  });
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
    const chosen = [sidekickOf('a', () => [near], { rules: { 'T-MAJOR': graded } })];
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
  });

  test('without a rule in their sidekick make runSidekicks reject', async () => {
    const chosen = [sidekickOf('a', () => [finding('T-UNKNOWN')])];
    await expect(runSidekicks(chosen, sourceOf('x').source, declared)).rejects.toThrow('a has no rule T-UNKNOWN');
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
