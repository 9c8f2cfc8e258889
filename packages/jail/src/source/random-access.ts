/** Bytes that can be read at any offset, without loading all of them into memory. */
export type RandomAccess = {
  sizeBytes: number;
  /** Fills the target with the bytes from this offset on and returns how many were read. */
  read(target: Uint8Array, offset: number): Promise<number>;
};
