import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describePlaces } from '@assay/contract/place-words.ts';
import { boxesOfMarks } from '@assay/sidekicks/evidence/media/decode/flashes/marked-boxes.ts';
import { type Clip, readCorpus } from '../corpus.ts';
import { isSafeByText } from '../disputes.ts';
import { createRenderer, frameSize } from '../render.ts';
import type { MadeClip } from './made-clip.ts';

/** Failing clips of every labelled set, as many of each as possible, evenly spread over the set. */
export function chooseFailingClips(count: number): Clip[] {
  const failing = readCorpus().filter((clip) => !isSafeByText(clip));
  const sets = [...Map.groupBy(failing, ({ set }) => set).values()];
  const chosen: Clip[] = [];
  for (let turn = 0; chosen.length < count; turn++) {
    const perSet = Math.ceil(count / sets.length);
    for (const set of sets) {
      const clip = set[Math.floor((turn * set.length) / perSet)];
      if (clip && chosen.length < count && !chosen.includes(clip)) chosen.push(clip);
    }
  }
  return chosen;
}

/** Writes a clip without loss. What flashes is described by its own data: where its frames differ, and their colours. */
export async function makeLabelledClip(clip: Clip, path: string): Promise<MadeClip> {
  const frames = createRenderer().render(clip);
  const size = ['-s', `${frameSize.width}x${frameSize.height}`, '-r', `${clip.frameRate}`];
  const ffmpeg = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'rgb24', ...size, '-i', '-'],
      ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0', path],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  for (const frame of frames) if (!ffmpeg.stdin.write(frame)) await once(ffmpeg.stdin, 'drain');
  ffmpeg.stdin.end();
  await once(ffmpeg, 'close');
  return {
    name: `${clip.set}/${clip.name}`,
    path,
    what: `areas on a plain background of ${clip.background.slice(0, 3).join(' ')}`,
    areas: clip.layers.map((layer) => describeLayer(clip, layer)),
  };
}

/** Where an area is, its colours, and how often they change within a second: more than six times fails. */
function describeLayer(clip: Clip, layer: Clip['layers'][number]): MadeClip['areas'][number] {
  const boxes = boxesOfChanges(createRenderer().render({ ...clip, layers: [layer] }));
  const names = layer.colours.map((colour) => colour.join(' '));
  const changes = names.map((name, i) => (i > 0 && name !== names[i - 1] ? 1 : 0));
  const perSecond = changes.map((_, i) =>
    changes.slice(i, i + Math.round(clip.frameRate)).reduce<number>((sum, change) => sum + change, 0),
  );
  const often = `changes up to ${Math.max(...perSecond)} times within a second`;
  return { where: describePlaces(boxes), boxes, colours: `${[...new Set(names)].join(' | ')}; ${often}` };
}

function boxesOfChanges(frames: readonly Uint8Array[]) {
  const different = [...new Set(frames)];
  const marks = new Uint8Array(frameSize.width * frameSize.height);
  const [first] = different as [Uint8Array];
  for (const frame of different.slice(1)) {
    for (let i = 0; i < frame.length; i++) if (frame[i] !== first[i]) marks[Math.floor(i / 3)] = 1;
  }
  const whole = { left: 0, top: 0, right: frameSize.width - 1, bottom: frameSize.height - 1 };
  return boxesOfMarks(marks, frameSize, whole);
}
