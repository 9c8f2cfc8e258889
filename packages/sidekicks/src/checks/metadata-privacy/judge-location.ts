import type { PositionTrack } from '#evidence/file/metadata/metadata-report.ts';
import { formatCount } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { type FormatTime, timeFormatFor } from '#sidekick/timecode.ts';
import { isCredit } from './credits.ts';
import { type Fact, type FactEvidence, preferFirstReader } from './facts.ts';
import { listLabels, maskPosition } from './mask.ts';
import {
  decimalsOf,
  isValidPosition,
  type Position,
  parseCoordinates,
  preciseDecimalsMin,
  readPositions,
} from './positions.ts';
import { remedyFor, remuxCommand } from './remedy.ts';
import type { RuleCode } from './rules.ts';

const placeNameTags = new Set([
  'city',
  'sublocation',
  'location',
  'locationname',
  'contentlocationname',
  'locationcreatedcity',
  'locationcreatedsublocation',
  'locationcreatedlocationname',
  'locationshowncity',
  'locationshownsublocation',
  'locationshownlocationname',
]);
/** A 3GPP location box with a place name: `Home Role=shooting Lat=…`. ffmpeg writes no place name, or `(none)`. */
const placeNameInBox = /^(?!\(none\))\s{0,4}\S.{0,200}? Role=/s;

const precisionReason = `${preciseDecimalsMin} or more decimals identify a building or a street`;

/** Reports metadata that reveals where the file was made. */
export function judgeLocation(facts: readonly Fact[], { metadata, probe }: FactEvidence): Finding<RuleCode>[] {
  return [
    ...judgePositions(readPositions(facts), facts),
    ...judgeTrack(metadata?.track ?? null, facts, timeFormatFor(probe)),
    ...judgePlaceNames(facts),
  ];
}

function judgePositions(positions: Position[], all: readonly Fact[]): Finding<RuleCode>[] {
  const finest = positions.reduce<Position | null>(
    (best, one) => (best && decimalsOf(best) >= decimalsOf(one) ? best : one),
    null,
  );
  if (!finest) return [];
  const measured = decimalsOf(finest);
  const facts = preferFirstReader(positions.flatMap((position) => position.facts));
  const isPrecise = measured >= preciseDecimalsMin;
  return [
    certainFinding(isPrecise ? 'META-POSITION' : 'META-POSITION-COARSE', {
      subject: 'position',
      summary: `Contains ${isPrecise ? 'precise' : 'approximate'} GPS coordinates (${maskPosition(finest.latitude, finest.longitude)}) in ${listLabelsOf(facts)}. ${remedyFor(facts, all)}`,
      severityReasoning: `Coordinates with ${formatCount(measured, 'decimal')} in ${formatCount(facts.length, 'tag')}; ${precisionReason}`,
      measured,
      limit: preciseDecimalsMin - 1,
      unit: 'decimals',
    }),
  ];
}

function judgeTrack(track: PositionTrack | null, all: readonly Fact[], formatTime: FormatTime): Finding<RuleCode>[] {
  if (!track) return [];
  const valid = track.samples.filter(isValidPosition);
  const first = valid[0];
  if (!first) return [];
  const measured = valid.reduce((most, sample) => Math.max(most, decimalsOf(sample)), 0);
  const { startMs, endMs } = track;
  const credits = all.filter((fact) => isCredit(fact, all));
  const isTimed = startMs !== null && endMs !== null;
  const when = isTimed ? ` from ${formatTime(startMs / 1000)} to ${formatTime(endMs / 1000)}` : '';
  return [
    certainFinding(measured >= preciseDecimalsMin ? 'META-POSITION' : 'META-POSITION-COARSE', {
      subject: 'position track',
      summary: `Contains a GPS track with ${formatCount(track.sampleCount, 'position')}${when}, the first one ${maskPosition(first.latitude, first.longitude)}. Remove the track: ${remuxCommand('-map 0:v -map 0:a', credits)}`,
      severityReasoning: `Coordinates with up to ${formatCount(measured, 'decimal')}; ${precisionReason}`,
      measured,
      limit: preciseDecimalsMin - 1,
      unit: 'decimals',
      locations: isTimed ? [{ kind: 'timeRange', startMs, endMs }] : [],
    }),
  ];
}

function judgePlaceNames(all: readonly Fact[]): Finding<RuleCode>[] {
  const facts = preferFirstReader(
    all.filter(
      ({ name, value }) =>
        (placeNameTags.has(name) && !parseCoordinates(value, true)) ||
        (name === 'locationinformation' && placeNameInBox.test(value)),
    ),
  );
  if (facts.length === 0) return [];
  return [
    certainFinding('META-PLACE-NAME', {
      subject: 'place name',
      summary: `Contains a place name (${listLabelsOf(facts)}), which may be intended. ${remedyFor(facts, all)}`,
      severityReasoning: `A town or a smaller place is named in ${formatCount(facts.length, 'tag')}`,
      measured: facts.length,
      limit: 0,
      unit: 'tags',
    }),
  ];
}

const listLabelsOf = (facts: readonly Fact[]) => listLabels(facts.map(({ label }) => label));
