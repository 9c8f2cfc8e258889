import { h264Files } from './h264-files.ts';
import { masterFiles } from './master-files.ts';
import { otherFiles } from './other-files.ts';
import type { Recipe } from './recipe.ts';

export const specFiles: readonly Recipe[] = [...h264Files, ...masterFiles, ...otherFiles];
