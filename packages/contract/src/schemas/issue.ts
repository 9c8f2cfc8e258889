import { z } from 'zod';
import { decisionsShownMax, stillsPerIssueMax } from '../limits.ts';
import { exampleIssuePlace, exampleStillUrl, exampleTime } from './examples.ts';
import { assetId, meaning, ruleCode, severity, sidekickId, submissionId, versionNumber } from './fields.ts';

export const issueStatuses = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

/** The reasons for a decision, and the status that each requires. */
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

/** Statuses that carry over to the same issue in the next version, unless the decision says otherwise. */
export const carriedOverStatuses: readonly IssueStatus[] = ['ACKNOWLEDGED', 'DISMISSED'];

export const Precedent = z
  .object({
    url: z.string().meta({ description: 'Web page about the case.' }),
    title: z.string().meta({ description: 'Title of the case.' }),
    decision: z.string().meta({ description: 'What was decided, in the words of the source.' }),
    date: z.string().meta({ description: 'Date of the decision, or only its year.' }),
  })
  .meta({ id: 'Precedent', description: 'A published decision on a similar case, such as a ruling of a regulator.' });
export type Precedent = z.infer<typeof Precedent>;

const fraction = z.number().min(0).max(1);

/** A place in the asset. An issue without locations concerns the whole asset. */
export const Location = z
  .object({
    kind: z.enum(['timeRange', 'region', 'page', 'text']).meta({
      description: 'What is located. Other members can add to it, such as the time range of a `region` in a video.',
    }),
    startMs: z.int().min(0).optional().meta({
      description: 'Start of the time range, in milliseconds from the beginning of the media.',
    }),
    endMs: z.int().min(0).optional().meta({
      description: 'End of the time range, in milliseconds from the beginning of the media.',
    }),
    page: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Page of a document, counted from 1.', examples: [3] }),
    box: z
      .object({
        x: meaning(fraction, 'Left edge, from the left side.'),
        y: meaning(fraction, 'Top edge, from the top.'),
        width: meaning(fraction, 'Width, as a fraction of the whole width.'),
        height: meaning(fraction, 'Height, as a fraction of the whole height.'),
      })
      .optional()
      .meta({
        description: 'Position and size as fractions (0 to 1) of the width and height of the frame, image or page.',
      }),
    text: z
      .string()
      .optional()
      .meta({ description: 'The text concerned, such as the words of a caption.', examples: ['Terms apply.'] }),
  })
  .meta({ id: 'Location', description: 'Where an issue is in the asset.' });
export type Location = z.infer<typeof Location>;

export const Standard = z
  .object({
    name: z.string().meta({ description: 'Name of the standard, with its edition.' }),
    clause: z.string().meta({ description: 'Clause or section of the standard.' }),
  })
  .meta({ id: 'Standard', description: 'A clause of a published standard.' });
export type Standard = z.infer<typeof Standard>;

/** A still image that shows the issue. */
export const IssueEvidence = z
  .object({
    kind: z.literal('image').meta({ description: 'Kind of evidence; always a still image.' }),
    url: z.string().meta({
      description: 'Path on this service to a JPEG of up to 640 pixels per side. Read it with the same API key.',
    }),
    timeMs: z.int().min(0).optional().meta({
      description: 'Position of the frame, in milliseconds from the beginning of the video.',
    }),
    page: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Page of a document, counted from 1. Absent for a video.', examples: [3] }),
  })
  .meta({ id: 'IssueEvidence', description: 'A still image that shows an issue.' });

const issueStatus = z.enum(issueStatuses).meta({
  description:
    '`OPEN`, or `AWAITING_HUMAN_INPUT` if the check is not certain and the issue needs review; later the status that a reviewer set.',
});

/** §2.4: the fields that an issue has wherever it appears. */
export const CompactIssue = z
  .object({
    id: z.uuid().meta({
      description:
        'ID of the issue; `issue_id` in paths. The same issue has another ID in the next version, but the same `referenceNumber`.',
    }),
    referenceNumber: z.int().min(1).meta({
      description:
        'A short number for people. It counts up within a version group and is never reused; the same issue keeps it in the next version.',
    }),
    ruleCode,
    summary: z.string().meta({ description: 'What is wrong, where, and what to do, in one or two sentences.' }),
    severity,
    status: issueStatus,
  })
  .meta({ id: 'CompactIssue', description: 'The main fields of an issue.' });
export type CompactIssue = z.infer<typeof CompactIssue>;

/** Identifies an issue of another version. */
const IssuePlace = {
  submissionId: meaning(submissionId, 'The submission that contains that version.'),
  assetId: meaning(assetId, 'The asset of that version.'),
  issueId: z.uuid().meta({ description: 'The issue in that version.' }),
  versionNumber: meaning(versionNumber, 'The number of that version.'),
};

/** Why a decision was not carried over: what got worse, a different file (file safety), or the reviewer's choice. */
export const notCarriedReasons = ['severity', 'measured', 'extent', 'content', 'by_choice'] as const;

const decisionReason = Reason.nullable().meta({
  description: 'Reason for the decision; null if none was given.',
  examples: ['false_alarm'],
});
const decisionNote = z
  .string()
  .nullable()
  .meta({
    description: 'Note of the reviewer; null if there is none.',
    examples: ['The script only prints the page.'],
  });
const decidedAt = z.iso.datetime().meta({ description: 'When the decision was made.' });

