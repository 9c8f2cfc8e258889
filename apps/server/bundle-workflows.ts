import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowBundlePath } from './src/platform/temporal/workers.ts';

// Bundles the workflow code into one file: `pnpm bundle`.
const { code } = await bundleWorkflowCode({
  workflowsPath: join(import.meta.dirname, 'src', 'start', 'workflows.ts'),
  logger: new DefaultLogger('WARN'),
});
mkdirSync(dirname(workflowBundlePath), { recursive: true });
// The file is renamed once complete, so that a worker starting meanwhile reads the whole previous bundle.
const temporaryPath = `${workflowBundlePath}.${process.pid}`;
writeFileSync(temporaryPath, code);
renameSync(temporaryPath, workflowBundlePath);
