import { removeExaminationRows } from '#modules/analysis/store.ts';
import { removeResultRows } from '#modules/results/store.ts';
import type { RemoveRows } from '#modules/submissions/delete/remove-rows.ts';

/** Delete the rows of a submission in modules that import `submissions`, which therefore cannot import them. */
export const rowRemovers: readonly RemoveRows[] = [removeResultRows, removeExaminationRows];
