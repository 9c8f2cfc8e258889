/** A page of the site, with its path below docs/ and its Markdown text. */
export type Page = { path: string; text: string };

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function json(value: unknown): string {
  return fence('json', JSON.stringify(value, null, 2));
}

/** Escapes text of the contract, so that its angle brackets and braces are not taken for HTML and templates. */
export function escapeProse(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;')))
    .join('');
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Joins paragraphs with empty lines, leaving out undefined and empty ones. */
export function paragraphs(...parts: (string | undefined | false)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

export function frontMatter(entries: Record<string, string | number>): string {
  return ['---', ...Object.entries(entries).map(([name, value]) => `${name}: ${JSON.stringify(value)}`), '---'].join(
    '\n',
  );
}
