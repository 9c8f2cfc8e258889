import { formatBytes, formatClock, formatCount } from '@assay/report/format/format.ts';
import type { AssetStatus } from '@assay/sdk';
import stringWidth from 'string-width';
import { type Output, type Style, stripControls } from './output.ts';
import { padEnd, truncateEnd, truncateMiddle } from './text-width.ts';

type Layout = { nameWidth: number; barWidth: number };
type Phase = 'waiting' | 'uploading' | 'submitted' | 'analysing' | 'complete' | 'failed';
type Row = {
  name: string;
  phase: Phase;
  sizeBytes: number;
  sentBytes: number;
  percent: number;
  note: string;
  isClean: boolean;
  since: number;
};
type Change = Partial<Pick<Row, 'phase' | 'sentBytes' | 'percent' | 'note' | 'isClean'>>;
export type Progress = {
  add(name: string, sizeBytes: number): (change: Change) => void;
  end(): void;
};

const redrawIntervalMs = 100;
/** The interval of summary lines if the output is not a terminal. */
const logIntervalMs = 10_000;
const spinner = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const phaseMarks: Partial<Record<Phase, [string, Style]>> = { complete: ['✓', 'green'], failed: ['✗', 'red'] };

/** The mark of a file with issues, which is neither a success nor a failure. */
const withIssuesMark: [string, Style] = ['•', 'yellow'];

/** Shows the progress of each file on stderr: redrawn in place on a terminal, elsewhere as occasional lines. */
export function createProgress(output: Output, rowsMax = () => process.stderr.rows || 24): Progress {
  const rows: Row[] = [];
  const startedAt = Date.now();
  let drawnLines = 0;
  let tick = 0;
  const draw = () => {
    tick += 1;
    const shown = visibleRows(rows, rowsMax() - 3);
    const layout = layoutOf(shown, output.width());
    const lines = shown.map((row) => formatRow(row, layout, tick, output));
    lines.push(output.paint(`  ${formatSummary(rows)}, ${formatClock(Date.now() - startedAt, 0)}`, 'dim'));
    output.write(`${clearDrawnLines(drawnLines)}${lines.join('\n')}\n`);
    drawnLines = lines.length;
  };
  const timer = output.isTerminal
    ? setInterval(draw, redrawIntervalMs)
    : setInterval(
        () => output.line(`${formatSummary(rows)}, ${formatClock(Date.now() - startedAt, 0)}`),
        logIntervalMs,
      );
  timer.unref();
  return {
    add(name, sizeBytes) {
      const row: Row = {
        name: stripControls(name),
        phase: 'waiting',
        sizeBytes,
        sentBytes: 0,
        percent: 0,
        note: '',
        isClean: true,
        since: Date.now(),
      };
      rows.push(row);
      return (change) => {
        const isNew = change.phase !== undefined && change.phase !== row.phase;
        Object.assign(row, change, isNew ? { since: Date.now() } : {});
        if (isNew && !output.isTerminal && phaseMarks[row.phase])
          output.line(`${row.name}: ${stripControls(row.note) || row.phase}`);
      };
    },
    end() {
      clearInterval(timer);
      if (output.isTerminal) output.write(clearDrawnLines(drawnLines));
    },
  };
}

/** Returns the change to a file’s row that results from the status of its asset. */
export function progressOf({ status, progressPercent, issueCount, errorMessage }: AssetStatus): Change {
  if (status === 'processing') return { phase: 'analysing', percent: progressPercent };
  if (status === 'failed') return { phase: 'failed', note: `failed: ${errorMessage}` };
  if (status !== 'complete') return { phase: status === 'submitted' ? 'submitted' : 'waiting' };
  return { phase: 'complete', note: issueNote(issueCount), isClean: issueCount === 0 };
}

function issueNote(issueCount: number | null): string {
  if (issueCount === null) return 'not analysed (sandbox key)';
  return issueCount === 0 ? 'no issues' : formatCount(issueCount, 'issue');
}

/** Moves the cursor to the first drawn line and clears everything below. */
function clearDrawnLines(lines: number): string {
  return lines > 0 ? `\x1b[${lines}A\r\x1b[J` : '';
}

