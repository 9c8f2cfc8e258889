export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

/** Parses XML and throws an error if it is not well-formed. */
export function readXml(source: string): Element {
  const head = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/.exec(source);
  if (!head) throw new Error('there is no XML declaration');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const piece = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  piece.lastIndex = head[0].length;
  while (piece.lastIndex < source.length) {
    const at = piece.lastIndex;
    const [, isEnd, name = '', attributes = '', isEmpty, text] = piece.exec(source) ?? [];
    if (piece.lastIndex === 0) throw new Error(`not well-formed at ${source.slice(at, at + 60)}`);
    const parent = open.at(-1) as Element;
    if (text !== undefined) parent.text += decodeText(text);
    else if (isEnd) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> ends something else`);
    } else {
      const pairs = [...attributes.matchAll(/([\w.-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        decodeText(value),
      ]);
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || !only || others.length > 0 || root.text.trim()) throw new Error('there must be one root');
  return only;
}

function decodeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text)) throw new Error('a character that XML does not have');
  const bare = text.replace(/&(?:#(\d+)|lt|gt|amp|quot|apos);/g, (_, code) =>
    code ? String.fromCodePoint(code) : '_',
  );
  if (/&(?!)/.test(bare)) throw new Error('a bare &');
  return bare;
}
