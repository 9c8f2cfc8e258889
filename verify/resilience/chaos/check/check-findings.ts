import type { Issues } from './history.ts';
import { type Finding, isWorkerDeath, type RunRecord, readsOf } from './run-record.ts';

/**
 * A file has the same issues regardless of which worker examined it and what was killed meanwhile, and they do not
 * change.
 */
export function checkFindings({ events }: RunRecord): Finding {
  const readings = events.filter(
    (event): event is Issues & ReportedIssues => event.op === 'issues' && 'issuesSha256' in event,
  );
  const byFile = Map.groupBy(readings, ({ filename }) => filename);
  const byAsset = Map.groupBy(readings, ({ client, place }) => `${client}/${place}`);
  const differing = [...byFile].flatMap(([filename, own]) => {
    const variants = [...Map.groupBy(own, ({ findingsSha256 }) => findingsSha256).values()];
    const tell = (same: (Issues & ReportedIssues)[]) =>
      `${same[0]?.ruleCodes?.join() || 'nothing'} (${same.length} times, client ${same[0]?.client})`;
    return variants.length > 1 ? [`${filename} has ${variants.map(tell).join(' and ')}`] : [];
  });
  const changed = [...byAsset].flatMap(([asset, own]) =>
    new Set(own.map(({ issuesSha256 }) => issuesSha256)).size > 1 ? [`the issues of asset ${asset} changed`] : [],
  );
  return { checked: readings.length, violations: [...differing, ...changed] };
}

type ReportedIssues = { issuesSha256: string; findingsSha256: string };

/** The number of workers that a deadly file may kill before it must fail. */
const deathsMax = 3;

export function checkDeadlyFiles({ clientRecords, events }: RunRecord): Finding {
  const deadly = clientRecords.filter(({ isDeadly }) => isDeadly);
  const violations = deadly.flatMap((record) => {
    const last = readsOf(record).at(-1)?.seen.assets[0]?.outcome ?? 'never finished';
    const isRight = last === 'failed, resource_limit_exceeded';
    return isRight ? [] : [`client ${record.client}: the file that kills its worker was ${last}`];
  });
  const deaths = events.filter(isWorkerDeath).length;
  const allowed = deadly.length * deathsMax;
  if (deaths > allowed) violations.push(`${deaths} workers were killed by files; at most ${allowed} allowed`);
  return { checked: deadly.length, violations };
}
