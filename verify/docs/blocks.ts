/** A fenced block of a page: its language, how it is tested, and its line. */
export type Block = { language: Language; marker: string; text: string; line: number };
type Language = keyof typeof markers;

/** The markers that may follow each language. A block without a marker (`''`) is simply run or parsed. */
const markers = {
  sh: ['', 'prelude', 'setup', 'background'],
  ts: ['', 'server', 'route-handler', 'background'],
  json: ['', 'SubmissionRequest', 'IssueStatusRequest', 'ProfileRequest', 'UploadUrlRequest'],
  yaml: [''],
  text: [''],
} as const;

/** Every block of a page, in order. Throws if a block cannot be tested. */
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

// Parses a fence such as "```ts server [Express]".
function kindOf(fence: string, line: number): Pick<Block, 'language' | 'marker'> {
  const [, language = '', marker = ''] = /^```(\S*) ?([\w-]*) ?(?:\[[^\]]+\])?$/.exec(fence) ?? [];
  const known: readonly string[] | undefined = markers[language as Language];
  if (!known?.includes(marker)) throw new Error(`line ${line}: no test for ${fence}`);
  return { language: language as Language, marker };
}
