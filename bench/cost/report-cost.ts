import { formatTable } from '@assay/testing/measure/table.ts';
import { type Cost, type Measured, type MeasuredCase, type Resource, resources } from './measured.ts';

export const pollMillis = 100;

/** What the worker's CPU time says about the tools that read media. */
export const toolTimes: Record<Measured['toolJail'], string> = {
  landlock: 'It includes their tools, which ran in the Landlock jail.',
  bubblewrap:
    '**The CPU time of their tools is missing**, because they ran in bubblewrap: that of images, sound and video is too low.',
};

/** The report in Markdown. */
export function formatCosts({ date, command, machine, toolJail, versions, cases, requests }: Measured): string {
  const parts = Object.entries(versions).map((entry) => entry.join(' '));
  const requestRows = [
    { request: 'POST /uploads/url', ...costCells(requests.uploadUrl) },
    { request: 'GET /submissions/{id}', ...costCells(requests.readSubmission) },
  ];
  return `# What one submission costs

\`${command}\`, ${date}: means of 5 to 20 submissions, one after another.
Machine: ${machine}. ${parts.join(', ')}.

${formatTable(cases.map(caseCells))}

Assets are small text files checked by File safety, if nothing else is said; the other files are checked by all default
checks. Sandbox has no delay. CPU is in milliseconds, from the request to the end, minus the idle load of the parts; that
of the worker includes the processes that examine files. ${toolTimes[toolJail]}
Time is the median until the submission is finished, polled every ${pollMillis} ms.

Requests that callers send besides, eight at a time:

${formatTable(requestRows)}

## In the database

${formatTable(cases.map(databaseCells))}

SQL counts every statement, including \`begin\` and \`commit\`; “engine SQL” is what Temporal sends to its own databases,
which are on the same server. SQL ms is how long statements ran. WAL is the write-ahead log of the whole server without
images of pages; a page is written whole once after each checkpoint, so a short run writes more of them per submission.
The WAL of statements includes these images, and no commits: its two columns only say how much of the log is the engine's.
History is that of the run in Temporal. Evidence is the stills and measurements of one submission.`;
}

const inDatabase: readonly Resource[] = [
  ...(['statements', 'engineStatements', 'sqlMillis', 'engineSqlMillis', 'commits'] as const),
  ...(['walBytes', 'pageImageBytes', 'statementWalBytes', 'engineStatementWalBytes'] as const),
];

function caseCells({ name, millis, cost }: MeasuredCase): Record<string, string> {
  return { submission: name, 'time ms': millis.toFixed(0), ...costCells(cost) };
}

function databaseCells({ name, historyEvents, historyBytes, evidenceBytes, cost }: MeasuredCase) {
  return {
    submission: name,
    ...cellsOf(cost, (resource) => inDatabase.includes(resource)),
    'history events': historyEvents.toFixed(1),
    'history kB': (historyBytes / 1000).toFixed(1),
    'evidence kB': (evidenceBytes / 1000).toFixed(1),
  };
}

const costCells = (cost: Cost) => cellsOf(cost, (resource) => !inDatabase.includes(resource));

function cellsOf(cost: Cost, isShown: (resource: Resource) => boolean): Record<string, string> {
  const shown = (Object.keys(resources) as Resource[]).filter(isShown);
  return Object.fromEntries(
    shown.map((name) => [resources[name].heading, (cost[name] / resources[name].per).toFixed(1)]),
  );
}
