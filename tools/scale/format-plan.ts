import { formatCount } from '@assay/report/format/format.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { fileKinds, type Measured } from '#bench/cost/measured.ts';
import { toolTimes } from '#bench/cost/report-cost.ts';
import { type Assumptions, assumptionNames, assumptions, readAssumptions } from './assumptions.ts';
import { type Growth, type Limit, type Plan, planScale } from './plan.ts';
import { type Prices, priceItems } from './prices.ts';

const count = (value: number) => Math.ceil(value).toLocaleString('en-GB');
const counted = (value: number, one: string, many?: string) => formatCount(Math.ceil(value), one, many);
/** Three significant digits, without an exponent. */
export function formatNumber(value: number): string {
  if (value >= 1000) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
const bytes = (value: number) => {
  const unit = [...byteUnits].reverse().find(({ size }) => value >= size) ?? byteUnits[0];
  return `${formatNumber(value / unit.size)} ${unit.name}`;
};
const byteUnits = [
  { name: 'B', size: 1 },
  { name: 'kB', size: 1e3 },
  { name: 'MB', size: 1e6 },
  { name: 'GB', size: 1e9 },
  { name: 'TB', size: 1e12 },
  { name: 'PB', size: 1e15 },
] as const;
const percent = (share: number) => `${Math.round(share * 100)} %`;

type Inputs = { measured: Measured; growth: Growth | undefined };

/** Which measurements a plan is computed from. */
function formatSources({ measured, growth }: Inputs): string {
  return [
    `Costs: \`${measured.command}\`, ${measured.date}, ${measured.machine} (bench/cost/measured.json).`,
    `CPU of worker includes the processes that examine files. ${toolTimes[measured.toolJail]}`,
    growth
      ? `Tables: \`${growth.command}\`, ${growth.date}, ${count(growth.submissions)} submissions (bench/growth/growth.json).`
      : 'Tables: not measured, because there is no bench/growth/growth.json: the rows of the tables are missing from the data in PostgreSQL.',
  ].join('\n');
}

function formatAssumptions(chosen: Assumptions): string {
  return formatTable(
    assumptionNames.map((name) => ({
      option: `--${name}`,
      value: chosen[name].toLocaleString('en-GB', { maximumFractionDigits: 6 }),
      unit: assumptions[name].unit,
      meaning: assumptions[name].meaning,
    })),
  );
}

function formatEach({ each, chosen }: Plan): string {
  const { cost } = each;
  return formatTable([
    ...(['worker', 'api', 'postgres', 'temporal', 'redis'] as const).map((part) => ({
      'one submission costs': `CPU of ${part}`,
      amount: `${formatNumber(cost[`${part}Millis`])} ms`,
    })),
    ...fileKinds
      .filter((kind) => chosen[kind] > 0)
      .map((kind) => ({
        'one submission costs': `CPU of worker, if the file is ${kind}`,
        amount: `${formatNumber(each.workerMillisByKind[kind])} ms`,
      })),
    { 'one submission costs': 'commits', amount: formatNumber(cost.commits) },
    { 'one submission costs': 'log of PostgreSQL', amount: bytes(cost.walBytes) },
    { 'one submission costs': 'events of Temporal', amount: formatNumber(each.historyEvents) },
    { 'one submission costs': 'history in Temporal', amount: bytes(each.historyBytes) },
    { 'one submission costs': 'stills and measurements', amount: bytes(each.evidenceBytes) },
    { 'one submission costs': 'media in storage', amount: bytes(each.mediaBytes) },
  ]);
}

function formatNeeds(plan: Plan): string {
  const { cores, rates, processes, database, temporal, storage, machines, chosen, cells } = plan;
  const cpu = (part: keyof Plan['cores']) => counted(cores[part], 'core');
  const rows: [string, string][] = [
    [
      'submissions',
      `${formatNumber(rates.submissionsPerSecond)} a second, ${formatNumber(rates.peakPerSecond)} at the peak`,
    ],
    [
      'workers',
      `${cpu('worker')}: ${counted(processes.worker, 'process', 'processes')} on ${counted(machines.worker, 'machine')} of ${counted(chosen['machine-cores'], 'core')}`,
    ],
    ['API', `${cpu('api')}: ${counted(processes.api, 'process', 'processes')} on ${counted(machines.api, 'machine')}`],
    [
      'Temporal',
      `${cpu('temporal')}: ${counted(machines.temporal, 'machine')}; ${formatNumber(temporal.startsPerSecond)} starts/s, ${formatNumber(temporal.eventsPerSecond)} events/s`,
    ],
    [
      'PostgreSQL',
      `${cpu('postgres')}, and ${percent(database.engineStatementShare)} of the statements are Temporal’s; ${count(processes.connections)} connections`,
    ],
    ['its commits', `${formatNumber(database.commitsPerSecond)} a second`],
    [
      'its log',
      `${bytes(database.walBytesPerSecond)}/s at the peak, of which Temporal ${percent(database.engineWalShare)}; ${bytes(database.walBytesPerDay)} a day`,
    ],
    [
      'its tables',
      database.tableBytes === undefined
        ? 'not measured'
        : `${bytes(database.tableBytes)} after ${chosen['results-days']} days`,
    ],
    ['stills and measurements', `${bytes(database.evidenceBytes)} after ${chosen['results-days']} days`],
    ['histories of Temporal', bytes(database.historyBytes)],
    ['Redis', cpu('redis')],
    [
      'storage',
      `${formatNumber(storage.objects / 1e6)} million objects, ${bytes(storage.bytes)} after ${chosen['media-days']} days`,
    ],
    [
      'its traffic',
      `${formatNumber(storage.inBitsPerSecond / 1e9)} Gb/s in and out each, ${formatNumber(rates.storageRequestsPerSecond)} requests/s, at the peak`,
    ],
    ['webhooks', `${formatNumber(rates.webhooksPerSecond)} a second at the peak`],
    [
      'cells',
      `${count(cells)}: ${counted(machines.postgresServers, 'PostgreSQL server')} with standbys, ${count(machines.redisServers)} Redis`,
    ],
  ];
  return formatTable(rows.map(([what, needed]) => ({ what, needed })));
}

function formatLimits(limits: Limit[]): string {
  return formatTable(
    limits.map(({ name, unit, needed, carries, reachedPerDay, needsCell }) => ({
      limit: name,
      'one carries': `${formatNumber(carries)} ${unit}`,
      needed: formatNumber(needed),
      'full at submissions a day': formatNumber(reachedPerDay),
      'what is added': needsCell ? 'a cell' : 'a machine or process',
    })),
  );
}

/** How much the duration of a video matters, which is the assumption that matters most. */
function formatDurations({ measured, growth }: Inputs, chosen: Assumptions): string {
  const seconds = [...new Set([10, 30, 120, 600, 1800, chosen['video-seconds']])].toSorted((a, b) => a - b);
  return formatTable(
    seconds.map((duration) => {
      const { cores, storage, machines } = planScale(measured, { ...chosen, 'video-seconds': duration }, growth);
      return {
        'seconds of a video': String(duration),
        'worker cores': count(cores.worker),
        'worker machines': count(machines.worker),
        'media in storage': bytes(storage.bytes),
      };
    }),
  );
}

function formatPrices(plan: Plan, prices: Prices): string {
  const items = priceItems(plan, prices);
  const amount = (value: number) => `${count(value)} ${prices.currency}`;
  const rows = items.map(({ name, unit, quantity, price, perMonth, source, date }) => ({
    price: name,
    'a month': amount(perMonth),
    quantity: `${formatNumber(quantity)} ${unit}`,
    each: `${price} ${prices.currency}`,
    source: `${source}, ${date}`,
  }));
  const total = items.reduce((sum, { perMonth }) => sum + perMonth, 0);
  const last = { price: 'sum of these', 'a month': amount(total), quantity: '', each: '', source: '' };
  return `${formatTable([...rows, last])}\n\nMachines are priced as if they ran all day for the peak. Traffic, backups and support are not included.`;
}

/** The whole plan, as it is printed. */
export function formatPlan(inputs: Inputs, chosen: Assumptions, prices?: Prices): string {
  const plan = planScale(inputs.measured, chosen, inputs.growth);
  return [
    `Assumptions; each is an option\n\n${formatAssumptions(chosen)}`,
    formatSources(inputs),
    formatEach(plan),
    formatNeeds(plan),
    `Limits, in the order in which they are reached\n\n${formatLimits(plan.limits)}`,
    ...(prices ? [formatPrices(plan, prices)] : []),
  ].join('\n\n');
}

/** The sections of docs/operate/scale.md that are computed, for the default assumptions. */
export function formatPageBlocks(
  inputs: Inputs,
): Record<'sources' | 'each' | 'needs' | 'durations' | 'limits' | 'assumptions', string> {
  const chosen = readAssumptions();
  const plan = planScale(inputs.measured, chosen, inputs.growth);
  return {
    sources: formatSources(inputs),
    each: formatEach(plan),
    needs: formatNeeds(plan),
    durations: formatDurations(inputs, chosen),
    limits: formatLimits(plan.limits),
    assumptions: formatAssumptions(chosen),
  };
}
