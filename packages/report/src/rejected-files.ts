import { renderFilename } from './filename.ts';
import { html, type Markup } from './html.ts';
import type { RejectedFile } from './report.ts';

/** The files that were not submitted, each with the reason, so that nobody assumes that they were checked. */
export function renderRejected(files: readonly RejectedFile[], anchorOf: (index: number) => string): Markup {
  return html`<section aria-labelledby="rejected"><h2 id="rejected">Rejected files <span class="amount">${files.length}</span></h2>
<ul class="rejected">${files.map((file, i) => renderFile(file, anchorOf(i)))}</ul></section>`;
}

export function rejectionStageOf({ isBeforeUpload }: RejectedFile): string {
  return isBeforeUpload ? 'Rejected before the upload' : 'Rejected by the service';
}

function renderFile(file: RejectedFile, anchor: string): Markup {
  const { filename, reason, next, code } = file;
  return html`<li class="panel" id="${anchor}"><b>${renderFilename(filename)}</b><p>${reason}${next && html` ${next}`}</p><small>${[rejectionStageOf(file), code].filter(Boolean).join(' · ')}</small></li>`;
}
