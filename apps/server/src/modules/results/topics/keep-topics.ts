import type { IssueRow } from '../store.ts';
import { clusterTopics, type Topic, topicAlgorithm } from './topics.ts';

/** The topics as stored with the asset: the issues of each, and the algorithm. */
export type KeptTopics = typeof topicAlgorithm & { generatedAt: string; topics: Topic[] };

export function keepTopics(assetId: string, issues: IssueRow[], now: Date): KeptTopics {
  const topics = clusterTopics(
    assetId,
    issues.map(({ issueId, ...issue }) => ({ ...issue, id: issueId })),
  );
  return { ...topicAlgorithm, generatedAt: now.toISOString(), topics };
}
