import type { Fact } from './facts.ts';

export type Position = { latitude: number; longitude: number; facts: Fact[] };

/** From this many decimals on, a position identifies a building or a street: 0.001° is 111 m. */
export const preciseDecimalsMin = 3;
const decimalsShownMax = 7;
/** Tolerance for formats that store positions in steps of 1/65536 of a degree. */
const stepDegrees = 2e-5;

const iso6709 =
  /^([+-]\d{2}(?:\d{2}){0,2}(?:\.\d{1,15})?)([+-]\d{3}(?:\d{2}){0,2}(?:\.\d{1,15})?)(?:[+-]\d{1,7}(?:\.\d{1,9})?)?(?:CRS[\w:]{0,40})?\/?$/;
const decimalPair =
  /^(?:geo:)?\s{0,4}([+-]?\d{1,2}(?:\.\d{1,15})?)\s{0,4}[,;\s]\s{0,4}([+-]?\d{1,3}(?:\.\d{1,15})?)(?:[,;\s].{0,40})?$/s;
const namedPair = /\bLat=([+-]?\d{1,2}(?:\.\d{1,15})?) Lon=([+-]?\d{1,3}(?:\.\d{1,15})?)/;
const positionTagName =
  /^(?:gps(?:coordinates|position)|geo(?:location|tag|position)?|location(?:information|iso6709)?|coordinates)$/;

/** The positions among the facts, in any tag and notation. */
export function readPositions(facts: readonly Fact[]): Position[] {
  return [...readPairs(facts), ...facts.flatMap(readText)].filter(isValidPosition);
}

/** Latitude and longitude of a position are two tags of one group, whose names differ only in that word. */
function readPairs(facts: readonly Fact[]): Position[] {
  const halves = new Map<string, { latitude: Fact[]; longitude: Fact[] }>();
  const hemispheres = new Map(
    facts.filter(({ name }) => name.endsWith('ref')).map((fact) => [tagKeyOf(fact), fact.value]),
  );
  const degrees = (fact: Fact) => {
    const isSouthOrWest = /^[SW]/.test(hemispheres.get(tagKeyOf(fact, 'ref')) ?? '');
    return isSouthOrWest ? -Math.abs(Number(fact.value)) : Number(fact.value);
  };
  for (const fact of facts) {
    const [, before, half] = /^(.*gps.*)(latitude|longitude)$/.exec(fact.name) ?? [];
    if (!half || !Number.isFinite(Number(fact.value))) continue;
    const key = `${fact.family}:${fact.group}:${before}`;
    const pair = halves.get(key) ?? { latitude: [], longitude: [] };
    pair[half as keyof typeof pair].push(fact);
    halves.set(key, pair);
  }
  return [...halves.values()].flatMap(({ latitude, longitude }) =>
    latitude.flatMap((north, i) => {
      const east = longitude[i];
      return east ? [{ latitude: degrees(north), longitude: degrees(east), facts: [north, east] }] : [];
    }),
  );
}

const tagKeyOf = ({ family, group, name }: Fact, more = '') => `${family}:${group}:${name}${more}`;

function readText(fact: Fact): Position[] {
  const coordinates = parseCoordinates(fact.value, positionTagName.test(fact.name));
  return coordinates ? [{ ...coordinates, facts: [fact] }] : [];
}

/** ISO 6709 is recognised in any tag, two plain numbers only in a tag whose name denotes a position. */
export function parseCoordinates(text: string, isPositionTag: boolean): { latitude: number; longitude: number } | null {
  const standard = iso6709.exec(text);
  if (standard?.[1] && standard[2]) {
    return { latitude: parseDegrees(standard[1], 2), longitude: parseDegrees(standard[2], 3) };
  }
  const pair = isPositionTag ? (decimalPair.exec(text) ?? namedPair.exec(text)) : null;
  return pair ? { latitude: Number(pair[1]), longitude: Number(pair[2]) } : null;
}

/** ISO 6709 allows ±DD.DDD, ±DDMM.MMM and ±DDMMSS.SSS; the number of digits distinguishes them. */
function parseDegrees(text: string, degreeDigits: number): number {
  const [whole = '', fraction = ''] = text.slice(1).split('.');
  const parts = [whole.slice(0, degreeDigits), ...(whole.slice(degreeDigits).match(/\d{2}/g) ?? [])];
  const last = parts.length - 1;
  const value = parts.reduce((sum, part, i) => {
    const number = Number(i === last ? `${part}.${fraction || '0'}` : part);
    return sum + number / 60 ** i;
  }, 0);
  return text.startsWith('-') ? -value : value;
}

// A receiver without a GPS fix writes zeros.
export function isValidPosition({ latitude, longitude }: Pick<Position, 'latitude' | 'longitude'>): boolean {
  const isWithoutFix = Math.abs(latitude) < 1e-6 && Math.abs(longitude) < 1e-6;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !isWithoutFix;
}

/** The number of decimals of a degree; whole minutes of arc count as two. */
export function decimalsOf({ latitude, longitude }: { latitude: number; longitude: number }): number {
  return Math.max(...[latitude, longitude].map(countDecimals));
}

function countDecimals(degrees: number): number {
  for (const places of [0, 1, 2]) {
    if (isMultipleOf(degrees, 10 ** -places)) return places;
  }
  if (isMultipleOf(degrees, 1 / 60)) return 2;
  return Number(degrees.toFixed(decimalsShownMax)).toString().split('.')[1]?.length ?? 0;
}

function isMultipleOf(degrees: number, step: number): boolean {
  return Math.abs(degrees - Math.round(degrees / step) * step) < stepDegrees;
}
