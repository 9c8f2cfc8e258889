import { describe, expect, test } from 'vitest';
import { describePlaces } from './place-words.ts';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

describe('a place in a frame is named as people say it', () => {
  test.each([
    ['the whole frame', box(0, 0, 1, 1)],
    ['the whole frame', box(0.01, 0.02, 0.98, 0.97)],
    ['most of the frame', box(0.1, 0.1, 0.8, 0.8)],
    ['most of the frame', box(0, 0.15, 1, 0.7)],
    ['the left half of the frame', box(0, 0, 0.5, 1)],
    ['the right third of the frame', box(0.67, 0, 0.33, 1)],
    ['the upper half of the frame', box(0, 0, 1, 0.5)],
    ['the lower third of the frame', box(0, 0.66, 1, 0.34)],
    ['a band at the top of the frame', box(0, 0.05, 1, 0.1)],
    ['a band across the middle of the frame', box(0, 0.45, 1, 0.1)],
    ['a strip down the middle of the frame', box(0.45, 0, 0.1, 1)],
    ['a strip at the right of the frame', box(0.9, 0, 0.1, 1)],
    ['the top left quarter of the frame', box(0, 0, 0.5, 0.5)],
    ['the bottom right quarter of the frame', box(0.5, 0.5, 0.5, 0.5)],
    ['the top left of the frame', box(0.1, 0.1, 0.2, 0.2)],
    ['the top of the frame', box(0.4, 0.1, 0.2, 0.2)],
    ['the left of the frame', box(0, 0.4, 0.2, 0.2)],
    ['the centre of the frame', box(0.4, 0.4, 0.2, 0.2)],
    ['the centre of the frame', box(0.25, 0.25, 0.5, 0.5)],
    ['the bottom right of the frame', box(0.9, 0.9, 0.1, 0.1)],
  ])('%s', (words, place) => expect(describePlaces([place])).toBe(words));

  test('several places are listed once each, and counted if they are many', () => {
    const corners = [box(0, 0, 0.1, 0.1), box(0.9, 0, 0.1, 0.1), box(0, 0.9, 0.1, 0.1), box(0.9, 0.9, 0.1, 0.1)];
    expect(describePlaces(corners.slice(0, 2))).toBe('the top left and the top right of the frame');
    expect(describePlaces([...corners.slice(0, 2), box(0.02, 0.12, 0.1, 0.1)])).toBe(
      'the top left and the top right of the frame',
    );
    expect(describePlaces(corners)).toBe('4 areas of the frame');
  });

  test('the whole is that of an image or a page if it is one, and nothing less is known without a box', () => {
    expect(describePlaces([box(0.4, 0.4, 0.2, 0.2)], 'page')).toBe('the centre of the page');
    expect(describePlaces([], 'image')).toBe('the whole image');
  });
});
