/* Counts marked pixels and their transitions in parts of the frame. */
#include "kernel.h"
#include <string.h>

/* Adds the transitions at one bit of a row of words; `states` has the direction of the next transition, newest first. */
VECTORISED static void count_bit(const uint32_t *restrict words, int32_t bit, const uint32_t *restrict marks,
                                 int32_t count, uint32_t *restrict states, int32_t *up, int32_t *down) {
  int32_t ups = 0, all = 0;
  for (int32_t i = 0; i < count; i++) {
    const uint32_t is = (words[i] >> bit) & 1u, counted = is & marks[i];
    ups += (int32_t)(counted & states[i]);
    all += (int32_t)counted;
    states[i] ^= is;
  }
  *up += ups;
  *down += all - ups;
}

/* Counts the transitions of every `stride`-th pixel of a row. `room` is scratch memory for three rows. */
static void collect_row(const events_t *events, const collected_t *from, int32_t first, int32_t count, uint32_t *room,
                        int32_t *ups, int32_t *downs) {
  const int32_t stride = events->stride, span = events->span;
  uint32_t *marks = room, *states = room + count, *words = room + 2 * count;
  uint32_t any = 0;
  for (int32_t i = 0; i < count; i++) {
    marks[i] = from->mask[first + i * stride] != 0;
    states[i] = from->directions[first + i * stride] == 1;
    any |= marks[i];
  }
  if (!any) return;
  for (int32_t chunk = 0; chunk < from->chunk_count; chunk++) {
    const int32_t newest = from->newest[chunk];
    uint32_t used = 0;
    for (int32_t i = 0; i < count; i++) used |= words[i] = from->words[chunk][first + i * stride];
    for (int32_t bit = newest < 31 ? newest : 31; bit >= 0; bit--) {
      const int32_t age = newest - bit;
      if (age >= span) return;
      if ((used >> bit) & 1u) count_bit(words, bit, marks, count, states, &ups[age], &downs[age]);
    }
  }
}

void collect_events(const events_t *events, const collected_t *from, uint32_t *room, int32_t *ups, int32_t *downs) {
  const int32_t stride = events->stride, count = (events->right - events->left) / stride + 1;
  memset(ups, 0, (size_t)events->span * sizeof *ups);
  memset(downs, 0, (size_t)events->span * sizeof *downs);
  for (int32_t y = events->top; y <= events->bottom; y += stride)
    collect_row(events, from, y * events->width + events->left, count, room, ups, downs);
}

VECTORISED static int32_t most_of_row(const int32_t *restrict above, const int32_t *restrict below, int32_t span,
                                      int32_t count) {
  int32_t most = 0;
  for (int32_t x = 0; x < count; x++) {
    const int32_t inside = below[x + span] - above[x + span] - below[x] + above[x];
    most = inside > most ? inside : most;
  }
  return most;
}

VECTORISED static void add_above(int32_t *restrict row, const int32_t *restrict above, int32_t count) {
  for (int32_t x = 0; x < count; x++) row[x] += above[x];
}

/* A summed-area table of the pixels with this mark, or with any mark if it is 0; its first row and column are 0. */
static void sum_up(const window_t *window, const uint8_t *marks, int32_t *table) {
  const int32_t wide = window->right - window->left + 1, high = window->bottom - window->top + 1, row = wide + 1;
  memset(table, 0, (size_t)row * sizeof *table);
  for (int32_t y = 0; y < high; y++) {
    const uint8_t *line = marks + (window->top + y) * window->frame_width + window->left;
    int32_t *sums = table + (y + 1) * row, sum = 0;
    sums[0] = 0;
    if (window->mark == 0)
      for (int32_t x = 0; x < wide; x++) sums[x + 1] = sum += line[x] != 0;
    else
      for (int32_t x = 0; x < wide; x++) sums[x + 1] = sum += line[x] == window->mark;
    add_above(sums, sums - row, row);
  }
}

/* Finds the place where a window contains the most marks; of several, the first by rows. */
fullest_t find_fullest(const window_t *window, const uint8_t *marks, int32_t *table) {
  const int32_t wide = window->right - window->left + 1, high = window->bottom - window->top + 1, row = wide + 1;
  const int32_t span_x = window->width < wide ? window->width : wide;
  const int32_t span_y = window->height < high ? window->height : high;
  sum_up(window, marks, table);
  fullest_t best = {.count = -1};
  for (int32_t y = 0; y + span_y <= high; y++) {
    const int32_t *above = table + y * row, *below = above + span_y * row;
    const int32_t most = most_of_row(above, below, span_x, wide - span_x + 1);
    if (most <= best.count) continue;
    int32_t x = 0;
    while (below[x + span_x] - above[x + span_x] - below[x] + above[x] != most) x++;
    best = (fullest_t){.count = most, .x = x, .y = y};
  }
  return best;
}
