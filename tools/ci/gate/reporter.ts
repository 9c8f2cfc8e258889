import { writeFileSync } from 'node:fs';
import { missingCorpusNote } from '@assay/testing/media/corpora.ts';
import type { Reporter, TestModule } from 'vitest/node';

/** CPU time of a test file and of the processes that it started and ended. */
type FileCost = { file: string; cpuSeconds: number };

/** A failed test, or a failure outside of any test, which has no file. */
export type Failure = { file?: string; text: string };

/** The results of one command. A command without tests counts as one test. */
export type Outcome = {
  passed: number;
  failures: Failure[];
  /** Tests that were skipped for a reason other than a missing corpus. */
  skips: string[];
  /** Tests that need a corpus that is not on this machine. */
  missingCorpora: string[];
  files: FileCost[];
};

export const createOutcome = (): Outcome => ({ passed: 0, failures: [], skips: [], missingCorpora: [], files: [] });

/** Writes the outcome of a run to a file for the gate, which adds up the outcomes of several runs. */
export function createOutcomeReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const outcome = createOutcome();
      for (const module of modules) addModule(outcome, module);
      for (const { message } of unhandledErrors)
        outcome.failures.push({ text: `outside of any test\n${excerpt(message)}` });
      writeFileSync(file, JSON.stringify(outcome));
    },
  };
}

function addModule(outcome: Outcome, module: TestModule): void {
  const { relativeModuleId: file } = module;
  const failuresBefore = outcome.failures.length;
  for (const testCase of module.children.allTests()) {
    const name = `${file}: ${testCase.fullName}`;
    const result = testCase.result();
    if (result.state === 'passed') outcome.passed++;
    else if (result.state === 'failed')
      outcome.failures.push({ file, text: `${name}\n${excerpt(result.errors[0]?.message)}` });
    else if (result.state === 'skipped' && result.note?.startsWith(missingCorpusNote))
      outcome.missingCorpora.push(`${name} (${result.note})`);
    else outcome.skips.push(name);
  }
  // A module that cannot be imported, or whose hooks fail, may have no failed tests.
  if (!module.ok() && outcome.failures.length === failuresBefore)
    outcome.failures.push({ file, text: `${file}\n${excerpt(errorsOf(module)[0])}` });
  const { cpuSeconds = 0 } = module.meta() as { cpuSeconds?: number };
  outcome.files.push({ file, cpuSeconds });
}

function errorsOf(module: TestModule): string[] {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => message);
}

/** The first lines of an error message: short, so that the end of a log contains several causes. */
function excerpt(text = 'no message'): string {
  const lines = text.split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}
