import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Cage } from '../evidence/cage.ts';
import type { MachineFailureKind } from '../evidence/machine-failure.ts';
import type { Examination } from '../run.ts';

/** One asset to examine. */
export type ExaminationRequest = {
  /** Where the process can open the file. */
  path: string;
  sizeBytes: number;
  filename: string;
  /** `null`: those that run by default. */
  sidekickIds: readonly string[] | null;
  profile: string;
  cage: Cage;
};

export type ToExaminer = { kind: 'examine'; request: ExaminationRequest } | { kind: 'stop' };

export type FromExaminer =
  | { kind: 'ready' }
  /** How far it is, 0 to 1. */
  | { kind: 'share'; share: number }
  /** How long the file plays, as soon as that is known. */
  | { kind: 'duration'; seconds: number }
  | { kind: 'examined'; examination: Examination }
  | { kind: 'assetFailed'; errorType: AssetErrorType; message: string }
  | { kind: 'machineFailed'; failure: MachineFailureKind; message: string }
  /** A bug. */
  | { kind: 'failed'; message: string };
