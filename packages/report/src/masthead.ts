import type { Submission } from '@assay/sdk';
import { renderFact } from './fact.ts';
import { renderFilename } from './files/filename.ts';
import { formatDateTime, formatList } from './format/format.ts';
import { html, type Markup } from './html.ts';
import { profilesOf } from './profiles.ts';
import type { Report } from './report.ts';
import { classOf, countBySeverity, isUnresolved, severities, severityIcon, severityRows } from './severity.ts';
import { countFiles, formatFileCounts } from './verdict/file-counts.ts';
import type { ReportVerdict, Tone } from './verdict/judge-report.ts';
import { gateOf } from './verdict/judgement.ts';

// Each tone has its own shape, so that colour is not the only difference.
const toneShapes: Record<Tone, string> = {
  failed: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
  unchecked: 'M7.5 12h9',
  review: 'M12 6.5v7M12 17v.5',
  waived: 'M6.5 10l3 3 5-6M7 17.5h10',
  passed: 'M7 12.5l3.5 3.5 6.5-8',
  unknown: 'M7.5 12h9',
};

/** The verdict, then what was submitted, when, and with which delivery profile. */
export function renderMasthead(report: Report, { tone, headline, sentences, counts }: ReportVerdict): Markup {
  const closed = countBySeverity(report.assets.flatMap(({ issues }) => issues.filter((one) => !isUnresolved(one))));
  const isCounted = !['unknown', 'unchecked'].includes(tone) || report.assets.some(({ issues }) => issues.length > 0);
  return html`<header class="masthead t-${tone}">
<p class="brand"><b>Assay</b> Compliance report</p>
<div class="verdict"><svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12"/><path d="${toneShapes[tone]}"/></svg>
<div><h1>${headline}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div></div>
${
  isCounted &&
  html`<ul class="tiles" aria-label="Issues by severity">${severities.map(
    (severity) =>
      html`<li class="${classOf(severity)}${counts[severity] === 0 ? ' none' : ''}"><b>${counts[severity]}</b><span>${severityIcon(severity)}${severityRows[severity].label}</span>${closed[severity] > 0 && html`<small>+ ${closed[severity]} closed</small>`}</li>`,
  )}</ul>`
}
<dl class="about">${renderAbout(report)}</dl>
</header>`;
}

function renderAbout(report: Report): Markup[] {
  const { submission, assets, rejected, baseUrl, serviceVersion } = report;
  const profiles = profilesOf(report);
  const item = renderFact;
  const names = [...assets.map(({ result }) => result.filename), ...rejected.map(({ filename }) => filename)];
  const only = names.length === 1 ? names[0] : undefined;
  return [
    only
      ? item('File', renderFilename(only))
      : item('Files', formatFileCounts(countFiles(report)).replace(/^(\d+) files/, '$1')),
    ...(submission
      ? [
          item('Submitted', renderTime(submission.createdAt)),
          item('Completed', submission.completedAt ? renderTime(submission.completedAt) : 'not yet'),
          item(profiles.length > 1 ? 'Delivery profiles' : 'Delivery profile', profiles.join('; ')),
          item('Gate', formatGateOf(submission, report.failOn)),
          item('Submission', html`<code>${submission.submissionId}</code>`),
        ]
      : []),
    item('Service', serviceVersion ? `${baseUrl}, version ${serviceVersion}` : baseUrl),
  ];
}

/** `MAJOR or above; Captions may be incomplete` */
function formatGateOf(submission: Submission, failOn: Report['failOn']): string {
  const gate = gateOf(submission, failOn);
  const instead = failOn ? `, instead of ${submission.profile.failOn}` : '';
  const allowed = formatList([...gate.allowIncomplete]);
  return `${gate.failOn} or above${instead}${allowed && `; may be incomplete: ${allowed}`}`;
}

function renderTime(iso: string): Markup {
  return html`<time datetime="${iso}">${formatDateTime(iso)}</time>`;
}
