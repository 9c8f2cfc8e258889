/** A clip in a file, with the truth about its flashes. */
export type MadeClip = {
  name: string;
  path: string;
  what: string;
  areas: readonly {
    where: string;
    boxes: readonly { x: number; y: number; width: number; height: number }[];
    /** Its colours, or what is laid over it, and how often they change. */
    colours: string;
  }[];
};
