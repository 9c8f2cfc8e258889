import { html, type Markup } from '../html.ts';
import type { RejectedFile } from '../report.ts';
import type { ListedRejection } from './file-groups.ts';
import { renderFilename } from './filename.ts';

/** The files without a result, each with the reason, so that nobody assumes that they were checked. */
export function renderRejected(files: readonly ListedRejection[]): Markup {
  const title = files.every(({ file: { stage } }) => stage !== 'unfinished')
    ? 'Rejected files'
    : 'Files without a result';
  return html`<section aria-labelledby="rejected"><h2 id="rejected">${title} <span class="amount">${files.length}</span></h2>
<ul class="rejected">${files.map(({ file, anchor }) => renderFile(file, anchor))}</ul></section>`;
}

const stages: Record<RejectedFile['stage'], string> = {
  before_upload: 'Rejected before the upload',
  by_service: 'Rejected by the service',
  unfinished: 'No result',
};

export function rejectionStageOf({ stage }: RejectedFile): string {
  return stages[stage];
}

function renderFile(file: RejectedFile, anchor: string): Markup {
  const { filename, reason, next, code } = file;
  return html`<li class="panel" id="${anchor}"><b>${renderFilename(filename)}</b><p>${reason}${next && html` ${next}`}</p><small>${[rejectionStageOf(file), code].filter(Boolean).join(' · ')}</small></li>`;
}
