import type { Issue } from '@assay/sdk';
import { formatClock, formatCount } from '../format/format.ts';
import { formatSpanWithTimecode, type Span, spansOf } from '../format/location.ts';
import { html, type Markup } from '../html.ts';
import type { ReportAsset } from '../report.ts';
import { classOf, countWithClosed, type Severity, severities, severityIcon, severityRows } from '../severity.ts';
import { renderPlots } from './plots.ts';
import {
  createTimeAxis,
  durationOf,
  percentOf,
  positionOf,
  renderGrid,
  renderTicks,
  type TimeAxis,
} from './time-axis.ts';

type Mark = { issue: Issue; spans: Span[] };
/** Whether the mark has a number. It has none if the number would cover another mark. */
type LaneMark = Mark & { isNumbered: boolean };

const laneHeightPx = 24;
const barHeightPx = 12;
/** Shorter events are drawn this wide. */
const barWidthMinPx = 5;
/** Space for the number after a mark, in percent of the width. */
const labelPercent = 4.5;
const lanesMax = 4;

/** Issues and measurements on one time axis; undefined for assets without a duration, such as images. */
export function renderTimeline(asset: ReportAsset, anchorOf: (issue: Issue) => string): Markup | undefined {
  const durationMs = durationOf(asset);
  if (!durationMs) return undefined;
  const axis = createTimeAxis(durationMs, asset.measurements?.frameRate);
  const grid = renderGrid(axis);
  const marks = asset.issues.map((issue) => ({ issue, spans: spansOf(issue, durationMs) }));
  const timed = marks.filter(({ spans }) => spans.length > 0);
  const lanes = severities.flatMap((severity) => {
    const own = timed.filter(({ issue }) => issue.severity === severity);
    return own.length > 0 ? [renderLanes(severity, own, axis, grid, anchorOf)] : [];
  });
  const plots = renderPlots(asset, axis, grid);
  if (lanes.length + plots.length === 0) return undefined;
  const untimed = marks.length - timed.length;
  const ticks = html`<div class="row axis"><span class="name"></span>${renderTicks(axis)}<span class="scale"></span></div>`;
  return html`<figure class="timeline">
${ticks}${lanes}${plots}${plots.length > 1 && ticks}
<figcaption>Duration ${formatClock(durationMs)}. ${lanes.length > 0 && html`<span class="on-screen">Select a mark to go to its issue. </span>`}${
    untimed > 0 &&
    `${formatCount(untimed, 'issue concerns', 'issues concern')} the whole file and ${untimed === 1 ? 'has' : 'have'} no mark.`
  }</figcaption>
</figure>`;
}

function renderLanes(
  severity: Severity,
  marks: Mark[],
  axis: TimeAxis,
  grid: Markup,
  anchorOf: (issue: Issue) => string,
): Markup {
  const lanes = packLanes(marks, axis);
  const { label, word } = severityRows[severity];
  const height = lanes.length * laneHeightPx;
  return html`<div class="row lane ${classOf(severity)}" data-severity="${severity}">
<span class="name">${severityIcon(severity)}<b>${label}</b></span>
<svg class="track" height="${height}" role="group" aria-label="${formatCount(marks.length, `${word} issue`)} over time">${grid}${lanes.map(
    (lane, i) => lane.map((mark) => renderMark(mark, i * laneHeightPx, axis, anchorOf(mark.issue))),
  )}</svg>
<span class="scale count">${countWithClosed(marks.map(({ issue }) => issue))}</span></div>`;
}

/** Places marks that would overlap, or cover each other’s number, in separate lanes, up to the maximum. */
function packLanes(marks: Mark[], axis: TimeAxis): LaneMark[][] {
  const lanes: { marks: LaneMark[]; end: number }[] = [];
  const startOf = ({ spans }: Mark) => spans[0]?.startMs ?? 0;
  for (const mark of marks.toSorted((a, b) => startOf(a) - startOf(b))) {
    const last = percentOf(axis, mark.spans.at(-1)?.endMs ?? 0);
    const end = last + labelPercent;
    const start = percentOf(axis, startOf(mark)) - (isAtEdge(last) ? labelPercent : 0);
    const free = lanes.find((lane) => lane.end <= start);
    const lane = free ?? (lanes.length >= lanesMax ? lanes.at(-1) : undefined);
    if (!lane) {
      lanes.push({ marks: [{ ...mark, isNumbered: true }], end });
      continue;
    }
    const before = lane.marks.at(-1);
    if (before && !free) before.isNumbered = false;
    lane.marks.push({ ...mark, isNumbered: lane === free });
    lane.end = Math.max(lane.end, end);
  }
  return lanes.map((lane) => lane.marks);
}

function renderMark({ issue, spans, isNumbered }: LaneMark, top: number, axis: TimeAxis, anchor: string): Markup {
  const { referenceNumber, ruleCode, severity } = issue;
  const when =
    spans.length === 1 && spans[0]
      ? formatSpanWithTimecode(spans[0], axis.frameRate)
      : formatCount(spans.length, 'location');
  const name = `Issue ${referenceNumber}, ${severityRows[severity].word}, ${ruleCode}, ${when}`;
  const y = top + (laneHeightPx - barHeightPx) / 2;
  const bars = spans.map((span) => {
    const { x, width } = positionOf(axis, span);
    const shape = html`y="${y}" height="${barHeightPx}" rx="2"`;
    return html`<rect class="hit" x="${x}%" y="${top}" width="24" height="${laneHeightPx}" transform="translate(-10)"/><rect class="bar" x="${x}%" width="${width}%" ${shape}/><rect class="bar" x="${x}%" width="${barWidthMinPx}" ${shape} transform="translate(-2)"/>`;
  });
  const last = positionOf(axis, spans.at(-1) as Span);
  const end = last.x + last.width;
  const first = positionOf(axis, spans[0] as Span);
  const middle = top + laneHeightPx / 2;
  const connector =
    spans.length > 1 && html`<line x1="${first.x}%" x2="${Number(end.toFixed(3))}%" y1="${middle}" y2="${middle}"/>`;
  const place = isAtEdge(end)
    ? html`x="${first.x}%" dx="-6" text-anchor="end"`
    : html`x="${Number(end.toFixed(3))}%" dx="7"`;
  const number = isNumbered && html`<text ${place} y="${top + 16}" aria-hidden="true">${referenceNumber}</text>`;
  return html`<a class="mark" href="#${anchor}"><title>${name}</title>${connector}${bars}${number}</a>`;
}

/** Near the end there is no space after a mark, so its number is placed before it. */
function isAtEdge(endPercent: number): boolean {
  return endPercent > 100 - labelPercent;
}
