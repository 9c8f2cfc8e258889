import { declarationFor } from '@assay/testing/media/declared-as.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { Metadata } from '#evidence/file/metadata/metadata.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { sidekick } from '../sidekick.ts';

/** A tag as ExifTool reads it. */
export type TagRow = [family: string, group: string, name: string, value: string];

/** The findings for these tags, and for those that ffprobe reads. */
export function checkTags(
  rows: TagRow[],
  more: Partial<Metadata> = {},
  probeTags: Record<string, string> = {},
): Finding[] {
  const tags = rows.map(([family, group, name, value]) => ({ family, group, name, value, isEmbedded: false }));
  const evidence = {
    metadata: {
      ...{ reader: 'ExifTool 12.57', tags, track: null, complaints: [], thumbnails: [], photoCount: 0, hit: [] },
      ...more,
    },
    probe: {
      ...{ reader: 'ffprobe 5.1.9', container: 'mov', startSeconds: 0, durationSeconds: 1, bitsPerSecond: null },
      ...{ isEncrypted: false, streams: [], chapters: [] },
      tags: Object.entries(probeTags).map(([name, value]) => ({ name, value })),
    },
  } satisfies Partial<Evidence>;
  return sidekick.check(evidence as unknown as Evidence, declarationFor('a.mp4'));
}
