import type { Route } from '../route.ts';
import { exampleSidekickId } from '../schemas/examples.ts';
import { SidekickDescription, SidekickList } from '../schemas/sidekick.ts';

const exampleSidekick = {
  sidekickId: exampleSidekickId,
  name: 'File safety',
  shortName: 'file-safety',
  version: '1.0.0',
  description: 'Detects files with misleading types, embedded files, active content and decompression bombs.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  rules: [
    {
      ruleCode: 'SAFE-PDF-JAVASCRIPT',
      headline: 'The document runs scripts on the reader’s device.',
      severity: 'MAJOR',
      standard: { name: 'ISO 32000-1:2008', clause: '12.6.4.16', isVerified: false },
    },
  ],
} as const;

export const sidekickRoutes = {
  listSidekicks: {
    method: 'GET',
    path: '/sidekicks',
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Sidekicks',
    summary: 'List the checks (sidekicks)',
    description: 'Every check with its rules. Use the IDs in `sidekickIds` of a submission.',
    success: { status: 200, description: 'All checks.', body: SidekickList },
    refusals: [],
    examples: { response: { sidekicks: [exampleSidekick], nextCursor: null, hasMore: false } },
    links: { getSidekick: { parameters: { sidekick_id: '$response.body#/sidekicks/0/sidekickId' } } },
  },
  getSidekick: {
    method: 'GET',
    path: '/sidekicks/{sidekick_id}',
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Sidekicks',
    summary: 'Read one check (sidekick)',
    description: 'The rules of the check, and the standards that the rules refer to.',
    success: { status: 200, description: 'The check.', body: SidekickDescription },
    refusals: ['sidekick_not_found'],
    examples: { response: exampleSidekick },
  },
} as const satisfies Record<string, Route>;
