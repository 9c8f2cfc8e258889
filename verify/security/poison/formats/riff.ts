import { latin, le } from './bytes.ts';

export const chunk = (id: string, ...parts: Uint8Array[]) => {
  const payload = Buffer.concat(parts);
  return Buffer.concat([latin(id), le.u32(payload.length), payload, Buffer.alloc(payload.length % 2)]);
};

/** A chunk with a false size. */
export const chunkWithSize = (id: string, claimedBytes: number, ...parts: Uint8Array[]) =>
  Buffer.concat([latin(id), le.u32(claimedBytes), ...parts]);

export type Wave = { format?: number; channels?: number; rate?: number; blockBytes?: number; bits?: number };

export const waveFormat = ({ format = 1, channels = 1, rate = 8000, bits = 16, blockBytes }: Wave) => {
  const frameBytes = blockBytes ?? (channels * bits) / 8;
  return chunk('fmt ', le.u16(format, channels), le.u32(rate, rate * frameBytes), le.u16(frameBytes, bits));
};

/** A WAV file whose header may be false. */
export const wave = (format: Wave, samples: Uint8Array, ...more: Uint8Array[]) =>
  chunk('RIFF', latin('WAVE'), waveFormat(format), ...more, chunk('data', samples));

export const list = (type: string, ...parts: Uint8Array[]) => chunk('LIST', latin(type), ...parts);
