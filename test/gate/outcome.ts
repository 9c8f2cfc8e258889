/** The results of one step. A step without tests counts as one test. */
export type Outcome = {
  passed: number;
  /** One text per failed test: its file, its name, the start of its error. */
  failures: string[];
  /** The file of each failure; a failure outside of any test has none. */
  failedFiles: string[];
  /** Failures of a first run that did not occur in the second. */
  unstable: string[];
  /** Tests that were skipped for another reason than a missing corpus. */
  skips: string[];
  /** Tests that need a corpus that is not on this machine. */
  missingCorpora: string[];
};

export const createOutcome = (): Outcome => ({
  passed: 0,
  failures: [],
  failedFiles: [],
  unstable: [],
  skips: [],
  missingCorpora: [],
});
