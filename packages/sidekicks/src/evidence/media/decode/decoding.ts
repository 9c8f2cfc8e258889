/** The result of decoding a file. */
export type Decoding = {
  errorCount: number;
  /** The first few messages of the decoder. */
  messages: string[];
  /** The end of each decoded stream; `null` if the file has no such stream. */
  videoEndSeconds: number | null;
  audioEndSeconds: number | null;
  /** Whether all streams ended well before the declared end of the file. */
  isCutShort: boolean;
};
