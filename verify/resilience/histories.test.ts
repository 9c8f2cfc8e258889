import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundlePath } from '@assay/server/platform/temporal/workers.ts';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { workflowRuns } from './histories/workflow-runs.ts';

const historiesFolder = join(import.meta.dirname, 'histories');
const recordedFiles = readdirSync(historiesFolder).filter((file) => file.endsWith('.json'));
const textOf = (file: string) => readFileSync(join(historiesFolder, file), 'utf8');
const runNameOf = (file: string) => file.replace(/^\w+-(.*)\.json$/, '$1');

type Attributes = Record<string, unknown>;

/** The attributes of all events of one type, in order. */
function findIn(file: string): (type: string) => Attributes[] {
  const { events } = JSON.parse(textOf(file)) as { events: Attributes[] };
  return (type) =>
    events
      .filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`)
      .map((event) => Object.entries(event).find(([name]) => name.endsWith('EventAttributes'))?.[1] as Attributes);
}

/** The input of the recorded run. */
function inputIn(find: ReturnType<typeof findIn>): unknown {
  const [{ input }] = find('WORKFLOW_EXECUTION_STARTED') as [{ input: { payloads: [{ data: string }] } }];
  return JSON.parse(Buffer.from(input.payloads[0].data, 'base64').toString());
}

const heartbeatTimeout = { timeoutFailureInfo: { timeoutType: 'TIMEOUT_TYPE_HEARTBEAT' } };
const timeLimit = { applicationFailureInfo: { type: 'analysis_timeout' } };

/** What the history of each run must contain, by the name of the run. */
const expectedContents: Record<string, (find: ReturnType<typeof findIn>) => void> = {
  analysed(find) {
    expect(find('ACTIVITY_TASK_COMPLETED')).toHaveLength(1);
    const failure = { applicationFailureInfo: { type: 'blob_changed', nonRetryable: true } };
    expect(find('ACTIVITY_TASK_FAILED')).toMatchObject([{ failure }]);
  },
  cancelled(find) {
    expect(find('WORKFLOW_EXECUTION_CANCEL_REQUESTED')).toHaveLength(1);
    expect(find('ACTIVITY_TASK_STARTED')).toEqual([]);
  },
  'cancelled-midway'(find) {
    expect(find('WORKFLOW_EXECUTION_CANCEL_REQUESTED')).toHaveLength(1);
    expect(find('ACTIVITY_TASK_STARTED')).toHaveLength(1); // a worker had started it
    expect(find('ACTIVITY_TASK_CANCEL_REQUESTED')).toHaveLength(1);
    expect(find('ACTIVITY_TASK_CANCELED')).toHaveLength(1);
  },
  simulated(find) {
    expect(find('MARKER_RECORDED')).toHaveLength(2);
    expect(find('TIMER_STARTED')).toEqual([]);
  },
  delayed(find) {
    expect(find('TIMER_STARTED')).toHaveLength(1);
    expect(find('TIMER_FIRED')).toHaveLength(1);
  },
  failed(find) {
    expect(find('ACTIVITY_TASK_STARTED')).toMatchObject([{ attempt: 2, lastFailure: timeLimit }]);
    const failure = { applicationFailureInfo: { type: 'analysis_timeout', nonRetryable: true } };
    expect(find('ACTIVITY_TASK_FAILED')).toMatchObject([{ failure }]);
  },
  retried(find) {
    expect(find('WORKFLOW_EXECUTION_STARTED')).toMatchObject([{ workflowId: expect.stringMatching(/:2$/) }]);
    expect(inputIn(find)).toMatchObject({ run: 2, assets: [{ attempt: 2 }] });
    expect(find('ACTIVITY_TASK_COMPLETED')).toHaveLength(1);
  },
  'timed-out'(find) {
    const [{ identity }] = find('WORKFLOW_TASK_STARTED') as [Attributes];
    const [{ attempt, ...started }] = find('ACTIVITY_TASK_STARTED') as [Attributes];
    expect(attempt).toBeGreaterThanOrEqual(2);
    expect(started).toMatchObject({ lastFailure: heartbeatTimeout, identity });
    expect(find('ACTIVITY_TASK_COMPLETED')).toMatchObject([{ identity }]);
  },
  'dead-worker'(find) {
    const [{ identity: dead }] = find('WORKFLOW_TASK_STARTED') as [Attributes];
    const [{ attempt, ...started }] = find('ACTIVITY_TASK_STARTED') as [Attributes];
    expect(attempt).toBeGreaterThanOrEqual(2);
    expect(started).toMatchObject({ lastFailure: heartbeatTimeout, identity: expect.not.stringMatching(`^${dead}$`) });
    expect(find('ACTIVITY_TASK_COMPLETED')).toMatchObject([{ identity: started.identity }]);
  },
};

/** What no history may contain. */
const forbiddenPatterns = {
  'an identity': /"identity": "(?!recorded)[^"]*"/,
  'a process at a host': /\d+@(?!recorded)\S*/,
  'an address': /\b\d+(\.\d+){3}\b/,
  'a path': /(^|[^\w.])\/\w\S*/m,
  'a file of code': /\w+\.[jt]s\b/,
  'a trace': /"stackTrace": "[^"]+"/,
  'a key': /sk_(live|test)_\w*|whsec_\S*/,
};

describe('recorded workflow histories', () => {
  test('exist for every kind of run, and the tests state what each kind must contain', () => {
    expect(Object.keys(expectedContents).sort()).toEqual(Object.keys(workflowRuns).sort());
    expect([...new Set(recordedFiles.map(runNameOf))].sort()).toEqual(Object.keys(workflowRuns).sort());
  });

  test.each(recordedFiles)(
    '%s contains the events expected of its kind of run, and the completion of the run',
    (file) => {
      const find = findIn(file);
      expectedContents[runNameOf(file)]?.(find);
      expect(find('WORKFLOW_EXECUTION_COMPLETED')).toHaveLength(1);
    },
  );

  test.each(recordedFiles)('%s replays with the current workflow code', async (file) => {
    const history = historyFromJSON(JSON.parse(textOf(file)));
    await Worker.runReplayHistory({ workflowBundle: { codePath: workflowBundlePath } }, history);
  });

  test.each(recordedFiles)('%s contains no key and nothing about the host that recorded it', (file) => {
    const text = textOf(file).replaceAll(/"data": "([^"]*)"/g, (_, data) => Buffer.from(data, 'base64').toString());
    expect(text).toContain('"submissionId"'); // proves that encoded payloads are searched too
    for (const [what, pattern] of Object.entries(forbiddenPatterns)) expect(text.match(pattern), what).toBeNull();
  });
});
