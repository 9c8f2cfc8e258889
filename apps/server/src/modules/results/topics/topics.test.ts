import type { Location } from '@assay/contract/schemas/issue.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { causes, sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Cause } from '@assay/sidekicks/sidekick/sidekick.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { clusterTopics, type TopicIssue, topicAlgorithm } from './topics.ts';

const uuidOf = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const assetId = '00000000-0000-4000-8000-0000000000aa';

const issue = (number: number, ruleCode: string, rest: Partial<TopicIssue> = {}): TopicIssue => ({
  id: uuidOf(number),
  referenceNumber: number,
  ruleCode,
  summary: `Summary ${number}.`,
  severity: 'MINOR',
  sidekickId: uuidOf(900),
  locations: [],
  subject: '',
  ...rest,
});
const time = (startMs: number, endMs?: number): Location => ({
  kind: 'timeRange',
  startMs,
  ...(endMs !== undefined && { endMs }),
});
const page = (number: number): Location => ({ kind: 'page', page: number });
const sampleBox = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const locatedAt = (...locations: Location[]) => ({ locations });

const membersOf = (issues: readonly TopicIssue[]) =>
  clusterTopics(assetId, issues).map(({ issueIds }) => issueIds.map((id) => Number(id.slice(-12))));

const byFirstMember = ([a = 0]: number[], [b = 0]: number[]) => a - b;

/** Whether two issues are directly related, computed without optimisations. */
function areRelated(a: TopicIssue, b: TopicIssue): boolean {
  const shared = causes.filter(({ ruleCodes }) => ruleCodes.includes(a.ruleCode) && ruleCodes.includes(b.ruleCode));
  const isOneRule = a.ruleCode === b.ruleCode;
  const has = (where: Cause['where']) => shared.some((cause) => cause.where === where);
  if (a.subject !== '' && a.subject === b.subject) return true;
  if (!isOneRule && has('anywhere')) return true;
  if (!isOneRule && has('together') && areSimultaneous(a, b)) return true;
  return (isOneRule || has('near')) && areNear(a, b);
}

const pairsOf = (a: TopicIssue, b: TopicIssue) =>
  a.locations.flatMap((one) => b.locations.map((other) => [one, other] as const));

function areNear(a: TopicIssue, b: TopicIssue): boolean {
  if (a.locations.length === 0 && b.locations.length === 0) return true;
  return pairsOf(a, b).some(([one, other]) => {
    if (one.page !== undefined && one.page === other.page) return true;
    if (one.startMs === undefined || other.startMs === undefined) return false;
    const gap = Math.max(one.startMs - (other.endMs ?? other.startMs), other.startMs - (one.endMs ?? one.startMs));
    return gap <= 2000;
  });
}

function areSimultaneous(a: TopicIssue, b: TopicIssue): boolean {
  return pairsOf(a, b).some(([one, other]) => {
    const [from = 0, to = 0, otherFrom = 0, otherTo = 0] = [one.startMs, one.endMs, other.startMs, other.endMs];
    const sharedMs = Math.min(to, otherTo) - Math.max(from, otherFrom);
    return sharedMs > 0 && sharedMs >= (to - from) / 2 && sharedMs >= (otherTo - otherFrom) / 2;
  });
}

function expectedMembers(issues: readonly TopicIssue[]): number[][] {
  const left = new Set(issues);
  const groups: number[][] = [];
  for (const first of left) {
    const group = [first];
    left.delete(first);
    for (const member of group) {
      for (const other of left) {
        if (!areRelated(member, other)) continue;
        group.push(other);
        left.delete(other);
      }
    }
    if (group.length > 1) groups.push(group.map(({ referenceNumber }) => referenceNumber).sort((a, b) => a - b));
  }
  return groups;
}

const anyLocation: fc.Arbitrary<Location> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 4000 }))
    .map(([start, length]) => time(start, start + length)),
  fc.integer({ min: 0, max: 60_000 }).map((start) => time(start)),
  fc.integer({ min: 1, max: 12 }).map(page),
  fc.constant<Location>({ kind: 'text', text: 'words' }),
);
// Rules with each kind of cause, and rules without one.
const anyRule = ['QC-BLACK', 'QC-SILENCE', 'LOUD-NOT-MEASURED', 'PSE-RED', 'PSE-LUMINANCE', 'QC-CLIPPING', 'NEW-ONE'];
const anyIssues = fc
  .array(
    fc.record({
      ruleCode: fc.constantFrom(...anyRule),
      severity: fc.constantFrom(...severities),
      subject: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('Arial', 'Courier', 'Times')),
      locations: fc.array(anyLocation, { maxLength: 3 }),
    }),
    { maxLength: 30 },
  )
  .map((rows) => rows.map((row, index) => issue(index + 1, row.ruleCode, row)));

