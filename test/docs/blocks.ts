/** A fenced block of a page: what it is written in, how it is to be tried, and where it stands. */
export type Block = { language: Language; marker: string; text: string; line: number };
type Language = keyof typeof markers;

/** What may stand behind the language. `''` is a block that is simply run, or parsed. */
const markers = {
  sh: ['', 'prelude', 'setup', 'background'],
  ts: ['', 'server', 'route-handler', 'background'],
  json: ['', 'SubmissionRequest', 'IssueStatusRequest', 'UploadUrlRequest'],
  yaml: [''],
  text: [''],
} as const;

/** Every block in the order of the page. One that nobody knows how to try is an error. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  page.split('\n').forEach((line, i) => {
    if (open && line === '```') {
      blocks.push(open);
      open = undefined;
    } else if (open) {
      open.text += `${line}\n`;
    } else if (line.trimStart().startsWith('```')) {
      open = { ...kindOf(line, i + 1), text: '', line: i + 1 };
    }
  });
  if (open) throw new Error(`line ${open.line}: the block does not end`);
  return blocks;
}

// ```ts server [Express]
function kindOf(fence: string, line: number): Pick<Block, 'language' | 'marker'> {
  const [, language = '', marker = ''] = /^```(\S*) ?([\w-]*) ?(?:\[[^\]]+\])?$/.exec(fence) ?? [];
  const known: readonly string[] | undefined = markers[language as Language];
  if (!known?.includes(marker)) throw new Error(`line ${line}: nobody knows how to try ${fence}`);
  return { language: language as Language, marker };
}
