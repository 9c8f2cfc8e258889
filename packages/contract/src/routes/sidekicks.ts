import type { Route } from '../route.ts';
import { SidekickDescription, SidekickList } from '../sidekick.ts';
import { exampleSidekickId } from './examples.ts';

const exampleSidekick = {
  sidekickId: exampleSidekickId,
  name: 'File safety',
  shortName: 'file-safety',
  version: '1.0.0',
  description:
    'Looks for files that are not what they say, carry a second file, run code when opened, or blow up when unpacked.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  rules: [
    {
      ruleCode: 'SAFE-PDF-JAVASCRIPT',
      headline: 'The document runs scripts on the reader’s machine.',
      severity: 'MAJOR',
      standard: { name: 'ISO 32000-1:2008', clause: '12.6.4.16' },
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
