import { randomUUID } from 'node:crypto';
import { runAdmin } from '@assay/server/admin/admin.ts';
import { readConfig } from '@assay/server/config/config.ts';
import { startApi } from '@assay/server/start/api.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { withTestStack } from '@assay/testing/service/with-test-stack.ts';

/** The service with one workspace, and what a client must read from it. */
export type KnownWorkspace = { url: string; key: string; workspaceId: string; submissionIds: string[] };

/** Starts the API on a free port with a database of its own, and stops it afterwards. There is no worker. */
export function withService(use: (workspace: KnownWorkspace) => Promise<void>): Promise<void> {
  return withTestStack('generators', async (environment) => {
    const config = readConfig({
      ...environment,
      API_PORT: '0',
      API_METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      REDIS_KEY_PREFIX: `${randomUUID()}:`,
      TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
    });
    const api = await startApi(config);
    try {
      const create = ['workspace', 'create', '--name', 'generators', '--tier', 'pro'];
      const made = (await runAdmin(create, api.handles, config)) as { workspaceId: string; liveKey: string };
      const client = createClient(api.url, made.liveKey);
      const first = await submit(client, [await uploadText(client)]);
      const second = await submit(client, [await uploadText(client)], { metadata: { campaign: 'spring' } });
      const submissionIds = [second.submissionId, first.submissionId]; // newest first
      await use({ url: api.url, key: made.liveKey, workspaceId: made.workspaceId, submissionIds });
    } finally {
      await api.stop();
    }
  });
}
