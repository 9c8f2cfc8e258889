import type { Route } from '../route.ts';
import { SidekickDescription, SidekickList } from '../sidekick.ts';
import { exampleSidekickId } from './examples.ts';

const exampleSidekick = {
  sidekickId: exampleSidekickId,
  name: 'File safety',
  version: '1.0.0',
  description: 'What a file is against what it says it is, active content, and bombs.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  rules: [
    {
      ruleCode: 'SAFE-PDF-JAVASCRIPT',
      headline: 'Readers may run code of the document.',
      severity: 'MAJOR',
      standard: { name: 'ISO 32000-1', clause: '12.6.4.16' },
    },
  ],
} as const;

export const sidekickRoutes = {
  listSidekicks: {
    method: 'GET',
    path: '/sidekicks',
    bucket: 'submission_read',
    tag: 'Sidekicks',
    summary: 'List the sidekicks',
    description: 'Every checker with its rules, to be named in `sidekickIds`.',
    success: { status: 200, description: 'All of them.', body: SidekickList },
    refusals: [],
    examples: { response: { sidekicks: [exampleSidekick], nextCursor: null, hasMore: false } },
    links: { getSidekick: { parameters: { sidekick_id: '$response.body#/sidekicks/0/sidekickId' } } },
  },
  getSidekick: {
    method: 'GET',
    path: '/sidekicks/{sidekick_id}',
    bucket: 'submission_read',
    tag: 'Sidekicks',
    summary: 'Read one sidekick',
    description: 'What it checks, against which standard.',
    success: { status: 200, description: 'The sidekick.', body: SidekickDescription },
    refusals: ['sidekick_not_found'],
    examples: { response: exampleSidekick },
  },
} as const satisfies Record<string, Route>;
