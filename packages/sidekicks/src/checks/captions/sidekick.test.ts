import type { NotExamined } from '@assay/contract/schemas/coverage.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { describe, expect, test } from 'vitest';
import { readCueFile } from '#evidence/media/captions/cue-file.ts';
import { flawKinds } from '#evidence/media/captions/flaws.ts';
import { runSidekicks } from '#run/run.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { checkCaptions } from './check-captions.ts';
import { describeFlaw } from './describe-flaw.ts';
import { type RuleCode, rules } from './rules.ts';
import { cleanCues } from './samples/clean-cues.ts';
import { faultyCues } from './samples/faulty-cues.ts';
import { hostileCues } from './samples/hostile-cues.ts';
import type { CueSample } from './samples/make-cues.ts';
import { sidekick } from './sidekick.ts';

/** The rules that apply only to video and audio. */
const mediaRules: RuleCode[] = ['CAPT-MISSING', 'CAPT-NO-TRANSCRIPT', 'CAPT-GAP', 'CAPT-OUT-OF-RANGE', 'CAPT-LANGUAGE'];

async function examine({ filename, bytes }: CueSample) {
  const cueFile = await withBytes(bytes, readCueFile);
  const evidence = { cueFile, embeddedCaptions: null, probe: null, audio: null };
  return { cueFile, findings: checkCaptions(evidence, declarationFor(filename)) };
}

function keyOf({ ruleCode, subject, locations: [location] }: Finding): string {
  return location ? `${ruleCode} ${location.startMs}-${location.endMs}` : `${ruleCode} ${subject}`;
}

function part(label: string, reason: NotExamined['reason'], share: number | null): NotExamined {
  return { kind: 'caption_track', label, reason, share };
}

const [clean, faulty, hostile] = [cleanCues(), faultyCues(), hostileCues()];
const titledRows = (samples: CueSample[]) =>
  samples.map((one): [string, string, CueSample] => [one.label, one.filename, one]);

test('every kind of flaw in a caption file has a description with a remedy', () => {
  for (const { what } of Object.values(flawKinds)) expect(describeFlaw(what).remedy).toMatch(/\.$/);
});

describe('the coverage of a caption file', () => {
  const good = '1\n00:00:01,000 --> 00:00:03,000\nHello\n';
  const bad = '2\n00:00:04,000 -->\nBye\n';

  test.each<[string, string, string, NotExamined[]]>([
    ['has nothing unexamined if all captions were read', 'clip.srt', good, []],
    [
      'names the captions whose time cannot be read, with their share',
      'clip.srt',
      `${good}\n${bad}`,
      [part('captions with an invalid timestamp, clip.srt', 'damaged', 0.5)],
    ],
    ['leaves out text that belongs to no caption', 'clip.srt', `Spring, part one\n\n${good}`, []],
    [
      'names the file if no captions could be read from it',
      'clip.vtt',
      'Dear Ann,\n',
      [part('clip.vtt', 'unsupported', 1)],
    ],
    [
      'names what is beyond the limit on the text of a caption',
      'clip.srt',
      good.replace('Hello', 'x'.repeat(3000)),
      [part('text beyond 2,000 characters of a caption, clip.srt', 'limit_reached', null)],
    ],
    [
      'names a lost caption also after a thousand flaws of another kind',
      'clip.srt',
      `${`${good.replace('1\n', '')}\n`.repeat(1100)}${bad}`,
      [part('captions with an invalid timestamp, clip.srt', 'damaged', 0.001)],
    ],
  ])('%s', async (_, filename, content, notExamined) => {
    const declared = declarationFor(filename);
    const { checks } = await withBytes(Buffer.from(content), (source) => runSidekicks([sidekick], source, declared));
    expect(checks[0]?.coverage.notExamined).toEqual(notExamined);
    expect(checks[0]?.outcome).toBe(notExamined.length > 0 ? 'incomplete' : 'ran');
  });

  test('states the number of captions under the name of the file', async () => {
    const declared = declarationFor('clip.srt');
    const { checks } = await withBytes(Buffer.from(good), (source) => runSidekicks([sidekick], source, declared));
    const examined = { kind: 'caption_track', label: 'clip.srt', quantity: 1, unit: 'captions' };
    expect(checks[0]?.coverage.examined).toEqual([examined]);
  });
});

describe('the captions check', () => {
  test('has at least 90 clean and 80 faulty sample files, and covers every rule for caption files', () => {
    expect(clean.length).toBeGreaterThanOrEqual(90);
    expect(faulty.length).toBeGreaterThanOrEqual(80);
    const codes = new Set([...faulty, ...hostile].flatMap(({ expected }) => expected.map((key) => key.split(' ')[0])));
    expect([...codes, ...mediaRules].toSorted()).toEqual(Object.keys(rules).toSorted());
  });

  test.each(titledRows(clean))('reports nothing in the clean file “%s” (%s)', async (_, __, one) => {
    const { cueFile, findings } = await examine(one);
    expect(findings).toEqual([]);
    expect(cueFile?.cues.length ?? null).toBe(one.cues);
  });

  test.each(titledRows(faulty))(
    'reports exactly the expected findings for the faulty file “%s” (%s)',
    async (_, __, one) => {
      const { cueFile, findings } = await examine(one);
      expect(findings.map(keyOf).toSorted()).toEqual(one.expected.toSorted());
      expect(cueFile?.cues.length ?? null).toBe(one.cues);
    },
  );

  test.each(titledRows(hostile))(
    'reads a limited amount of the hostile file “%s” (%s) and reports exactly the expected findings',
    async (_, __, one) => {
      const { cueFile, findings } = await examine(one);
      expect(findings.map(keyOf).toSorted()).toEqual(one.expected.toSorted());
      expect(cueFile?.cues.length ?? null).toBe(one.cues);
      expect(cueFile?.flaws.length ?? 0).toBeLessThanOrEqual(1001);
      for (const cue of cueFile?.cues ?? []) expect(cue.lines.join('\n').length).toBeLessThanOrEqual(2000);
    },
  );
});
