import { removeExaminationRows } from '#modules/analysis/store.ts';
import { removeResultRows } from '#modules/results/store.ts';
import type { RemoveRows } from '#modules/submissions/delete/remove-rows.ts';

/** Functions that delete a submission's rows in modules that `submissions` cannot import, because they import it. */
export const rowRemovers: readonly RemoveRows[] = [removeResultRows, removeExaminationRows];
