import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DecisionRow } from './decision-store.ts';
import { inheritDecision } from './inherit-decision.ts';

const source = { submissionId: randomUUID(), assetId: randomUUID(), issueId: randomUUID(), versionNumber: 2 };
const decidedAt = new Date();
const decidedStatus = {
  status: 'DISMISSED' as const,
  statusNote: 'The title sequence.',
  statusReason: 'creative_intent' as const,
  statusChangedAt: decidedAt,
};
const flash = {
  issueId: source.issueId,
  ...decidedStatus,
  severity: 'MAJOR' as const,
  measured: 8,
  limitValue: 6,
  unit: 'transitions',
  locations: [{ kind: 'timeRange' as const, startMs: 5000, endMs: 6000 }],
  source,
};
const dismissal: DecisionRow = {
  issueId: source.issueId,
  decisionNumber: 3,
  actorKind: 'api_key',
  actorId: randomUUID(),
  decidedAt,
  fromStatus: 'OPEN',
  toStatus: 'DISMISSED',
  reason: 'creative_intent',
  note: 'The title sequence.',
  carriesOver: true,
  carriedFrom: null,
};
const longFlash = { ...flash, locations: [{ ...flash.locations[0], kind: 'timeRange' as const, endMs: 605_000 }] };

describe('a decision', () => {
  test('is carried over with its source if nothing got worse', () => {
    const { decision, previousDecision } = inheritDecision(dismissal, flash, { ...flash, measured: 7 }, true);
    expect(decision).toEqual({ ...dismissal, decisionNumber: 1, carriedFrom: source });
    expect(previousDecision).toBeUndefined();
  });

  test('that is carried over a second time keeps its original source', () => {
    const origin = { ...source, versionNumber: 1 };
    expect(inheritDecision({ ...dismissal, carriedFrom: origin }, flash, flash, true).decision?.carriedFrom).toEqual(
      origin,
    );
  });

  test.each([
    ['extent', longFlash],
    ['severity', { ...flash, severity: 'CRITICAL' as const }],
    ['measured', { ...flash, measured: 9 }],
  ])('is not carried over if the issue got worse (%s)', (because, now) => {
    expect(inheritDecision(dismissal, flash, now, true)).toEqual({
      previousDecision: {
        ...source,
        status: 'DISMISSED',
        reason: 'creative_intent',
        note: 'The title sequence.',
        decidedAt: dismissal.decidedAt.toISOString(),
        notCarriedOverBecause: [because],
      },
    });
  });

  test('is not carried over if it was made for one version only', () => {
    const { previousDecision } = inheritDecision({ ...dismissal, carriesOver: false }, flash, longFlash, true);
    expect(previousDecision?.notCarriedOverBecause).toEqual(['extent', 'by_choice']);
  });

  test('is not carried over if the content of the file changed', () => {
    expect(inheritDecision(dismissal, flash, flash, false).previousDecision?.notCarriedOverBecause).toEqual([
      'content',
    ]);
  });

  test.each(['OPEN', 'RESOLVED', 'AWAITING_HUMAN_INPUT'] as const)(
    'that sets the status %s is not carried over',
    (toStatus) => {
      const newest = { ...dismissal, toStatus, carriesOver: false };
      expect(inheritDecision(newest, { ...flash, status: toStatus }, flash, true)).toEqual({});
    },
  );

  test('is not created for an issue without a decision', () => {
    const undecided = { ...flash, status: 'OPEN' as const, statusChangedAt: null };
    expect(inheritDecision(undefined, undecided, flash, true)).toEqual({});
  });

  test('follows the status of the issue, even if the status was changed without a recorded decision', () => {
    const later = new Date(decidedAt.getTime() + 1000);
    const reopened = { ...flash, status: 'OPEN' as const, statusChangedAt: later };
    expect(inheritDecision(dismissal, reopened, flash, true)).toEqual({});
    const dismissed = { ...flash, statusNote: 'known', statusReason: null, statusChangedAt: later };
    expect(inheritDecision(undefined, dismissed, flash, true).decision).toMatchObject({
      actorKind: 'unknown',
      toStatus: 'DISMISSED',
      note: 'known',
      decidedAt: later,
      carriedFrom: source,
    });
  });
});
