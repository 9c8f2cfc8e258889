/** In pixels; `frames` is how many pictures of that size there are. */
export type ImageSize = { width: number; height: number; frames: number };
