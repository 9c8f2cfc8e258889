import { readFile } from 'node:fs/promises';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { expect, test } from 'vitest';
import { runSidekicks } from '#run/run.ts';
import { sidekicks } from './catalogue.ts';

const checkNames = ['captions', 'file-safety', 'loudness', 'metadata-privacy', 'photosensitivity', 'qc-picture-sound'];
const chosenSidekicks = sidekicks.filter(({ shortName }) => checkNames.includes(shortName));

/** Returns the short names of the checks that ran, completely or not. */
async function checksRunFor(filename: string, bytes: Uint8Array): Promise<string[]> {
  const { checks } = await withBytes(bytes, (source) =>
    runSidekicks(chosenSidekicks, source, declarationFor(filename)),
  );
  const applied = checks.filter(({ outcome }) => outcome !== 'not_applicable');
  const ran = new Set(applied.map(({ sidekickId }) => sidekickId));
  return chosenSidekicks.filter(({ id }) => ran.has(id)).map(({ shortName }) => shortName);
}

const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5'];
const audioInput = ['-f', 'lavfi', '-i', 'sine'];
const makeMedia = (extension: string, ...args: string[]) =>
  makeWithFfmpeg(extension, args).then((path) => readFile(path));
const textBytes = async (content: string) => Buffer.from(content);

const mediaChecks = ['file-safety', 'metadata-privacy', 'qc-picture-sound'];
const videoChecks = [...mediaChecks, 'photosensitivity'];

test.each<[string, string, () => Promise<Uint8Array>, string[]]>([
  [
    'a video with audio (every check)',
    'a.mp4',
    () => makeMedia('.mp4', ...videoInput, ...audioInput, '-t', '1'),
    [...videoChecks, 'captions', 'loudness'],
  ],
  [
    'a video without audio (no loudness, captions)',
    'a.mp4',
    () => makeMedia('.mp4', ...videoInput, '-t', '1'),
    videoChecks,
  ],
  [
    'audio in a container for video (no photosensitivity)',
    'a.mp4',
    () => makeMedia('.mp4', ...audioInput, '-t', '1'),
    [...mediaChecks, 'captions', 'loudness'],
  ],
  [
    'an audio file',
    'a.wav',
    () => makeMedia('.wav', ...audioInput, '-t', '1'),
    [...mediaChecks, 'captions', 'loudness'],
  ],
  [
    'an animated GIF',
    'a.gif',
    () => makeMedia('.gif', ...videoInput, '-frames:v', '2'),
    ['file-safety', 'metadata-privacy', 'photosensitivity'],
  ],
  [
    'a GIF with one frame (no photosensitivity)',
    'a.gif',
    () => makeMedia('.gif', ...videoInput, '-frames:v', '1'),
    ['file-safety', 'metadata-privacy'],
  ],
  ['a PNG', 'a.png', () => makeMedia('.png', ...videoInput, '-frames:v', '1'), ['file-safety', 'metadata-privacy']],
  ['a TIFF', 'a.tif', () => makeMedia('.tif', ...videoInput, '-frames:v', '1'), ['file-safety', 'metadata-privacy']],
  ['a PDF (no captions)', 'a.pdf', async () => makePdf(), ['file-safety', 'metadata-privacy']],
  ['plain text (no metadata, no captions)', 'a.txt', () => textBytes('Hello.\n'), ['file-safety']],
  ['a caption file', 'a.vtt', () => textBytes('WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n'), ['captions', 'file-safety']],
  ['text with the name of a caption file', 'a.srt', () => textBytes('Hello.\n'), ['captions', 'file-safety']],
  [
    'captions with the name of a text file',
    'a.txt',
    () => textBytes('1\n00:00:00,000 --> 00:00:01,000\nHi\n'),
    ['captions', 'file-safety'],
  ],
  ['text with the name of a video', 'a.mp4', () => textBytes('Hello.\n'), ['file-safety']],
])('all applicable checks and no others run for %s', async (_, filename, make, expected) => {
  expect(await checksRunFor(filename, await make())).toEqual(expected.toSorted());
});

test('a check that does not run says whether the file or the profile gives it nothing to examine', async () => {
  const reasonsFor = async (filename: string, bytes: Uint8Array) => {
    const { checks } = await withBytes(bytes, (source) => runSidekicks(sidekicks, source, declarationFor(filename)));
    const reasonById = new Map(checks.map(({ sidekickId, outcome, reason }) => [sidekickId, reason ?? outcome]));
    return Object.fromEntries(sidekicks.map(({ id, shortName }) => [shortName, reasonById.get(id)]));
  };
  expect(await reasonsFor('a.mp4', await textBytes('Hello.\n'))).toMatchObject({
    'delivery-spec': 'nothing_in_profile',
    loudness: 'nothing_in_file',
    'qc-picture-sound': 'nothing_in_file',
  });
  const audio = await makeMedia('.wav', ...audioInput, '-t', '1');
  expect(await reasonsFor('a.wav', audio)).toMatchObject({
    'delivery-spec': 'nothing_in_profile',
    loudness: 'ran',
    photosensitivity: 'nothing_in_file',
  });
});
