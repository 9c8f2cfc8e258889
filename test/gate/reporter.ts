import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { missingCorpusNote } from '../support/corpora.ts';
import type { Outcome } from './outcome.ts';

/** Writes the outcome of a run for the gate, which adds up several. */
export function createOutcomeReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const outcome: Outcome = { passed: 0, failures: [], skips: [], missingCorpora: [] };
      for (const module of modules) addModule(outcome, module);
      for (const { message } of unhandledErrors)
        outcome.failures.push(`outside of any test\n    ${firstLine(message)}`);
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
    else if (result.state === 'failed') outcome.failures.push(`${name}\n    ${firstLine(result.errors[0]?.message)}`);
    else if (result.state === 'skipped' && result.note?.startsWith(missingCorpusNote))
      outcome.missingCorpora.push(`${name} (${result.note})`);
    else outcome.skips.push(name);
  }
  // A module that cannot be imported, or whose hooks fail, may have no failed test.
  if (!module.ok() && outcome.failures.length === failures)
    outcome.failures.push(`${module.relativeModuleId}\n    ${firstLine(errorsOf(module)[0])}`);
}

function errorsOf(module: TestModule): string[] {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => message);
}

function firstLine(text = 'no message'): string {
  return text.split('\n')[0] ?? '';
}
