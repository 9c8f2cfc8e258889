/** In pixels; `frames` is the number of images of that size. */
export type ImageSize = { width: number; height: number; frames: number };
