export type FlashKind = 'luminance' | 'red';

/** In shares of the frame's width and height. */
export type FlashBox = { x: number; y: number; width: number; height: number };

/** A still of a flash: its two states side by side. */
export type FlashStill = {
  kind: FlashKind;
  /** A period in which it flashes, from which the two frames are chosen. */
  startSeconds: number;
  endSeconds: number;
  /** The boxes around what flashes. If there are none, they are drawn around what differs between the two frames. */
  boxes: readonly FlashBox[];
  /** Whether it was found in fields: the two states can be the two fields of a frame. */
  isByField: boolean;
};
