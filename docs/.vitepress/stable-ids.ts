import type { MarkdownRenderer } from 'vitepress';

/** VitePress gives code groups random ids. Ids by position make two builds of the same pages identical. */
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
