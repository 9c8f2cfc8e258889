import type { VideoFormat } from '../../signal/observer.ts';
import { createPatternWatch } from '../pattern-watch.ts';
import type { PatternRun } from '../patterns.ts';

/** The size of the small frame of a 16:9 video. */
export const sceneSize = { width: 320, height: 180 };
const pixels = sceneSize.width * sceneSize.height;
const sceneFormat = {
  ...{ width: 1920, height: 1080, small: sceneSize, frameRate: 25, isFullRange: true, fieldOrder: null },
  ...{ matrix: 'bt709', primaries: 'bt709', transfer: 'bt1886', isRgb: false, isPlain: true, bits: 8 },
  ...{ pixelAspect: 1, hasAlpha: false },
} as VideoFormat;

/** The luminance in cd/m² at a position of the small frame and a time. */
export type Scene = (x: number, y: number, seconds: number) => number;

/** Each pixel is the average of this many samples across and down, as if a larger frame was scaled down. */
const samplesPerSide = 2;
/** BT.1886 codes by tenths of cd/m² on a display of 200 cd/m². */
const bt1886Codes = Float32Array.from({ length: 2001 }, (_, tenths) => 255 * (tenths / 2000) ** (1 / 2.4));
/** Frames that are equal at these positions are drawn only once, because drawing is slow. */
const comparedPositions = Array.from(
  { length: 200 },
  (_, i) => [(i * 61.7) % sceneSize.width, (i * 37.3) % sceneSize.height] as const,
);

function drawScene(scene: Scene, seconds: number): Uint8Array {
  const rgb = new Uint8Array(3 * pixels);
  for (let y = 0; y < sceneSize.height; y++)
    for (let x = 0; x < sceneSize.width; x++) {
      let sum = 0;
      for (let i = 0; i < samplesPerSide * samplesPerSide; i++) {
        const across = x + ((i % samplesPerSide) + 0.5) / samplesPerSide;
        const down = y + (Math.floor(i / samplesPerSide) + 0.5) / samplesPerSide;
        sum += bt1886Codes[Math.round(10 * scene(across, down, seconds))] ?? 0;
      }
      rgb.fill(Math.round(sum / samplesPerSide ** 2), 3 * (y * sceneSize.width + x), 3 * (y * sceneSize.width + x) + 3);
    }
  return rgb;
}

/** Shows the scene for this duration, and returns the runs that are found. */
export function findRuns(scene: Scene, { seconds = 1, frameRate = 25 } = {}): PatternRun[] {
  const watcher = createPatternWatch({ ...sceneFormat, frameRate });
  const drawn = new Map<string, Uint8Array>();
  for (let frame = 0; frame < Math.round(seconds * frameRate); frame++) {
    const at = frame / frameRate;
    const key = comparedPositions.map(([x, y]) => scene(x, y, at).toFixed(1)).join();
    const rgb = drawn.get(key) ?? drawScene(scene, at);
    drawn.set(key, rgb);
    watcher.take(at, rgb);
  }
  return watcher.end().runs;
}

type Stripes = {
  /** Direction perpendicular to the stripes, in degrees. */
  angle?: number;
  period?: number;
  light?: number;
  dark?: number;
  /** The share of a period that is light. */
  duty?: number;
  /** How far the stripes have moved, in periods. */
  phase?: (seconds: number) => number;
  isSine?: boolean;
};

const wave = (periods: number, duty: number, isSine: boolean) => {
  const part = periods - Math.floor(periods);
  return isSine ? (1 + Math.sin(2 * Math.PI * part)) / 2 : part < duty ? 1 : 0;
};

/** Stripes along the contour lines of `periods`. */
export function stripesAlong(
  periods: Scene,
  { light = 180, dark = 10, duty = 0.5, isSine = false }: Stripes = {},
): Scene {
  return (x, y, seconds) => dark + (light - dark) * wave(periods(x, y, seconds), duty, isSine);
}

export function stripes({ angle = 0, period = 16, phase = () => 0, ...rest }: Stripes = {}): Scene {
  const [across, down] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return stripesAlong((x, y, seconds) => ((x - 160) * across + (y - 90) * down) / period + phase(seconds), rest);
}

/** Places a scene in a box, on a uniform background. */
export function placeInBox(
  scene: Scene,
  box: { x?: number; y?: number; width: number; height: number },
  background = 10,
): Scene {
  const { x: left = 0, y: top = 0, width, height } = box;
  return (x, y, seconds) =>
    x >= left && x < left + width && y >= top && y < top + height ? scene(x, y, seconds) : background;
}
