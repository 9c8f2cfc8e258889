import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DecisionRow } from './decision-store.ts';
import { inheritDecision } from './inherit-decision.ts';

const decisionSource = { submissionId: randomUUID(), assetId: randomUUID(), issueId: randomUUID(), versionNumber: 2 };
const decidedAt = new Date();
const decidedStatus = {
  status: 'DISMISSED' as const,
  statusNote: 'The title sequence.',
  statusReason: 'creative_intent' as const,
  statusChangedAt: decidedAt,
};
const flashIssue = {
  issueId: decisionSource.issueId,
  ...decidedStatus,
  severity: 'MAJOR' as const,
  measured: 8,
  limitValue: 6,
  unit: 'transitions',
  locations: [{ kind: 'timeRange' as const, startMs: 5000, endMs: 6000 }],
  source: decisionSource,
};
const dismissal: DecisionRow = {
  issueId: decisionSource.issueId,
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
const longerFlashIssue = {
  ...flashIssue,
  locations: [{ ...flashIssue.locations[0], kind: 'timeRange' as const, endMs: 605_000 }],
};

describe('a decision', () => {
  test('is carried over with its source if nothing got worse', () => {
    const { decision, previousDecision } = inheritDecision(dismissal, flashIssue, { ...flashIssue, measured: 7 }, true);
    expect(decision).toEqual({ ...dismissal, decisionNumber: 1, carriedFrom: decisionSource });
    expect(previousDecision).toBeUndefined();
  });

  test('that is carried over a second time keeps its original source', () => {
    const origin = { ...decisionSource, versionNumber: 1 };
    expect(
      inheritDecision({ ...dismissal, carriedFrom: origin }, flashIssue, flashIssue, true).decision?.carriedFrom,
    ).toEqual(origin);
  });

  test.each([
    ['extent', longerFlashIssue],
    ['severity', { ...flashIssue, severity: 'CRITICAL' as const }],
    ['measured', { ...flashIssue, measured: 9 }],
  ])('is not carried over if the issue got worse (%s)', (because, now) => {
    expect(inheritDecision(dismissal, flashIssue, now, true)).toEqual({
      previousDecision: {
        ...decisionSource,
        status: 'DISMISSED',
        reason: 'creative_intent',
        note: 'The title sequence.',
        decidedAt: dismissal.decidedAt.toISOString(),
        notCarriedOverBecause: [because],
      },
    });
  });

  test('is not carried over if it was made for one version only', () => {
    const { previousDecision } = inheritDecision(
      { ...dismissal, carriesOver: false },
      flashIssue,
      longerFlashIssue,
      true,
    );
    expect(previousDecision?.notCarriedOverBecause).toEqual(['extent', 'by_choice']);
  });

  test('is not carried over if the content of the file changed', () => {
    expect(inheritDecision(dismissal, flashIssue, flashIssue, false).previousDecision?.notCarriedOverBecause).toEqual([
      'content',
    ]);
  });

  test.each(['OPEN', 'RESOLVED', 'AWAITING_HUMAN_INPUT'] as const)(
    'that sets the status %s is not carried over',
    (toStatus) => {
      const newest = { ...dismissal, toStatus, carriesOver: false };
      expect(inheritDecision(newest, { ...flashIssue, status: toStatus }, flashIssue, true)).toEqual({});
    },
  );

  test('is not created for an issue that had none in the previous version', () => {
    const undecided = { ...flashIssue, status: 'OPEN' as const, statusChangedAt: null };
    expect(inheritDecision(undefined, undecided, flashIssue, true)).toEqual({});
  });

  test('is carried over according to the issue’s current status, even if no decision was recorded for that status', () => {
    const later = new Date(decidedAt.getTime() + 1000);
    const reopened = { ...flashIssue, status: 'OPEN' as const, statusChangedAt: later };
    expect(inheritDecision(dismissal, reopened, flashIssue, true)).toEqual({});
    const dismissed = { ...flashIssue, statusNote: 'known', statusReason: null, statusChangedAt: later };
    expect(inheritDecision(undefined, dismissed, flashIssue, true).decision).toMatchObject({
      actorKind: 'unknown',
      toStatus: 'DISMISSED',
      note: 'known',
      decidedAt: later,
      carriedFrom: decisionSource,
    });
  });
});