export const PreviousDecision = z
  .object({
    ...IssuePlace,
    status: z.enum(issueStatuses).meta({ description: 'The status that was set in that version.' }),
    reason: decisionReason,
    note: decisionNote,
    decidedAt,
    notCarriedOverBecause: z.array(z.enum(notCarriedReasons)).min(1).meta({
      description:
        'Why the decision does not apply to this version: the `severity` is higher, the `measured` value is farther from the limit, the `extent` is larger, the `content` of the file differs (File safety only), or the reviewer limited it to one version (`by_choice`).',
    }),
  })
  .meta({
    id: 'PreviousDecision',
    description: 'A decision on the same issue in the previous version that was not carried over.',
  });
export type PreviousDecision = z.infer<typeof PreviousDecision>;

/** Who decides on issues; `unknown` before actors were recorded. */
export const actorKinds = ['api_key', 'unknown'] as const;

const exampleDecidedPlace = { ...exampleIssuePlace, versionNumber: 1 };

export const IssueDecision = z
  .object({
    decidedAt,
    actor: z
      .object({
        kind: z.enum(actorKinds).meta({ description: 'What kind of actor decided.' }),
        id: z.uuid().nullable().meta({ description: 'ID of the API key, not the key itself; null if unknown.' }),
      })
      .meta({ description: 'Who decided; `unknown` for decisions made before actors were recorded.' }),
    from: z
      .enum(issueStatuses)
      .nullable()
      .meta({ description: 'Status before the decision; null if it was not recorded.' }),
    to: z.enum(issueStatuses).meta({ description: 'Status that the decision set.' }),
    reason: decisionReason,
    note: decisionNote,
    carriesOver: z.boolean().meta({
      description: 'Whether the decision also applies to the same issue in the next version, if it is no worse there.',
    }),
    carriedFrom: z
      .object(IssuePlace)
      .nullable()
      .meta({
        description:
          'The issue in an earlier version on which this decision was made; null if it was made on this issue.',
        examples: [exampleDecidedPlace],
      }),
  })
  .meta({ id: 'IssueDecision', description: 'A change of the status of an issue. Decisions are never removed.' });
export type IssueDecision = z.infer<typeof IssueDecision>;

export const Issue = z
  .object({
    ...CompactIssue.shape,
    createdAt: z.iso.datetime().meta({ description: 'When the analysis that found the issue was finished.' }),
    updatedAt: z.iso.datetime().meta({
      description: 'When the status of this issue was last set by a reviewer; otherwise the same as `createdAt`.',
    }),
    sidekickId: meaning(sidekickId, 'The check that found the issue.'),
    severityReasoning: z.string().meta({ description: 'What was measured or found, and the limit that was applied.' }),
    severityReasoningHeadline: z.string().meta({
      description: 'Why the rule matters, in one sentence. The same for all issues of a rule.',
    }),
    precedents: z.array(Precedent).meta({
      description: 'Published decisions on similar cases. Empty if none are known for the rule.',
      examples: [
        [
          {
            url: 'https://media.example.com/rulings/1042',
            title: 'Ruling on a leaflet with hidden scripts',
            decision: 'Upheld',
            date: '2024-02-17',
          },
        ],
      ],
    }),
    confidence: meaning(fraction, 'How certain the check is, from 0 to 1 (certain).'),
    measured: z.number().nullable().meta({
      description: 'The measured value in `unit`, not rounded for display. Null if the rule measures nothing.',
    }),
    limit: z.number().nullable().meta({
      description: 'The limit in `unit` that was applied, tolerance included. Null if the rule has no limit.',
    }),
    unit: z.string().nullable().meta({
      description: 'Unit of `measured` and `limit`, such as `LUFS`. Null if the rule measures nothing.',
    }),
    standard: Standard.nullable().meta({
      description: 'The standard behind the rule or its limit; null if there is none.',
    }),
    locations: z.array(Location).meta({
      description: 'Where the issue is. An empty list means the whole asset.',
      examples: [[{ kind: 'region', startMs: 4000, endMs: 5200, box: { x: 0.25, y: 0.1, width: 0.5, height: 0.4 } }]],
    }),
    evidence: z.array(IssueEvidence).meta({
      description: `Still images that show the issue, up to ${stillsPerIssueMax}. Empty if there are none.`,
      examples: [[{ kind: 'image', url: exampleStillUrl, timeMs: 4600 }]],
    }),
    statusNote: meaning(decisionNote, 'Note of the latest decision; null if there is none.'),
    statusReason: meaning(decisionReason, 'Reason of the latest decision; null if there is none.'),
    statusChangedAt: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When the latest decision was made, even if that was on an earlier version. Null if there is no decision.',
        examples: [exampleTime],
      }),
    previousDecision: PreviousDecision.nullable().meta({
      description: 'The decision on the same issue in the previous version, if it was not carried over.',
      examples: [
        {
          ...exampleDecidedPlace,
          status: 'DISMISSED',
          reason: 'false_alarm',
          note: 'The script only prints the page.',
          decidedAt: exampleTime,
          notCarriedOverBecause: ['content'],
        },
      ],
    }),
  })
  .meta({ id: 'Issue', description: 'An issue in full.' });
export type Issue = z.infer<typeof Issue>;

export const IssueDetail = z
  .object({
    ...Issue.shape,
    decisions: z
      .array(IssueDecision)
      .max(decisionsShownMax)
      .meta({ description: `Decisions on the issue, newest first; up to ${decisionsShownMax}.` }),
  })
  .meta({ id: 'IssueDetail', description: 'An issue in full, with its decisions.' });
export type IssueDetail = z.infer<typeof IssueDetail>;
