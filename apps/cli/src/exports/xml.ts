/** An element on a line of its own. `content` is XML. */
export function renderElement(name: string, attributes: Record<string, string | number>, content = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${pairs.join('')}${content ? `>${content}</${name}>` : '/>'}\n`;
}

/** XML 1.0 cannot represent most control characters, lone surrogates, U+FFFE and U+FFFF: they are removed. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[<>&"\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
