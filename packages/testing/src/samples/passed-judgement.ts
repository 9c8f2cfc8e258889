/** The stored verdict on an asset without issues. */
export const passedJudgement = {
  verdict: 'passed',
  severityCounts: { critical: 0, major: 0, minor: 0, info: 0 },
  statusCounts: { open: 0, acknowledged: 0, awaitingHumanInput: 0, resolved: 0, dismissed: 0 },
  blockingCount: 0,
  reviewCount: 0,
  waivedCount: 0,
} as const;
