import type { Issue, IssueEvidence, Location } from '@assay/sdk';
import { formatClock } from './format.ts';
import { html, type Markup } from './html.ts';
import { formatBox, isNearlyAll } from './where.ts';

type Box = NonNullable<Location['box']>;

/** The stills of an issue as a strip, each with what it shows and where to look. */
export function renderStills(issue: Issue, stills: readonly Uint8Array[]): Markup | undefined {
  const shown = issue.evidence.flatMap((evidence, i) => {
    const jpeg = stills[i];
    return jpeg && jpeg.length > 0 ? [renderStill(issue, evidence, jpeg)] : [];
  });
  return shown.length > 0 ? html`<div class="stills">${shown}</div>` : undefined;
}

function renderStill(issue: Issue, evidence: IssueEvidence, jpeg: Uint8Array): Markup {
  const box = boxOn(issue, evidence);
  const caption = captionOf(evidence);
  const alt = `Still, ${caption}, of finding ${issue.referenceNumber}: ${issue.summary}${box ? ` The frame marks ${formatBox(box)}.` : ''}`;
  return html`<figure class="still"><div><img src="data:image/jpeg;base64,${base64(jpeg)}" alt="${alt}">${box && renderBox(box)}</div><figcaption>${caption}</figcaption></figure>`;
}

function captionOf({ timeMs, page }: IssueEvidence): string {
  if (timeMs !== undefined) return `at ${formatClock(timeMs)}`;
  return page === undefined ? 'the picture' : `page ${page}`;
}

/** The part of this very still that the issue is about, unless it is all of it. */
function boxOn({ locations }: Issue, { timeMs, page }: IssueEvidence): Box | undefined {
  const fits = (location: Location) =>
    (location.page === undefined || page === undefined || location.page === page) &&
    (location.startMs === undefined ||
      timeMs === undefined ||
      (timeMs >= location.startMs && timeMs <= (location.endMs ?? location.startMs)));
  const box = locations.find((location) => location.box && fits(location))?.box;
  return box && !isNearlyAll(box) ? box : undefined;
}

// Two frames, a dark and a light one: one of them is seen on any picture.
function renderBox(box: Box): Markup {
  const share = (value: number) => `${Number((100 * value).toFixed(2))}%`;
  const shape = html`x="${share(box.x)}" y="${share(box.y)}" width="${share(box.width)}" height="${share(box.height)}"`;
  return html`<svg class="frame" aria-hidden="true"><rect class="under" ${shape}/><rect class="over" ${shape}/></svg>`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
