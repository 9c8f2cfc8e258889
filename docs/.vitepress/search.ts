import type { DefaultTheme } from 'vitepress';

/** VitePress copies the source of these functions into the page, so they cannot refer to anything outside. */
const searchOptions = {
  /** Ignores common words: "how do I get notified" searches for "get" and "notified". */
  processTerm: (term: string): string | false =>
    /^(a|an|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|that|the|this|to|we|what|when|where|which|who|why|will|with|you|your)$/i.test(
      term,
    )
      ? false
      : term.toLowerCase(),
  /** Ranks pages for users of the product above pages about its code. */
  boostDocument: (id: string): number => (/^\/docs\/(architecture|conformance|decisions)\b/.test(id) ? 0.2 : 1),
};

export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: { detailedView: true, miniSearch: { searchOptions } },
};
