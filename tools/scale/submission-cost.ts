import {
  type Cost,
  type FileKind,
  fileKinds,
  type Measured,
  type MeasuredCase,
  mapCost,
} from '#bench/cost/measured.ts';
import { type Assumptions, shareOf } from './assumptions.ts';

/** What one submission of the assumed mix costs and stores. */
export type SubmissionCost = {
  /** CPU milliseconds, statements and log, with the requests and deliveries around it. */
  cost: Cost;
  workerMillisByKind: Record<FileKind, number>;
  historyEvents: number;
  historyBytes: number;
  /** Stills and measurements in the database. */
  evidenceBytes: number;
  mediaBytes: number;
};

/** The costs that grow with the duration of a file. For a longer file than was measured this is an upper bound. */
const growsWithDuration: readonly string[] = ['workerMillis', 'storageMillis'];

const add = (...costs: Cost[]): Cost => costs.reduce((sum, one) => mapCost(sum, (value, name) => value + one[name]));
const times = (cost: Cost, factor: number): Cost => mapCost(cost, (value) => value * factor);
/** What the first costs more than the second. Noise could make a difference negative. */
const minus = (cost: Cost, less: Cost): Cost => mapCost(cost, (value, name) => Math.max(0, value - less[name]));

/**
 * A submission costs a fixed part, a part for each asset, and what each kind of file costs more than a small text. The
 * first two follow from submissions with one and with many small texts.
 */
export function submissionCost(measured: Measured, chosen: Assumptions): SubmissionCost {
  const texts = measured.cases.filter(
    ({ mode, checks, deliveryCount }) => mode === 'live' && checks !== 'default' && deliveryCount === 0,
  );
  const one = require(texts.find(({ assetCount }) => assetCount === 1), 'with one text');
  const many = require(texts.find(({ assetCount }) => assetCount > 1), 'with several texts');
  const delivered = require(measured.cases.find(({ deliveryCount }) => deliveryCount === 1), 'with one webhook');

  const perAsset = times(minus(many.cost, one.cost), 1 / (many.assetCount - one.assetCount));
  const perSubmission = minus(one.cost, perAsset);
  const history = {
    events: linear(one.historyEvents, many.historyEvents, many.assetCount, chosen.assets),
    bytes: linear(one.historyBytes, many.historyBytes, many.assetCount, chosen.assets),
  };
  const files = fileKinds.map((kind) => fileCost(measured, kind, one, chosen));
  const perFile = files.reduce(
    (sum, file) => add(sum, times(file.more, shareOf(chosen, file.kind))),
    times(one.cost, 0),
  );
  const meanOf = (value: (file: FileCost) => number) =>
    files.reduce((sum, file) => sum + value(file) * shareOf(chosen, file.kind), 0);
  return {
    cost: add(
      perSubmission,
      times(add(perAsset, perFile, measured.requests.uploadUrl), chosen.assets),
      times(minus(delivered.cost, one.cost), chosen.assets * chosen.webhooks),
      times(measured.requests.readSubmission, chosen.reads),
    ),
    workerMillisByKind: Object.fromEntries(
      files.map(({ kind, more }) => [kind, perSubmission.workerMillis + perAsset.workerMillis + more.workerMillis]),
    ) as Record<FileKind, number>,
    historyEvents: history.events,
    historyBytes: history.bytes,
    evidenceBytes: meanOf(({ evidenceBytes }) => evidenceBytes) * chosen.assets,
    mediaBytes: meanOf(({ bytes }) => bytes) * chosen.assets,
  };
}

type FileCost = { kind: FileKind; more: Cost; bytes: number; evidenceBytes: number };

function fileCost(measured: Measured, kind: FileKind, text: MeasuredCase, chosen: Assumptions): FileCost {
  if (kind === 'text') return { kind, more: times(text.cost, 0), bytes: text.fileBytes, evidenceBytes: 0 };
  const found = measured.cases.find((one) => one.kind === kind && one.checks === 'default');
  const { cost, fileBytes, fileSeconds, evidenceBytes } = require(found, `of the kind ${kind}`);
  const factor = fileSeconds && kind in durations ? chosen[durations[kind as keyof typeof durations]] / fileSeconds : 1;
  return {
    kind,
    more: mapCost(minus(cost, text.cost), (value, name) => value * (growsWithDuration.includes(name) ? factor : 1)),
    bytes: fileBytes * factor,
    evidenceBytes: evidenceBytes * factor,
  };
}

const durations = { audio: 'audio-seconds', video: 'video-seconds' } as const;

/** The value for `count`, on the line through the values for 1 and for `manyCount`. */
function linear(one: number, many: number, manyCount: number, count: number): number {
  return one + ((many - one) / (manyCount - 1)) * (count - 1);
}

function require(found: MeasuredCase | undefined, what: string): MeasuredCase {
  if (!found) throw new Error(`bench/cost/measured.json has no live submission ${what}: run pnpm bench cost --write`);
  return found;
}
