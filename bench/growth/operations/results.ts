import {
  decideIssue,
  findDecisions,
  findNewestDecisions,
  insertCarriedDecisions,
} from '@assay/server/modules/results/decisions/decision-store.ts';
import {
  findMeasurements,
  findPoster,
  findStill,
  replaceEvidence,
} from '@assay/server/modules/results/stills/evidence-store.ts';
import {
  findIssue,
  findIssues,
  findJudgedIssues,
  type IssueFilter,
  insertIssues,
  pageIssues,
  removeResultRows,
} from '@assay/server/modules/results/store.ts';
import { type Sample, sampleIssue } from '../sample.ts';
import type { Operations } from './operation.ts';

const page = (filter: Partial<IssueFilter>, afterNumber = 0) =>
  ((db, { workspaceId, complete }: Sample) =>
    pageIssues(
      db,
      workspaceId,
      complete,
      { severities: undefined, statuses: undefined, sidekickIds: undefined, ruleCodes: undefined, ...filter },
      { afterNumber, limit: 100 },
    )) satisfies Operations[string];

export const results: Operations = {
  insertIssues: (db, { workspaceId, unfinished, now }) => insertIssues(db, workspaceId, unfinished, [sampleIssue(now)]),
  findIssues: (db, { workspaceId, complete }) => findIssues(db, workspaceId, complete),
  findJudgedIssues: (db, { workspaceId, complete }) => findJudgedIssues(db, workspaceId, complete),
  findIssue: (db, { workspaceId, complete, issueId }) => findIssue(db, workspaceId, complete, issueId),
  'pageIssues: first page': page({}),
  'pageIssues: next page': page({}, 2),
  'pageIssues: by severity': page({ severities: ['CRITICAL', 'MAJOR'] }),
  'pageIssues: by status': page({ statuses: ['OPEN'] }),
  'pageIssues: by sidekick': page({ sidekickIds: ['00000000-0000-4000-8000-000000000001'] }),
  'pageIssues: by rule': page({ ruleCodes: ['LOUD-001'] }),
  removeResultRows: (db, { workspaceId, unfinished }) => removeResultRows(db, workspaceId, unfinished.submissionId),
  decideIssue: (db, { workspaceId, complete, issueId, keyId, now }) =>
    decideIssue(
      db,
      workspaceId,
      { ...complete, issueId },
      {
        actor: { kind: 'api_key', id: keyId },
        decidedAt: now,
        toStatus: 'DISMISSED',
        reason: null,
        note: 'Accepted.',
        carriesOver: true,
      },
    ),
  insertCarriedDecisions: (db, { workspaceId, unfinished, issueId, now }) =>
    insertCarriedDecisions(db, workspaceId, unfinished, [
      {
        issueId,
        decisionNumber: 1,
        actorKind: 'unknown',
        actorId: null,
        decidedAt: now,
        fromStatus: null,
        toStatus: 'DISMISSED',
        reason: null,
        note: null,
        carriesOver: true,
        carriedFrom: null,
      },
    ]),
  findDecisions: (db, { workspaceId, complete, issueId }) => findDecisions(db, workspaceId, { ...complete, issueId }),
  findNewestDecisions: (db, { workspaceId, complete }) => findNewestDecisions(db, workspaceId, complete),
  replaceEvidence: (db, { workspaceId, complete, stillId }) =>
    replaceEvidence(db, workspaceId, complete, {
      stills: [{ stillId, jpeg: Buffer.alloc(20_000) }],
      poster: Buffer.alloc(20_000),
      measured: { durationMs: 30_000, frameRate: 25, series: [] },
    }),
  findStill: (db, { workspaceId, complete, stillId }) => findStill(db, workspaceId, complete, stillId),
  findPoster: (db, { workspaceId, complete }) => findPoster(db, workspaceId, complete),
  findMeasurements: (db, { workspaceId, complete }) => findMeasurements(db, workspaceId, complete),
};
