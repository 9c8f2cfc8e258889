import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { peakBytesOf } from '@assay/testing/faults/process-table.ts';

/**
 * Resident memory of a worker. This process acts as the worker but also makes the files, so the result is its initial
 * memory plus the most that one examination adds.
 */
export function openMemory() {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const firstBytes = process.memoryUsage.rss();
  let beforeBytes = 0;
  let addedBytes = 0;
  return {
    begin(): void {
      collectGarbage(); // otherwise an examination could reuse memory freed after making the file
      writeFileSync('/proc/self/clear_refs', '5'); // resets the peak
      beforeBytes = process.memoryUsage.rss();
    },
    end(): void {
      addedBytes = Math.max(addedBytes, peakBytesOf(process.pid) - beforeBytes);
    },
    residentBytes: () => firstBytes + addedBytes,
  };
}
