import { z } from 'zod';
import { severities } from './severity.ts';

export const issueStatuses = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

export const Precedent = z
  .object({ url: z.string(), title: z.string(), decision: z.string(), date: z.string() })
  .meta({ id: 'Precedent' });
export type Precedent = z.infer<typeof Precedent>;

const fraction = z.number().min(0).max(1);

/** Where in the asset: a stretch of time, a part of the picture, a page, a piece of text. No location: the whole asset. */
export const Location = z
  .object({
    kind: z.enum(['timeRange', 'region', 'page', 'text']),
    startMs: z.int().min(0).optional(),
    endMs: z.int().min(0).optional(),
    page: z.int().min(1).optional(),
    box: z
      .object({ x: fraction, y: fraction, width: fraction, height: fraction })
      .optional()
      .meta({ description: 'As shares of the width and height of the picture or page.' }),
    text: z.string().optional(),
  })
  .meta({ id: 'Location' });
export type Location = z.infer<typeof Location>;

export const Standard = z.object({ name: z.string(), clause: z.string() }).meta({ id: 'Standard' });
export type Standard = z.infer<typeof Standard>;

/** Something to look at. */
export const IssueEvidence = z
  .object({
    kind: z.literal('image'),
    url: z
      .string()
      .meta({ description: 'A path of this service, read with the same key: a JPEG of at most 640 pixels.' }),
    timeMs: z.int().min(0).optional(),
    page: z.int().min(1).optional(),
  })
  .meta({ id: 'IssueEvidence' });

/** §2.4: the least that an issue carries wherever it appears. */
export const CompactIssue = z
  .object({
    id: z.uuid(),
    referenceNumber: z.int().min(1).meta({ description: 'Counts up per version group; never reused.' }),
    ruleCode: z.string(),
    summary: z.string(),
    severity: z.enum(severities),
    status: z.enum(issueStatuses),
  })
  .meta({ id: 'CompactIssue' });
export type CompactIssue = z.infer<typeof CompactIssue>;

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
    statusChangedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Issue' });
export type Issue = z.infer<typeof Issue>;
