import { removeExaminationRows } from '#modules/analysis/store.ts';
import { removeResultRows } from '#modules/results/store.ts';
import type { RemoveRows } from '#modules/submissions/delete/remove-rows.ts';

/** The modules that keep rows of a submission and import the module `submissions`; it cannot import them. */
export const rowRemovers: readonly RemoveRows[] = [removeResultRows, removeExaminationRows];
