import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { missingCorpusNote } from '../support/corpora.ts';
import { createOutcome, type Outcome } from './outcome.ts';

/** Writes the outcome of a run to a file for the gate, which sums up several runs. */
export function createOutcomeReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const outcome = createOutcome();
      for (const module of modules) addModule(outcome, module);
      for (const { message } of unhandledErrors) outcome.failures.push(`outside of any test\n${excerpt(message)}`);
      writeFileSync(file, JSON.stringify(outcome));
    },
  };
}

function addModule(outcome: Outcome, module: TestModule): void {
  const failures = outcome.failures.length;
  for (const testCase of module.children.allTests()) {
    const name = `${module.relativeModuleId}: ${testCase.fullName}`;
    const result = testCase.result();
    if (result.state === 'passed') outcome.passed++;
    else if (result.state === 'failed') outcome.failures.push(`${name}\n${excerpt(result.errors[0]?.message)}`);
    else if (result.state === 'skipped' && result.note?.startsWith(missingCorpusNote))
      outcome.missingCorpora.push(`${name} (${result.note})`);
    else outcome.skips.push(name);
  }
  // A module that cannot be imported, or whose hooks fail, may have no failed tests.
  if (!module.ok() && outcome.failures.length === failures)
    outcome.failures.push(`${module.relativeModuleId}\n${excerpt(errorsOf(module)[0])}`);
  for (let i = failures; i < outcome.failures.length; i++) outcome.failedFiles.push(module.relativeModuleId);
}

function errorsOf(module: TestModule): string[] {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => message);
}

/** Enough to see the cause if only the last lines of a log are available. */
function excerpt(text = 'no message'): string {
  const lines = text.split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}
