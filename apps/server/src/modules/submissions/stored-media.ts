import type { Media } from '@assay/contract/schemas/media.ts';

/** The technical facts of an asset as stored with it. The poster itself is a still. */
export type StoredMedia = Omit<Media, 'poster'> & { poster: { timeMs: number } | null };
