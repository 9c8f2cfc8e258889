import { z } from 'zod';
import { decisionsShownMax } from '../limits.ts';
import { severities } from './severity.ts';

export const issueStatuses = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

/** Why a reviewer decided so, and the status that goes with it. */
export const decisionReasons = {
  fix_required: 'ACKNOWLEDGED',
  creative_intent: 'DISMISSED',
  best_available: 'DISMISSED',
  risk_accepted: 'DISMISSED',
  false_alarm: 'DISMISSED',
  fixed: 'RESOLVED',
  reopened: 'OPEN',
} as const satisfies Record<string, IssueStatus>;
export type DecisionReason = keyof typeof decisionReasons;
const reasonNames = Object.keys(decisionReasons) as [DecisionReason, ...DecisionReason[]];
export const Reason = z.enum(reasonNames);

/** Decisions that also apply to the same issue in the next version, unless they say otherwise. */
export const lastingStatuses: readonly IssueStatus[] = ['ACKNOWLEDGED', 'DISMISSED'];

export const Precedent = z
  .object({ url: z.string(), title: z.string(), decision: z.string(), date: z.string() })
  .meta({ id: 'Precedent' });
export type Precedent = z.infer<typeof Precedent>;

const fraction = z.number().min(0).max(1);

/** Where in the asset: a time range, a region of the image or frame, a page, a piece of text. No location: the whole asset. */
export const Location = z
  .object({
    kind: z.enum(['timeRange', 'region', 'page', 'text']),
    startMs: z.int().min(0).optional(),
    endMs: z.int().min(0).optional(),
    page: z.int().min(1).optional(),
    box: z.object({ x: fraction, y: fraction, width: fraction, height: fraction }).optional().meta({
      description: 'Position and size as fractions (0 to 1) of the width and height of the frame, image or page.',
    }),
    text: z.string().optional(),
  })
  .meta({ id: 'Location' });
export type Location = z.infer<typeof Location>;

export const Standard = z.object({ name: z.string(), clause: z.string() }).meta({ id: 'Standard' });
export type Standard = z.infer<typeof Standard>;

/** A still image that shows the issue. */
export const IssueEvidence = z
  .object({
    kind: z.literal('image'),
    url: z.string().meta({
      description: 'Path on this service to a JPEG of up to 640 pixels per side. Read it with the same API key.',
    }),
    timeMs: z.int().min(0).optional(),
    page: z.int().min(1).optional(),
  })
  .meta({ id: 'IssueEvidence' });

/** §2.4: the fields that an issue has wherever it appears. */
export const CompactIssue = z
  .object({
    id: z.uuid(),
    referenceNumber: z.int().min(1).meta({ description: 'Counts up within a version group; never reused.' }),
    ruleCode: z.string(),
    summary: z.string(),
    severity: z.enum(severities),
    status: z.enum(issueStatuses),
  })
  .meta({ id: 'CompactIssue' });
export type CompactIssue = z.infer<typeof CompactIssue>;

/** Which issue of which version. */
const IssuePlace = { submissionId: z.uuid(), assetId: z.uuid(), issueId: z.uuid(), versionNumber: z.int().min(1) };

/** Why a decision was not carried over: what got worse, a different file (file safety), or the reviewer's choice. */
export const notCarriedReasons = ['severity', 'measured', 'extent', 'content', 'by_choice'] as const;

export const PreviousDecision = z
  .object({
    ...IssuePlace,
    status: z.enum(issueStatuses),
    reason: Reason.nullable(),
    note: z.string().nullable(),
    decidedAt: z.iso.datetime(),
    notCarriedOverBecause: z.array(z.enum(notCarriedReasons)).min(1),
  })
  .meta({ id: 'PreviousDecision' });
export type PreviousDecision = z.infer<typeof PreviousDecision>;

export const IssueDecision = z
  .object({
    decidedAt: z.iso.datetime(),
    actor: z
      .object({ kind: z.enum(['api_key', 'unknown']), id: z.uuid().nullable() })
      .meta({ description: 'Who decided; `unknown` for decisions made before actors were recorded.' }),
    from: z
      .enum(issueStatuses)
      .nullable()
      .meta({ description: 'Status before the decision; null if it was not recorded.' }),
    to: z.enum(issueStatuses),
    reason: Reason.nullable(),
    note: z.string().nullable(),
    carriesOver: z.boolean(),
    carriedFrom: z.object(IssuePlace).nullable().meta({
      description:
        'The issue in an earlier version on which this decision was made; null if it was made on this issue.',
    }),
  })
  .meta({ id: 'IssueDecision' });
export type IssueDecision = z.infer<typeof IssueDecision>;

export const Issue = z
  .object({
    ...CompactIssue.shape,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    sidekickId: z.uuid(),
    severityReasoning: z.string(),
    severityReasoningHeadline: z.string(),
    precedents: z.array(Precedent),
    confidence: fraction,
    measured: z.number().nullable(),
    limit: z.number().nullable(),
    unit: z.string().nullable(),
    standard: Standard.nullable(),
    locations: z.array(Location),
    evidence: z.array(IssueEvidence),
    statusNote: z.string().nullable(),
    statusReason: Reason.nullable(),
    statusChangedAt: z.iso.datetime().nullable(),
    previousDecision: PreviousDecision.nullable().meta({
      description: 'The decision on the same issue in the previous version, if it was not carried over.',
    }),
  })
  .meta({ id: 'Issue' });
export type Issue = z.infer<typeof Issue>;

export const IssueDetail = z
  .object({
    ...Issue.shape,
    decisions: z
      .array(IssueDecision)
      .max(decisionsShownMax)
      .meta({ description: `Newest first; up to ${decisionsShownMax}.` }),
  })
  .meta({ id: 'IssueDetail' });
export type IssueDetail = z.infer<typeof IssueDetail>;
