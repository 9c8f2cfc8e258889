import type { IssueRow } from '../store.ts';
import { clusterTopics, type Topic, topicAlgorithm } from './topics.ts';

/** The topics as stored with the asset: the issues of each, and the algorithm. */
export type StoredTopics = typeof topicAlgorithm & { generatedAt: string; topics: Topic[] };

export function groupIntoTopics(assetId: string, issues: IssueRow[], now: Date): StoredTopics {
  const topics = clusterTopics(
    assetId,
    issues.map(({ issueId, ...issue }) => ({ ...issue, id: issueId })),
  );
  return { ...topicAlgorithm, generatedAt: now.toISOString(), topics };
}
