import type { IssueRow } from './store.ts';
import { clusterTopics, type Topic, topicAlgorithm } from './topics.ts';

/** What is kept of the topics beside the asset: which issues belong together, and by which algorithm. */
export type KeptTopics = typeof topicAlgorithm & { generatedAt: string; topics: Topic[] };

export function keepTopics(assetId: string, issues: IssueRow[], now: Date): KeptTopics {
  const topics = clusterTopics(
    assetId,
    issues.map(({ issueId, ...issue }) => ({ ...issue, id: issueId })),
  );
  return { ...topicAlgorithm, generatedAt: now.toISOString(), topics };
}
