import type { MarkdownRenderer } from 'vitepress';

/** Replaces the random ids of code groups with ids by position, so that two builds of the same pages are identical. */
export function numberCodeGroups(md: MarkdownRenderer): void {
  const rule = 'container_code-group_open';
  const render = md.renderer.rules[rule];
  if (!render) throw new Error(`VitePress no longer renders ${rule}`);
  md.renderer.rules[rule] = (tokens, position, ...rest) => {
    const ids = new Map<string, string>();
    return render(tokens, position, ...rest).replaceAll(
      /(?<= (?:name|id|for)=")(group|tab)-[\w-]+/g,
      (random, kind: string) => {
        const id = ids.get(random) ?? `${kind}-${position}-${ids.size}`;
        ids.set(random, id);
        return id;
      },
    );
  };
}
