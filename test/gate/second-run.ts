import { runStep, type Step, type StepResult } from './step.ts';

/** More failed files than this are a fault of the code, not of the machine. */
const fileCountMax = 4;

/**
 * Runs what failed a second time, alone: on a shared machine that stands still for seconds, a test of timeouts can fail
 * without a fault. What fails only once is named in the summary. Unit tests and the chaos run have no second run.
 */
export async function runAgain(step: Step, first: StepResult): Promise<StepResult> {
  const { failures, failedFiles } = first.outcome;
  const files = [...new Set(failedFiles)];
  const isOfFiles = failures.length === failedFiles.length && files.length <= fileCountMax;
  if (!step.hasSecondRun || failures.length === 0 || (step.hasTests && !isOfFiles)) return first;
  console.log(`\n== ${step.name}, second run of what failed`);
  const second = await runStep({ ...step, command: [...step.command, ...files] }, true);
  const time = { ...first.time, wallSeconds: first.time.wallSeconds + second.time.wallSeconds };
  if (second.outcome.failures.length + second.outcome.skips.length > 0) return { ...first, time };
  const passed = first.outcome.passed + failures.length;
  return { ...first, time, outcome: { ...first.outcome, passed, failures: [], failedFiles: [], unstable: failures } };
}
