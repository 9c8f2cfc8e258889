/** The duration of one test file. */
export type FileTime = {
  file: string;
  wallSeconds: number;
  ownCpuSeconds: number;
  childCpuSeconds: number;
  sleepSeconds: number;
};