/** Returns the rows that fit on the screen, chosen in this order of phases. */
function visibleRows(rows: Row[], countMax: number): Row[] {
  if (rows.length <= countMax) return rows;
  const rank: Record<Phase, number> = { uploading: 0, analysing: 1, failed: 2, submitted: 3, waiting: 4, complete: 5 };
  const first = rows.toSorted((a, b) => rank[a.phase] - rank[b.phase]).slice(0, Math.max(1, countMax));
  return rows.filter((row) => first.includes(row));
}

function formatSummary(rows: Row[]): string {
  const count = (...phases: Phase[]) => rows.filter(({ phase }) => phases.includes(phase)).length;
  const sent = rows.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const total = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const uploaded = sent < total ? `${formatBytes(sent)} of ${formatBytes(total)} uploaded, ` : '';
  const failed = count('failed') > 0 ? `, ${count('failed')} failed` : '';
  return `${uploaded}${count('complete')} of ${rows.length} analysed${failed}`;
}

function formatRow(row: Row, { nameWidth, barWidth }: Layout, tick: number, output: Output): string {
  const active: [string, Style] = [row.phase === 'waiting' ? '·' : (spinner[tick % spinner.length] ?? ''), 'cyan'];
  const [mark, style] = row.phase === 'complete' && !row.isClean ? withIssuesMark : (phaseMarks[row.phase] ?? active);
  const name = padEnd(truncateMiddle(row.name, nameWidth), nameWidth);
  const share = shareOf(row);
  const percent = `${Math.floor((share ?? 0) * 100)} %`.padStart(5);
  const bar = share === undefined ? '' : `${formatBar(share, barWidth, output)} ${percent}  `;
  const used = 4 + nameWidth + 2 + (share === undefined ? 0 : barWidth + 8);
  // The last column stays empty, because some terminals wrap after a full line.
  const words = truncateEnd(statusTextOf(row), Math.max(8, output.width() - 1 - used));
  const isQueued = row.phase === 'waiting' || row.phase === 'submitted';
  return `  ${output.paint(mark, style)} ${name}  ${bar}${isQueued ? output.paint(words, 'dim') : words}`;
}

/** The name column fits the longest name up to a third of the line; bars take the rest. */
function layoutOf(rows: Row[], width: number): Layout {
  const widest = Math.max(12, ...rows.map(({ name }) => stringWidth(name)));
  const nameWidth = Math.min(widest, Math.max(16, Math.floor(width * 0.34)));
  return { nameWidth, barWidth: Math.max(8, Math.min(30, width - nameWidth - 42)) };
}

/** The share for the progress bar; undefined for a file sent in one request, whose progress is unknown. */
function shareOf({ phase, sentBytes, sizeBytes, percent }: Row): number | undefined {
  if (phase === 'analysing') return percent / 100;
  return phase === 'uploading' && sentBytes > 0 && sizeBytes > 0 ? sentBytes / sizeBytes : undefined;
}

function statusTextOf(row: Row): string {
  const { phase, sentBytes, sizeBytes, since, note } = row;
  const seconds = (Date.now() - since) / 1000;
  const clock = formatClock(seconds * 1000, 0);
  switch (phase) {
    case 'uploading':
      if (sentBytes === 0 || seconds < 0.5) return `uploading ${formatBytes(sizeBytes)}`;
      return `${formatBytes(sizeBytes)}, ${formatBytes(sentBytes / seconds)}/s, ${timeLeft(row, seconds)}`;
    case 'analysing':
      return `analysing for ${clock}`;
    case 'submitted':
      return `queued for ${clock}`;
    case 'waiting':
      return note || formatBytes(sizeBytes);
    default:
      return stripControls(note);
  }
}

function timeLeft({ sentBytes, sizeBytes }: Row, seconds: number): string {
  if (sentBytes >= sizeBytes) return 'finishing';
  return `${formatClock(((sizeBytes - sentBytes) / sentBytes) * seconds * 1000, 0)} left`;
}

function formatBar(share: number, width: number, output: Output): string {
  const full = Math.round(Math.min(1, share) * width);
  return output.paint('━'.repeat(full), 'cyan') + output.paint('─'.repeat(width - full), 'dim');
}
