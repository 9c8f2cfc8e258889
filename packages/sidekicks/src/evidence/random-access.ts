/** Bytes that can be read at any place, without holding them all. */
export type RandomAccess = {
  sizeBytes: number;
  /** Fills the target from this offset on and says how many bytes there were. */
  read(target: Uint8Array, offset: number): Promise<number>;
};
