import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundlePath } from '@assay/server/handles/workers.ts';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'histories');
const recorded = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe('runs that are under way when the workflow code changes', () => {
  test('there are recorded ones of every story', () => {
    const stories = ['analysed', 'cancelled', 'rehearsed', 'delayed'];
    expect(stories.filter((story) => !recorded.some((file) => file.endsWith(`-${story}.json`)))).toEqual([]);
  });

  test.each(recorded)('%s goes on as it began', async (file) => {
    const history = historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    await Worker.runReplayHistory({ workflowBundle: { codePath: workflowBundlePath } }, history);
  });
});
