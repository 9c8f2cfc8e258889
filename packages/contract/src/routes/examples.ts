/** Values shared by the examples of several routes, so that the examples are consistent. */
export const exampleWorkspaceId = '0190a5c2-7b1e-7cc3-98c4-dc0c0c07398f';
export const exampleBlobPath = `${exampleWorkspaceId}/0190a5c3-1d2f-7a55-b0b4-2f1d5a0e9c11-spring-ad.mp4`;
export const exampleSubmissionId = '0190a5c5-02c4-7b3a-9f0e-3f6d6a1b2c3d';
export const exampleAssetId = '0190a5c5-02c4-7f10-8a55-9b1c2d3e4f50';
export const exampleVersionGroupId = '0190a5c5-02c4-7a0c-b7d1-0a1b2c3d4e5f';
export const exampleIssueId = '0190a5c6-4f11-7c2e-8d3a-5e6f7a8b9c0d';
export const exampleSidekickId = '640785f0-005a-4058-92f5-c56e81aa96a5';
export const exampleKeyId = '0190a5c2-7b1e-7d40-8c11-2a3b4c5d6e7f';
export const exampleTime = '2026-01-05T09:30:00.000Z';
export const exampleEnd = '2026-01-05T09:31:12.000Z';

export const exampleCompactIssue = {
  id: exampleIssueId,
  referenceNumber: 1,
  ruleCode: 'SAFE-PDF-JAVASCRIPT',
  summary: 'The document runs JavaScript when it is opened.',
  severity: 'MAJOR',
  status: 'OPEN',
} as const;

export const exampleIssue = {
  ...exampleCompactIssue,
  createdAt: exampleEnd,
  updatedAt: exampleEnd,
  sidekickId: exampleSidekickId,
  severityReasoning: '1 JavaScript action, reached from /OpenAction.',
  severityReasoningHeadline: 'The document runs scripts on the reader’s machine.',
  precedents: [],
  confidence: 1,
  measured: 1,
  limit: 0,
  unit: 'actions',
  standard: { name: 'ISO 32000-1:2008', clause: '12.6.4.16' },
  locations: [],
  evidence: [],
  statusNote: null,
  statusReason: null,
  statusChangedAt: null,
  previousDecision: null,
} as const;
