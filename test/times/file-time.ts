/** What one test file took. */
export type FileTime = {
  file: string;
  wallSeconds: number;
  ownCpuSeconds: number;
  childCpuSeconds: number;
  sleepSeconds: number;
};
