import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { severities } from '@assay/contract/schemas/severity.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { corpusFolder, describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { assetPath, submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

// Files with a fault that an earlier version did not see, or a twin in which it did, through the service. What each must
// give is in the README of the corpus.

const corpus = 'unseen';
const folder = corpusFolder(corpus);
const hasCorpus = existsSync(folder);

type Row = {
  profile?: string;
  /** Rules that must be among the issues, and those that must not. */
  has?: string[];
  lacks?: string[];
  incomplete?: string[];
  ran?: string[];
  /** No issue is as severe as this. */
  below?: 'MAJOR';
  /** A text in the summary of an issue, or in the label of what was not examined. */
  names?: RegExp;
  /** Short names of the checks; by default those that run by default. */
  checks?: string[];
  verdict?: string;
};

const rows: Record<string, Row> = {
  'change.ts': {
    profile: 'ebu-r128',
    has: ['LOUD-INTEGRATED-HIGH'],
    lacks: ['QC-SILENCE', 'QC-AV-LENGTH'],
    names: /-7\.0 LUFS|−7\.0 LUFS/,
  },
  'p50.mp4': { profile: 'ebu-r128', has: ['PSE-LUMINANCE'] },
  'i25.mov': { profile: 'ebu-r128', has: ['PSE-LUMINANCE'] },
  'i25full.mov': { profile: 'ebu-r128', has: ['PSE-LUMINANCE'] },
  'flash.mp4': { has: ['PSE-LUMINANCE'] },
  'flash.webp': { has: ['PSE-LUMINANCE'] },
  'flash.avif': { has: ['PSE-LUMINANCE'] },
  'transp.gif': { has: ['PSE-LUMINANCE'] },
  'two.mp4': { incomplete: ['photosensitivity'], names: /video track 2/ },
  'chap.mp4': { ran: ['photosensitivity'] },
  'novideo.mp4': { profile: 'us-broadcast-ad', has: ['QC-NO-VIDEO'], verdict: 'failed' },
  'six-mono.mov': { profile: 'ebu-r128', has: ['LOUD-INTEGRATED-HIGH'], names: /[-−]17\.\d LUFS/ },
  'two-languages.mov': { profile: 'ebu-r128', below: 'MAJOR' },
  'lang2.mp4': { profile: 'ebu-r128', has: ['LOUD-INTEGRATED-HIGH'], names: /audio track 2/ },
  'six-undeclared.wav': { lacks: ['QC-SILENT-CHANNEL'] },
  'stripes.mp4': { profile: 'ebu-r128', has: ['QC-LEVELS'] },
  'block.mp4': { profile: 'ebu-r128', has: ['QC-LEVELS'] },
  'sq.mp4': { has: ['PSE-LUMINANCE'] },
  'hdv.mp4': { has: ['PSE-LUMINANCE'] },
  'midbad.mp4': { checks: ['photosensitivity'], incomplete: ['photosensitivity'], verdict: 'needs_review' },
  'plain.docx': { has: ['SAFE-OFFICE-EXTERNAL'] },
  'links.docx': { has: ['SAFE-OFFICE-EXTERNAL'] },
  'spaces.docx': { has: ['SAFE-OFFICE-EXTERNAL'] },
  'one.docx': { has: ['META-POSITION'] },
  'nine.docx': { has: ['META-POSITION'] },
  'engonly.mkv': { has: ['CAPT-GAP'] },
  'both.mkv': { has: ['CAPT-GAP'], names: /\(eng\)/ },
};

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,video,audio,image,document' });
const live = api.client((await api.makeWorkspace()).liveKey);
if (hasCorpus) await openTestWorker(api.config);

async function examine(filename: string, { profile = 'general', checks }: Row) {
  const { status, body } = await live.uploadFile(filename, readFileSync(join(folder, filename)));
  expect(status, JSON.stringify(body)).toBe(201);
  const sidekickIds = checks && sidekicks.filter(({ shortName }) => checks.includes(shortName)).map(({ id }) => id);
  const metadata = { assay: { profile } };
  const created = await submit(live, [body.blobPath], { metadata, ...(sidekickIds && { sidekickIds }) });
  await untilFinished(live, created.submissionId, 600);
  const asset = (await live.get(assetPath(created))).body;
  const { issues } = (await live.get(`${assetPath(created)}/issues?limit=200`)).body;
  return { asset, issues: issues as { ruleCode: string; severity: (typeof severities)[number]; summary: string }[] };
}

describe.skipIf(!hasCorpus)(
  hasCorpus ? 'a file whose fault is easy to overlook' : describeMissingCorpus(corpus),
  () => {
    test.each(Object.entries(rows))('%s gives what it must', async (filename, row) => {
      const { asset, issues } = await examine(filename, row);
      const codes = issues.map(({ ruleCode }) => ruleCode);
      expect(asset.status).toBe('complete');
      expect(codes).toEqual(expect.arrayContaining(row.has ?? []));
      expect(codes.filter((code) => row.lacks?.includes(code))).toEqual([]);
      const checks = asset.checks as {
        shortName: string;
        outcome: string;
        coverage: { notExamined: { label: string }[] };
      }[];
      for (const outcome of ['incomplete', 'ran'] as const) {
        const names = checks.filter((check) => check.outcome === outcome).map(({ shortName }) => shortName);
        expect(names, outcome).toEqual(expect.arrayContaining(row[outcome] ?? []));
      }
      if (row.below) {
        const worst = severities.slice(0, severities.indexOf(row.below) + 1);
        expect(issues.filter(({ severity }) => worst.includes(severity))).toEqual([]);
      }
      if (row.names) {
        const labels = checks.flatMap(({ coverage }) => coverage.notExamined.map(({ label }) => label));
        expect([...issues.map(({ summary }) => summary), ...labels].join('\n')).toMatch(row.names);
      }
      if (row.verdict) expect(asset.verdict).toBe(row.verdict);
    });

    test('levels.mp4 needs stricter levels than are measured, so such a profile is refused', async () => {
      const limits = { qcPictureSound: { levelMin: 16, levelMax: 235, levelShareMax: 0.001 } };
      const made = await live.post('/profiles', { name: 'strict', limits });
      expect(made).toMatchObject(refused(422, 'validation_failed'));
      const pointers = made.body.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(pointers).toContain('/limits/qcPictureSound/levelMin');
    });
  },
  700_000,
);
