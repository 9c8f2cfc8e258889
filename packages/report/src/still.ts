import type { Issue, IssueEvidence, Location } from '@assay/sdk';
import { formatBox, formatTimeWithTimecode, isNearlyWholeImage } from './format/location.ts';
import { html, type Markup } from './html.ts';

type Box = NonNullable<Location['box']>;
type FrameRate = number | null | undefined;

/** The stills of an issue, each with a caption and an outline of the affected region. */
export function renderStills(issue: Issue, stills: readonly Uint8Array[], frameRate: FrameRate): Markup | undefined {
  const shown = issue.evidence.flatMap((evidence, i) => {
    const jpeg = stills[i];
    return jpeg && jpeg.length > 0 ? [renderStill(issue, evidence, jpeg, frameRate)] : [];
  });
  return shown.length > 0 ? html`<div class="stills">${shown}</div>` : undefined;
}

function renderStill(issue: Issue, evidence: IssueEvidence, jpeg: Uint8Array, frameRate: FrameRate): Markup {
  // Several frames in one still already have their outlines.
  const box = evidence.frames ? undefined : boxOnStill(issue, evidence);
  const caption = captionOf(evidence, frameRate);
  const alt = `${caption}, issue ${issue.referenceNumber}: ${issue.summary}${box ? ` Outlined: ${formatBox(box, wholeOf(evidence))}.` : ''}`;
  return html`<figure class="still${evidence.frames ? ' pair' : ''}"><div><img src="data:image/jpeg;base64,${toBase64(jpeg)}" alt="${alt}">${box && renderBox(box)}</div><figcaption>${caption}</figcaption></figure>`;
}

const roleWords = { light: 'Light', dark: 'dark', red: 'Red', not_red: 'not red' } as const;

function captionOf({ timeMs, page, frames }: IssueEvidence, frameRate: FrameRate): string {
  if (frames) {
    const words = frames.map(({ role, timeMs: at }) => {
      return `${roleWords[role] ?? role} at ${formatTimeWithTimecode(at, frameRate)}`;
    });
    return `${words.join(', ')}; what flashes is outlined`;
  }
  if (timeMs !== undefined) return `Frame at ${formatTimeWithTimecode(timeMs, frameRate)}`;
  return page === undefined ? 'Image' : `Page ${page}`;
}

function wholeOf({ timeMs, page }: IssueEvidence): string {
  if (timeMs !== undefined) return 'frame';
  return page === undefined ? 'image' : 'page';
}

/** The region of this still that the issue is about, unless it is the whole still. */
function boxOnStill({ locations }: Issue, { timeMs, page }: IssueEvidence): Box | undefined {
  const matches = (location: Location) =>
    (location.page === undefined || page === undefined || location.page === page) &&
    (location.startMs === undefined ||
      timeMs === undefined ||
      (timeMs >= location.startMs && timeMs <= (location.endMs ?? location.startMs)));
  const box = locations.find((location) => location.box && matches(location))?.box;
  return box && !isNearlyWholeImage(box) ? box : undefined;
}

// A dark and a light outline, so that one of them is visible on any image.
function renderBox(box: Box): Markup {
  const share = (value: number) => `${Number((100 * value).toFixed(2))}%`;
  const shape = html`x="${share(box.x)}" y="${share(box.y)}" width="${share(box.width)}" height="${share(box.height)}"`;
  return html`<svg class="outline" aria-hidden="true"><rect class="under" ${shape}/><rect class="over" ${shape}/></svg>`;
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
