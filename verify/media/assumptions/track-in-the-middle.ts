import { made } from './assumption.ts';
import { lavfi } from './sources.ts';

/** A transport stream with a second track that neither its first 20 s nor its end declare. */
export async function withTrackInTheMiddle(first: string, second: string): Promise<Buffer> {
  const codec = '-c:a mp2 -b:a 192k';
  const part = (sources: string, offset: number) => made('.ts', `${sources} ${codec} -output_ts_offset ${offset}`);
  const long = first.replace(/d=\d+$/, 'd=26');
  return Buffer.concat([
    await part(`${lavfi(long)} -map 0`, 0),
    await part(`${lavfi(first, second)} -map 0 -map 1`, 26),
    await part(`${lavfi(long)} -map 0`, 28),
  ]);
}
