import { createHash } from 'node:crypto';
import { renderAsset } from './asset-section.ts';
import { formatMoment } from './format.ts';
import { html, type Markup, raw, textOf } from './html.ts';
import { renderMasthead } from './masthead.ts';
import type { Report } from './report.ts';
import { script } from './script.ts';
import { classOf, countBySeverity, severities, severityIcon, severityRows } from './severity.ts';
import { styles } from './styles.ts';
import { renderSummary } from './summary-table.ts';
import { judgeReport } from './verdict.ts';

/** With more assets than this, what happened over time is folded. */
const unfoldedAssetsMax = 8;

/** The report as one file that asks nobody for anything: to be opened, printed and passed on. */
export function renderReport(report: Report): string {
  const verdict = judgeReport(report);
  const { assets, submission, generatedAt } = report;
  const anchorOf = (index: number) => `a${index + 1}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${verdict.headline} · ${titleOf(report)}</title>
<style>${raw(styles)}</style>
</head>
<body>
${renderMasthead(report, verdict)}
<main>
${assets.length > 1 && renderSummary(assets, anchorOf)}
${renderFilters(report)}
${assets.map((asset, i) => renderAsset({ asset, anchor: anchorOf(i), isFolded: assets.length > unfoldedAssetsMax }))}
</main>
<footer><p>Made on ${formatMoment(generatedAt)} by Assay from submission <code>${submission.submissionId}</code>. Times count from the start of a file. What a check cannot see, it cannot find: this report does not replace the judgement of a person.</p></footer>
<script>${raw(script)}</script>
</body>
</html>
`;
  return textOf(page);
}

const policy = [
  "default-src 'none'",
  `style-src '${hashOf(styles)}'`,
  `script-src '${hashOf(script)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function titleOf({ assets, submission }: Report): string {
  const only = assets.length === 1 ? assets[0]?.result.filename : undefined;
  return `${only ?? `${assets.length} files`} · submission ${submission.submissionId}`;
}

/** Hidden until the script has come to life: a button that does nothing is worse than none. */
function renderFilters({ assets }: Report): Markup | undefined {
  const counts = countBySeverity(assets.flatMap(({ issues }) => issues));
  const present = severities.filter((severity) => counts[severity] > 0);
  if (present.length < 2) return undefined;
  return html`<div class="filters" role="group" aria-label="Show findings by severity" hidden><span>Show</span>${present.map(
    (severity) =>
      html`<button type="button" aria-pressed="true" value="${severity}" class="${classOf(severity)}">${severityIcon(severity)}${severityRows[severity].label} <b>${counts[severity]}</b></button>`,
  )}<output></output></div>`;
}