describe('clusterTopics, for any set of issues', () => {
  test('two issues are in the same topic if and only if a chain of directly related issues connects them', () => {
    fc.assert(
      fc.property(anyIssues, (issues) => {
        expect(membersOf(issues).toSorted(byFirstMember)).toEqual(expectedMembers(issues));
      }),
      { numRuns: 1000 },
    );
  });

  test('the order of the issues does not matter, and the result is deterministic', () => {
    const shuffled = anyIssues.chain((issues) =>
      fc.tuple(
        fc.constant(issues),
        fc.shuffledSubarray(issues, { minLength: issues.length, maxLength: issues.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([issues, otherwise]) => {
        const topics = clusterTopics(assetId, issues);
        expect(clusterTopics(assetId, otherwise)).toEqual(topics);
        expect(clusterTopics(assetId, issues)).toEqual(topics);
      }),
    );
  });

  test('each issue is in at most one topic, and the issues of a topic alone form the same topic', () => {
    fc.assert(
      fc.property(anyIssues, (issues) => {
        const topics = clusterTopics(assetId, issues);
        const ids = topics.flatMap(({ issueIds }) => issueIds);
        expect(new Set(ids).size).toBe(ids.length);
        for (const topic of topics) {
          expect(topic.issueIds.length).toBeGreaterThan(1);
          const members = issues.filter(({ id }) => topic.issueIds.includes(id));
          expect(clusterTopics(assetId, members)).toEqual([topic]);
        }
      }),
    );
  });

  test('issues of different rules without a common subject are joined only if a cause names their rules', () => {
    fc.assert(
      fc.property(anyIssues, (issues) => {
        const bare = issues.map((one) => ({ ...one, subject: '' }));
        for (const { ruleCodes } of clusterTopics(assetId, bare)) {
          for (const code of ruleCodes.length > 1 ? ruleCodes : []) {
            const others = ruleCodes.filter((other) => other !== code);
            expect(
              causes.some(
                (one) => one.ruleCodes.includes(code) && others.some((other) => one.ruleCodes.includes(other)),
              ),
            ).toBe(true);
          }
          expect(ruleCodes.includes('QC-CLIPPING') && ruleCodes.includes('QC-BLACK')).toBe(false);
        }
      }),
    );
  });

  test('the most severe topic comes first, then the one that starts first', () => {
    fc.assert(
      fc.property(anyIssues, (issues) => {
        const ranks = clusterTopics(assetId, issues).map(({ severity, issueIds }) => {
          const places = issues
            .filter(({ id }) => issueIds.includes(id))
            .flatMap(({ locations }) => locations)
            .map((location) => location.startMs ?? location.page ?? -1);
          return [severities.indexOf(severity), places.length === 0 ? -1 : Math.min(...places)] as const;
        });
        expect(ranks).toEqual(ranks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
    );
  });
});

describe('grouping of issues into topics', () => {
  const [black, silence] = ['QC-BLACK', 'QC-SILENCE'];
  test.each<[string, TopicIssue[], number[][]]>([
    [
      'issues of one rule 2 s apart belong together',
      [issue(1, black, locatedAt(time(0, 1000))), issue(2, black, locatedAt(time(3000, 4000)))],
      [[1, 2]],
    ],
    [
      'issues more than 2 s apart are separate',
      [issue(1, black, locatedAt(time(0, 1000))), issue(2, black, locatedAt(time(3001, 4000)))],
      [],
    ],
    [
      'the gap counts from the issue that ends last',
      [1, 2, 3].map((n) => issue(n, black, locatedAt(time([0, 100, 8000][n - 1] ?? 0, [7000, 200, 9000][n - 1])))),
      [[1, 2, 3]],
    ],
    [
      'issues of two rules at the same time are separate',
      [issue(1, black, locatedAt(time(0, 9))), issue(2, 'QC-CLIPPING', locatedAt(time(0, 9)))],
      [],
    ],
    ['issues of two rules about the whole asset are separate', [issue(1, black), issue(2, 'QC-CLIPPING')], []],
    [
      'issues of one rule on one page belong together',
      [issue(1, 'UA-ALT', locatedAt(page(3))), issue(2, 'UA-ALT', locatedAt(page(9), page(3)))],
      [[1, 2]],
    ],
    [
      'two rules on one page are separate',
      [issue(1, 'UA-ALT', locatedAt(page(3))), issue(2, 'UA-LANG', locatedAt(page(3)))],
      [],
    ],
    [
      'issues on adjacent pages are separate',
      [issue(1, 'UA-ALT', locatedAt(page(3))), issue(2, 'UA-ALT', locatedAt(page(4)))],
      [],
    ],
    [
      'issues with one subject on adjacent pages belong together',
      [
        issue(1, 'UA-FONT', { subject: 'Arial', ...locatedAt(page(3)) }),
        issue(2, 'UA-FONT', { subject: 'Arial ', ...locatedAt(page(4)) }),
      ],
      [[1, 2]],
    ],
    ['issues about the whole asset are joined', [issue(1, 'META-PERSON-NAME'), issue(2, 'META-PERSON-NAME')], [[1, 2]]],
    [
      'the whole asset and a part of it are separate',
      [issue(1, 'SAFE-TYPE'), issue(2, 'SAFE-TYPE', locatedAt(page(1)))],
      [],
    ],
    [
      'issues in regions of an image belong together',
      [1, 2].map((number) => issue(number, 'TEXT-HEIGHT', locatedAt({ kind: 'region', box: sampleBox }))),
      [[1, 2]],
    ],
    [
      'issues in regions of a video at different times are separate',
      [0, 9000].map((startMs, index) =>
        issue(index + 1, 'TEXT-HEIGHT', locatedAt({ kind: 'region', box: sampleBox, startMs })),
      ),
      [],
    ],
    [
      'issues of two families with one subject belong together',
      [issue(1, 'PII-CARD', { subject: 'c1' }), issue(2, 'META-X', { subject: 'c1' })],
      [[1, 2]],
    ],
    [
      'issues of two families without a subject are separate',
      [issue(1, 'PII-CARD', { subject: ' ' }), issue(2, 'META-X', { subject: ' ' })],
      [],
    ],
    [
      'black and silence that share half of their time belong together',
      [issue(1, black, locatedAt(time(0, 4000))), issue(2, silence, locatedAt(time(2000, 6000)))],
      [[1, 2]],
    ],
    [
      'short black within a long silence is separate',
      [issue(1, silence, locatedAt(time(0, 60_000))), issue(2, black, locatedAt(time(20_000, 24_000)))],
      [],
    ],
    [
      'silence right after black is separate',
      [issue(1, black, locatedAt(time(0, 4000))), issue(2, silence, locatedAt(time(4000, 8000)))],
      [],
    ],
    [
      'issues of two rules for excessive level belong together wherever they are',
      [
        issue(1, 'LOUD-TRUE-PEAK', locatedAt(time(900, 1000))),
        issue(2, 'QC-CLIPPING', locatedAt(time(50_000, 51_000))),
      ],
      [[1, 2]],
    ],
    [
      'distant clippings are separate if nothing else is too loud',
      [issue(1, 'QC-CLIPPING', locatedAt(time(900, 1000))), issue(2, 'QC-CLIPPING', locatedAt(time(50_000, 51_000)))],
      [],
    ],
    [
      'flashes of two kinds near each other belong together',
      [issue(1, 'PSE-RED', locatedAt(time(0, 1000))), issue(2, 'PSE-LUMINANCE', locatedAt(time(2500, 3000)))],
      [[1, 2]],
    ],
    [
      'flashes of two kinds far from each other are separate',
      [issue(1, 'PSE-RED', locatedAt(time(0, 1000))), issue(2, 'PSE-LUMINANCE', locatedAt(time(9000, 9500)))],
      [],
    ],
  ])('%s', (_, issues, expected) => expect(membersOf(issues)).toEqual(expected));
});

describe('the description of a topic', () => {
  const titleOf = (ruleCode: string, ...locations: Location[]) =>
    clusterTopics(assetId, [issue(1, ruleCode, { subject: 's', locations }), issue(2, ruleCode, { subject: 's' })])[0]
      ?.title;

  test.each<[string, string, Location[]]>([
    ['File safety: 2 issues', 'SAFE-TYPE', []],
    ['Video and audio quality: 2 issues, 00:04.00 to 00:10.24', 'QC-BLACK', [time(9000, 10_240), time(4000, 7000)]],
    ['Loudness: 2 issues, at 01:00.00', 'LOUD-PEAK', [time(59_996)]],
    ['Captions: 2 issues, 59:59.99 to 1:00:00.00', 'CAPT-GAP', [time(3_599_990, 3_600_000)]],
    ['Metadata: 2 issues, page 2', 'META-POSITION', [page(2)]],
    ['Metadata: 2 issues, pages 2 to 5', 'META-POSITION', [page(5), page(2)]],
    ['OLD: 2 issues', 'OLD-RULE', []],
    ['constructor: 2 issues', 'constructor-1', []],
  ])('the title is "%s"', (title, ruleCode, locations) => expect(titleOf(ruleCode, ...locations)).toBe(title));

  test.each(sidekicks)('the title for issues of $name starts with its topic label', ({ rules, topicLabel }) => {
    for (const ruleCode of Object.keys(rules)) expect(titleOf(ruleCode)).toBe(`${topicLabel}: 2 issues`);
  });

  test('the summary is that of the most severe issue, whose family comes first in the title', () => {
    const issues = [
      issue(7, 'META-GPS', { subject: 's', severity: 'INFO', sidekickId: uuidOf(902) }),
      issue(8, 'CAPT-GAP', { subject: 's', severity: 'MAJOR', summary: 'Audio without captions. ' }),
      issue(9, 'CAPT-FAST', { subject: 's', severity: 'MAJOR' }),
    ];
    expect(clusterTopics(assetId, issues)).toEqual([
      {
        id: expect.any(String),
        title: 'Captions, Metadata: 3 issues',
        summary: 'Audio without captions. 2 more issues.',
        severity: 'MAJOR',
        issueIds: [uuidOf(7), uuidOf(8), uuidOf(9)],
        ruleCodes: ['CAPT-FAST', 'CAPT-GAP', 'META-GPS'],
        sidekickIds: [uuidOf(900), uuidOf(902)],
      },
    ]);
  });

  test('the title names a cause that several rules share', () => {
    const titlesOf = (...codes: string[]) =>
      clusterTopics(
        assetId,
        codes.map((code, i) => issue(i + 1, code, { subject: 's' })),
      ).map(({ title }) => title);
    expect(titlesOf('QC-CLIPPING', 'LOUD-TRUE-PEAK')).toEqual(['Audio level too high: 2 issues']);
    expect(titlesOf('META-POSITION', 'META-PLACE-NAME', 'SAFE-PDF-XFA')).toEqual([
      'Location in the metadata, File safety: 3 issues',
    ]);
  });

  test('the id is a UUIDv5 that depends only on the asset and its issues', () => {
    const pair = [issue(1, 'SAFE-TYPE'), issue(2, 'SAFE-TYPE')];
    const idsOf = (asset: string, issues: TopicIssue[]) => clusterTopics(asset, issues).map(({ id }) => id);
    // Computed with a different implementation. If this id changes, topic ids that clients have stored become invalid.
    expect(idsOf(assetId, pair)).toEqual(['3c0e0204-930f-57d7-842d-6c4ad4fba890']);
    expect(idsOf(assetId, [issue(2, 'QC-X', { summary: 'Other.' }), issue(1, 'QC-X')])).toEqual(idsOf(assetId, pair));
    expect(idsOf(assetId, [issue(1, 'SAFE-TYPE', { referenceNumber: 3 }), issue(2, 'SAFE-TYPE')])).toEqual(
      idsOf(assetId, pair),
    );
    expect(idsOf(uuidOf(5), pair)).not.toEqual(idsOf(assetId, pair));
    expect(idsOf(assetId, [...pair, issue(3, 'SAFE-TYPE')])).not.toEqual(idsOf(assetId, pair));
  });

  test('the algorithm has a name and a version', () => {
    expect(topicAlgorithm).toEqual({ algorithm: 'structural-v1', algorithmVersion: '2.0.0' });
  });
});

describe('clustering 1000 issues', () => {
  const make = (count: number, locationsOf: (index: number) => Location[]) =>
    Array.from({ length: count }, (_, index) =>
      issue(index + 1, index % 2 ? 'QC-BLACK' : 'QC-SILENCE', { locations: locationsOf(index) }),
    );

  const cpuMillisOf = (issues: TopicIssue[]) => {
    const before = process.cpuUsage();
    clusterTopics(assetId, issues);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  test.each<[string, (index: number) => Location[]]>([
    ['that all overlap', () => [time(0, 1000)]],
    [
      'with 20 locations each',
      (i) => Array.from({ length: 20 }, (_, n) => time(i * 50 + n * 9000, i * 50 + n * 9000 + 40)),
    ],
    ['with 20 pages each', (i) => Array.from({ length: 20 }, (_, n) => page(((i * 7 + n) % 300) + 1))],
  ])('%s takes at most 25 times as long as 250 issues', (_, locationsOf) => {
    const [many, fewer] = [make(1000, locationsOf), make(250, locationsOf)];
    const measure = () => cpuMillisOf(many) / Math.max(1, cpuMillisOf(fewer));
    measure(); // warms up
    // Every pair of issues is compared, which takes 16 times as long; comparing triples would take 64 times.
    expect(Math.min(measure(), measure(), measure())).toBeLessThan(25);
  });
});
