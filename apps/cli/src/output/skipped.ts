import type { SkippedFile, SkipReason } from '../files/search-folder.ts';
import { type Output, stripControls } from './output.ts';
import { wrap } from './text-width.ts';

const namesMax = 5;
const labels: Record<SkipReason, string> = {
  not_supported: 'not supported',
  hidden: 'hidden',
  linked_folder: 'links to folders',
  special_file: 'not regular files',
};

/** `Skipped: 2 not supported (README.md, notes.zip), 1 hidden (.DS_Store).` */
export function formatSkipped(skipped: SkippedFile[], output: Output): string {
  const parts = (Object.keys(labels) as SkipReason[]).flatMap((reason) => {
    const names = skipped.flatMap((one) => (one.reason === reason ? [stripControls(one.file)] : []));
    if (names.length === 0) return [];
    const rest = names.length - namesMax;
    const named = [...names.slice(0, namesMax), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
    return [`${names.length} ${labels[reason]} (${named})`];
  });
  return wrap(`Skipped: ${parts.join(', ')}.`, output.width())
    .map((line) => output.paint(line, 'dim'))
    .join('\n');
}
