import { formatCount } from '@assay/report/format/format.ts';
import { severities } from '@assay/report/severity.ts';
import type { Topics } from '@assay/sdk';
import { formatCompactIssues } from './changes-table.ts';
import { severityStyles } from './issue-table.ts';
import { type Output, stripControls } from './output.ts';
import { wrap } from './text-width.ts';

/** Topics and the issues that belong to none, the most severe first. */
export function formatTopics({ topics, orphanIssues, metadata }: Topics, output: Output): string {
  if (metadata.totalIssueCount === 0) return 'No issues.';
  const blocks = severities.flatMap((severity) => {
    const others = orphanIssues.filter((issue) => issue.severity === severity);
    return [
      ...topics.filter((topic) => topic.severity === severity).map((topic) => formatTopic(topic, output)),
      ...(others.length > 0 ? [`${output.paint('Other issues', 'bold')}\n${formatCompactIssues(others, output)}`] : []),
    ];
  });
  return blocks.join('\n\n');
}

function formatTopic({ title, summary, severity, issueCount, issues }: Topics['topics'][number], output: Output) {
  return [
    `${output.paint(severity, ...severityStyles[severity])}  ${output.paint(stripControls(title), 'bold')}  ${formatCount(issueCount, 'issue')}`,
    ...wrap(stripControls(summary), output.width() - 2).map((line) => `  ${line}`),
    formatCompactIssues(issues, output),
  ].join('\n');
}
