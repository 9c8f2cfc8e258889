import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { createOutput, type Output } from './output.ts';
import { type Cell, formatTable } from './table.ts';
import { truncateEnd, truncateMiddle } from './text-width.ts';

const familyEmoji = '👨‍👩‍👧‍👦';

function openTerminal(columns: number, environment = {}): Output {
  return createOutput({ isTTY: true, columns } as NodeJS.WriteStream, environment);
}

/** The column in which each line shows `text`. */
function columnsOf(table: string, text: string): number[] {
  return table
    .split('\n')
    .map(stripVTControlCharacters)
    .map((line) => stringWidth(line.slice(0, line.indexOf(text))));
}

describe('formatTable', () => {
  test.each([
    ['plain text', 'Aurora.mp4'],
    ['wide characters', '夏のキャンペーン.mp4'],
    ['an emoji of several code points', `${familyEmoji}.mp4`],
    ['a flag', '🇩🇪.mp4'],
    ['combining accents', 'Gro\u0308\u00dfe.mp4'],
    ['full-width forms', 'ＡＢＣ.mp4'],
  ])('aligns the column after %s', (_, name) => {
    const rows: Cell[][] = [
      [name, '|'],
      ['a name that is longer than all', '|'],
    ];
    expect(columnsOf(formatTable(['FILE', '|'], rows, openTerminal(80)), '|')).toEqual([32, 32, 32]);
  });

  test('has the same layout with and without colours', () => {
    const rows: Cell[][] = [
      [
        { text: 'MAJOR', styles: ['red', 'bold'] },
        { text: 'The loudness is too high. '.repeat(5), styles: ['dim'] },
      ],
      [{ text: '夏', styles: ['yellow'] }, 'Short.'],
    ];
    const coloured = formatTable(['SEVERITY', 'SUMMARY'], rows, openTerminal(48));
    const uncoloured = formatTable(['SEVERITY', 'SUMMARY'], rows, openTerminal(48, { NO_COLOR: '1' }));
    expect(coloured).not.toBe(uncoloured);
    expect(stripVTControlCharacters(coloured)).toBe(uncoloured);
  });

  test.each([
    ['words', 'The programme is 5.4 LU too loud. '.repeat(6)],
    ['a word longer than the line', `https://assay.example/${'long-path/'.repeat(12)}`],
    ['wide characters without spaces', '夏のキャンペーン'.repeat(12)],
    ['emoji without spaces', familyEmoji.repeat(80)],
  ])('wraps the last column within the line width, aligned and without losing text, for %s', (_, text) => {
    const [header = '', ...lines] = formatTable(['RULE', 'SUMMARY'], [['LOUD-HIGH', text]], openTerminal(60)).split(
      '\n',
    );
    const indent = stripVTControlCharacters(header).indexOf('SUMMARY');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(stringWidth(line)).toBeLessThanOrEqual(60);
      expect(line.replaceAll(familyEmoji, ''), 'no emoji is split').not.toContain('\u200d');
    }
    for (const line of lines.slice(1)) expect(line).toMatch(new RegExp(`^ {${indent}}\\S`));
    const withoutSpace = (piece: string) => piece.replaceAll(/\s/g, '');
    expect(withoutSpace(lines.join(''))).toBe(withoutSpace(`LOUD-HIGH${text}`));
  });

  test('strips escape sequences from cells, because the text comes from files or the service', () => {
    const output = openTerminal(80, { NO_COLOR: '1' });
    expect(formatTable(['FILE', 'X'], [['\x1b[31mred\x1b[0m', '|']], output)).toBe('FILE  X\nred   |');
  });
});

describe('truncateMiddle and truncateEnd', () => {
  test.each(['夏のキャンペーン広告.mp4', `${familyEmoji.repeat(9)}.mp4`, 'Aurora_TVC_90s_EN_v3_final.mp4'])(
    'truncate %s to the width without splitting a character',
    (name) => {
      for (let width = 4; width < stringWidth(name); width++) {
        const truncated = [truncateMiddle(name, width), truncateEnd(name, width)];
        for (const text of truncated) {
          expect(stringWidth(text)).toBeLessThanOrEqual(width);
          expect(text).toContain('…');
          expect(name.startsWith(text.split('…')[0] ?? '')).toBe(true);
          expect(text.replaceAll(familyEmoji, '')).not.toContain('\u200d');
        }
        expect(name.endsWith(truncated[0]?.split('…')[1] ?? '')).toBe(true);
      }
      expect(truncateMiddle(name, stringWidth(name))).toBe(name);
    },
  );
});
