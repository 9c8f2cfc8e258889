import type { DefaultTheme } from 'vitepress';

/** VitePress copies these functions into the page as text, so they cannot use anything outside themselves. */
const searchOptions = {
  /** A question is searched for by its other words: "how do I get notified" by "get" and "notified". */
  processTerm: (term: string): string | false =>
    /^(a|an|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|that|the|this|to|we|what|when|where|which|who|why|will|with|you|your)$/i.test(
      term,
    )
      ? false
      : term.toLowerCase(),
  /** Pages for users of the product come before those about its code. */
  boostDocument: (id: string): number => (/^\/docs\/(architecture|conformance|decisions)\b/.test(id) ? 0.2 : 1),
};

export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: { detailedView: true, miniSearch: { searchOptions } },
};
