import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Handles } from '#platform/handles.ts';
import { asActivity } from '#platform/temporal/as-activity.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { settle } from './settle.ts';
import { type TryTools, tryToExamine } from './try-to-examine.ts';

export type ExaminationActivities = { examine(asset: AssetAttempt): Promise<void> };
export type SettlementActivities = { settle(asset: AssetAttempt, failure: AssetErrorType | null): Promise<void> };

export function createExaminationActivities(handles: Handles, tools: TryTools): ExaminationActivities {
  return { examine: asActivity(handles.log, (activity, asset) => tryToExamine(asset, activity, handles, tools)) };
}

export function createSettlementActivities(handles: Handles): SettlementActivities {
  return { settle: asActivity(handles.log, (_, asset, failure) => settle(asset, failure, handles)) };
}
