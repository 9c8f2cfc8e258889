import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { asActivity } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { settle } from './settle.ts';
import { type TryingTools, tryToExamine } from './try-to-examine.ts';

export type Examining = { examine(asset: AssetAttempt): Promise<void> };
export type Settling = { settle(asset: AssetAttempt, failure: AssetErrorType | null): Promise<void> };

export function createExamining(handles: Handles, tools: TryingTools): Examining {
  return { examine: asActivity(handles.log, (activity, asset) => tryToExamine(asset, activity, handles, tools)) };
}

export function createSettling(handles: Handles): Settling {
  return { settle: asActivity(handles.log, (_, asset, failure) => settle(asset, failure, handles)) };
}
