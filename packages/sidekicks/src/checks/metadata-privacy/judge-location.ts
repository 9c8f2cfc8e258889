import type { PositionTrack } from '../../evidence/metadata-report.ts';
import { certain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { count } from '../../words.ts';
import { type Fact, type FactEvidence, preferFirstReader } from './facts.ts';
import {
  decimalsOf,
  isOnEarth,
  type Position,
  parseCoordinates,
  preciseDecimalsMin,
  readPositions,
} from './positions.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';
import { listLabels, near } from './words.ts';

const placeNames = new Set([
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
/** `Home Role=shooting Lat=…`, the box of 3GPP; ffmpeg leaves its name empty or as `(none)`. */
const namedInBox = /^(?!\(none\))\s{0,4}\S.{0,200}? Role=/s;

/** Where was it made? */
export function judgeLocation(facts: readonly Fact[], { metadata }: FactEvidence): Finding<RuleCode>[] {
  return [...judgePositions(readPositions(facts)), ...judgeTrack(metadata?.track ?? null), ...judgePlaceNames(facts)];
}

function judgePositions(positions: Position[]): Finding<RuleCode>[] {
  const finest = positions.reduce<Position | null>(
    (best, one) => (best && decimalsOf(best) >= decimalsOf(one) ? best : one),
    null,
  );
  if (!finest) return [];
  const measured = decimalsOf(finest);
  const facts = preferFirstReader(positions.flatMap((position) => position.facts));
  const isPrecise = measured >= preciseDecimalsMin;
  const how = isPrecise ? 'says exactly' : 'says roughly';
  return [
    certain(isPrecise ? 'META-POSITION' : 'META-POSITION-COARSE', {
      subject: 'position',
      summary: `The file ${how} where it was made: ${near(finest.latitude, finest.longitude)} (${listOf(facts)}). ${remedyFor(facts)}`,
      severityReasoning: `A position with ${count(measured, 'decimal')} of a degree in ${count(facts.length, 'tag')}; from ${preciseDecimalsMin} on it is a house or a street.`,
      measured,
      limit: preciseDecimalsMin - 1,
      unit: 'decimals',
    }),
  ];
}

function judgeTrack(track: PositionTrack | null): Finding<RuleCode>[] {
  if (!track) return [];
  const placed = track.samples.filter(isOnEarth);
  const first = placed[0];
  if (!first) return [];
  const measured = placed.reduce((most, sample) => Math.max(most, decimalsOf(sample)), 0);
  const { startMs, endMs } = track;
  return [
    certain(measured >= preciseDecimalsMin ? 'META-POSITION' : 'META-POSITION-COARSE', {
      subject: 'position track',
      summary: `The film carries the way that its camera took: ${count(track.sampleCount, 'position')}, the first ${near(first.latitude, first.longitude)}. Remove the track: ffmpeg -i IN -map 0:v -map 0:a -map_metadata -1 -c copy OUT.`,
      severityReasoning: `A track of positions with up to ${count(measured, 'decimal')} of a degree; from ${preciseDecimalsMin} on it is a house or a street.`,
      measured,
      limit: preciseDecimalsMin - 1,
      unit: 'decimals',
      locations: startMs === null || endMs === null ? [] : [{ kind: 'timeRange', startMs, endMs }],
    }),
  ];
}

function judgePlaceNames(all: readonly Fact[]): Finding<RuleCode>[] {
  const facts = preferFirstReader(
    all.filter(
      ({ name, value }) =>
        (placeNames.has(name) && !parseCoordinates(value, true)) ||
        (name === 'locationinformation' && namedInBox.test(value)),
    ),
  );
  if (facts.length === 0) return [];
  return [
    certain('META-PLACE-NAME', {
      subject: 'place name',
      summary: `The file names a place (${listOf(facts)}). Keep it if it is meant to be read. ${remedyFor(facts)}`,
      severityReasoning: `A town or something smaller is named in ${count(facts.length, 'tag')}.`,
      measured: facts.length,
      limit: 0,
      unit: 'tags',
    }),
  ];
}

const listOf = (facts: readonly Fact[]) => listLabels(facts.map(({ label }) => label));
