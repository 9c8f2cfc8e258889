import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesMatching, isProduction, moduleOf, serverFolder, serverSources, sources, textOf } from './sources.ts';

/** The module whose stores write each table. */
const ownerOf: Record<string, string> = {
  workspaces: 'workspaces',
  credit_entries: 'workspaces',
  admin_actions: 'audit',
  api_keys: 'identity',
  idempotency_keys: 'idempotency',
  blobs: 'uploads',
  profiles: 'profiles',
  profile_revisions: 'profiles',
  submissions: 'submissions',
  assets: 'submissions',
  version_groups: 'submissions',
  asset_versions: 'submissions',
  submissions_to_judge: 'submissions',
  runs_to_start: 'submissions',
  runs_to_cancel: 'submissions',
  examinations: 'analysis',
  examination_tries: 'analysis',
  issues: 'results',
  issue_decisions: 'results',
  stills: 'results',
  measurements: 'results',
  subscriptions: 'webhooks',
  events: 'webhooks',
  deliveries: 'webhooks',
};
const tablesWrittenByTriggers = ['credit_totals', 'storage_totals'];

describe('each responsibility has one place in the code', () => {
  test('only run-tool.ts starts programs that read media, so that all of them are jailed', () => {
    const production = sources.filter(isProduction);
    expect(filesMatching(/\bchild_process\b/, production).sort()).toEqual([
      'apps/cli/src/print-pdf.ts', // prints our own report
      `${serverFolder}/platform/postgres/migrate.ts`, // applies migrations, never reads a caller's file
      'packages/jail/src/examiner/examiner-jail.ts', // starts the processes in which sidekicks run, in a jail
      'packages/jail/src/run-tool.ts',
      'packages/sidekicks/build-kernel.ts', // compiles our own source
      'packages/sidekicks/src/run/examiner/examiner.ts', // talks to these processes
    ]);
  });

  test('only the modules workspaces and identity, and `pnpm admin`, create workspace ids', () => {
    const creators = ['workspaces', 'identity', 'admin'];
    expect(filesMatching(/as WorkspaceId/, serverSources).filter((file) => !creators.includes(moduleOf(file)))).toEqual(
      [],
    );
  });

  test('only the module that owns a table writes to it', () => {
    const tableNames = textOf
      .get(`${serverFolder}/platform/postgres/database.generated.ts`)
      ?.split('export interface DB {')[1];
    const tables = [...(tableNames?.matchAll(/^ {2}(\w+):/gm) ?? [])].map(([, table]) => table ?? '');
    expect(tables.filter((table) => !ownerOf[table] && !tablesWrittenByTriggers.includes(table))).toEqual([]);
    const writes = /(?:insertInto|updateTable|deleteFrom)\('(\w+)'|\b(?:insert into|update|delete from) (\w+)/g;
    const foreign = serverSources.flatMap((file) =>
      [...(textOf.get(file) ?? '').matchAll(writes)]
        .map((match) => match[1] ?? match[2] ?? '')
        .filter((table) => tables.includes(table) && ownerOf[table] !== moduleOf(file))
        .map((table) => `${basename(file)} writes ${table}`),
    );
    expect(foreign).toEqual([]);
  });

  test('only stores and the platform contain SQL', () => {
    const pattern = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/;
    const wrong = filesMatching(pattern, serverSources).filter(
      (file) => !/\bstore\.ts$/.test(file) && moduleOf(file) !== 'platform',
    );
    expect(wrong).toEqual([]);
  });
});
