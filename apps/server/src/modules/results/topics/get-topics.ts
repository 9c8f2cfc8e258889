import type { Call, Reply } from '#call/call.ts';
import { requireFinishedAsset } from '#modules/submissions/require-asset.ts';
import type { Handles } from '#platform/handles.ts';
import { bySeverity, combineIssues } from '../by-severity.ts';
import { presentCompactIssue } from '../present.ts';
import { findIssues, type IssueRow } from '../store.ts';
import { groupIntoTopics, type StoredTopics } from './keep-topics.ts';

/** §4.7: topics as grouped when the asset was settled, with each issue's current state. A simulated run has none. */
export async function getTopics({ caller, params }: Call<'getTopics'>, { db }: Handles): Promise<Reply<'getTopics'>> {
  const asset = await requireFinishedAsset(db, caller.workspaceId, params);
  const rows = await findIssues(db, caller.workspaceId, params);
  const byId = new Map(rows.map((row) => [row.issueId, row]));
  const { topics, ...kept } =
    (asset.topics as StoredTopics | null) ?? groupIntoTopics(asset.asset_id, [], asset.completed_at as Date);
  const clustered = new Set(topics.flatMap(({ issueIds }) => issueIds));
  return {
    assetId: asset.asset_id,
    topics: topics
      .map((topic) => ({ topic, issues: topic.issueIds.map((id) => byId.get(id) as IssueRow) }))
      // Earlier versions of the algorithm stored topics in a different order.
      .sort((a, b) => bySeverity(combineIssues(a.issues), combineIssues(b.issues)))
      .map(({ topic, issues }) => ({
        ...topic,
        issueCount: issues.length,
        issues: issues.map(presentCompactIssue),
      })),
    orphanIssues: rows
      .filter(({ issueId }) => !clustered.has(issueId))
      .sort(bySeverity)
      .map(presentCompactIssue),
    metadata: {
      ...kept,
      totalIssueCount: rows.length,
      topicCount: topics.length,
      clusteredIssueCount: clustered.size,
      orphanIssueCount: rows.length - clustered.size,
    },
  };
}
