import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { MachineFailure } from '@assay/jail/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/run/examiner/examiner.ts';
import { expect, test } from 'vitest';
import { Outage } from '#platform/outage.ts';
import { reasonOf } from './try-reason.ts';

test('reasonOf never returns the message of an error that may quote the file', () => {
  const secret = 'a word of the file';
  const errors = [
    new TypeError(secret),
    new AssetFailure('corrupt_media', 'ffprobe exited with 1', { cause: new Error(secret) }),
    new ExaminerDied('SIGSEGV', `the examiner ended with SIGSEGV: ${secret}`),
    new MachineFailure('killed', secret),
    Object.assign(new Error(secret), { code: 'ENOSPC' }),
    new Outage('disk', new Error(secret)),
  ];
  expect(errors.map((error) => reasonOf(error).reason)).toEqual([
    'an error in the service; the log of the worker has its stack trace',
    'ffprobe exited with 1',
    'the process that examined the file ended with SIGSEGV',
    'the kernel killed a process of the examination; memory may have run out',
    'the machine has no disk space, processes or file descriptors left',
    'the disk for temporary files is not available',
  ]);
});
