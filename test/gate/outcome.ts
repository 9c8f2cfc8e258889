/** What the tests of one step came to. A step without tests counts as one. */
export type Outcome = {
  passed: number;
  /** One text for each failed test: its file, its name, the first line of its error. */
  failures: string[];
  /** Tests that were skipped although nothing is missing that may be missing. */
  skips: string[];
  /** Tests that need a corpus which is not on this machine. */
  missingCorpora: string[];
};
