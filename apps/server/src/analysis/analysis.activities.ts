import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Cage } from '@assay/sidekicks/evidence/run-tool.ts';
import { asActivity } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { examine } from './examine.ts';
import { settle } from './settle.ts';

export type Examining = { examine(asset: AssetAttempt): Promise<void> };
export type Settling = { settle(asset: AssetAttempt, failure: AssetErrorType | null): Promise<void> };

export function createExamining(handles: Handles, cage: Cage): Examining {
  return { examine: asActivity(handles.log, (signal, asset) => examine(asset, signal, handles, cage)) };
}

export function createSettling(handles: Handles): Settling {
  return { settle: asActivity(handles.log, (_signal, asset, failure) => settle(asset, failure, handles)) };
}
