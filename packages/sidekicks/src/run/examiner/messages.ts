import type { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { MachineFailureKind } from '@assay/jail/machine-failure.ts';
import type { MemoryNeed } from '@assay/jail/source/memory.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import type { Profile, ProfileOrigin } from '#sidekick/profile.ts';
import type { Examination } from '../run.ts';

/** One asset to examine. */
export type ExaminationRequest = {
  /** A read-only descriptor of the file, of the process that makes the request. */
  fd: number;
  sizeBytes: number;
  filename: string;
  /** `null`: the default sidekicks. */
  sidekickIds: readonly string[] | null;
  profile: Profile;
  origin: ProfileOrigin;
  jail: Jail;
};

/** The descriptor of the socket through which an examiner receives the descriptor of each file. */
export const fileSocket = 5;

export type ToExaminer =
  | { kind: 'examine'; request: Omit<ExaminationRequest, 'fd'> }
  | { kind: 'stop' }
  /** The memory of the request with this id is set aside. */
  | { kind: 'memoryReserved'; id: number };

export type FromExaminer =
  | { kind: 'ready' }
  /** Progress, 0 to 1, and whether it is measured or guessed. */
  | { kind: 'share'; share: number; isMeasured: boolean }
  /** Duration of the media, sent as soon as it is known. */
  | { kind: 'duration'; seconds: number }
  /** Asks for memory for a tool, and says later that it is free again. */
  | { kind: 'reserveMemory'; id: number; need: MemoryNeed }
  | { kind: 'releaseMemory'; id: number }
  | { kind: 'examined'; examination: Examination }
  | ({ kind: 'assetFailed'; message: string } & Pick<AssetFailure, 'errorType' | 'reason' | 'variable'>)
  | { kind: 'machineFailed'; failure: MachineFailureKind; message: string }
  /** A bug. */
  | { kind: 'failed'; message: string };
