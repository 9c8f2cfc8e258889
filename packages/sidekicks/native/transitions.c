/*
 * Finds the pixels of a frame that made a transition of luminance or of saturated red compared with previous frames.
 * Called by `src/evidence/media/decode/flashes/tracker.ts`. The reference implementation is `samples/plain-tracker.ts`
 * next to it.
 *
 * The loops over all pixels use 16-bit integers, so that the compiler can use the widest vectors of the CPU and results
 * are the same on every CPU.
 */
#include "kernel.h"
#include <string.h>

enum { UP = 1, DOWN = 2 };
static const int32_t NEVER = INT32_MAX;
enum { AGE_NEVER = UINT8_MAX };

/* A pixel, and the cell that it is in. */
typedef struct {
  int32_t pixel, cell;
} place_t;

static rgb_t colour_of(const format_t *format, const frame_t *frame, int32_t pixel) {
  const int32_t pixels = format->width * format->height;
  const bool is_deep = format->is_deep;
  const uint8_t *planes = frame->planes;
  if (format->is_rgb)
    return (rgb_t){prime_of(code_at(planes, 2 * pixels + pixel, is_deep), is_deep),
                   prime_of(code_at(planes, pixel, is_deep), is_deep),
                   prime_of(code_at(planes, pixels + pixel, is_deep), is_deep)};
  const int32_t row = pixel / format->width, x = pixel - row * format->width;
  const int32_t sample = pixels + (row / 2) * format->chroma_width + x / 2;
  return colour_of_codes(format->light, code_at(planes, pixel, is_deep), code_at(planes, sample, is_deep),
                         code_at(planes, sample + chroma_size_of(format), is_deep), is_deep);
}

VECTORISED static void grow_older(uint8_t *restrict ages, int32_t count) {
  for (int32_t i = 0; i < count; i++) ages[i] = (uint8_t)(ages[i] + (ages[i] < AGE_NEVER));
}

/*
 * Marks each pixel that differs by at least a step from the frame of age `age`; the mark is the direction of the
 * change. Marked pixels keep their mark: the nearest frame counts. Frames before the last transition of a pixel do not
 * count.
 */
VECTORISED static void mark_steps(const int16_t *restrict now, const int16_t *restrict then, int16_t step, uint8_t age,
                                  const uint8_t *restrict ages, int32_t count, uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) {
    const int16_t change = (int16_t)(now[i] - then[i]);
    const uint8_t direction = (uint8_t)((change >= step ? UP : 0) | (change <= (int16_t)-step ? DOWN : 0));
    const uint8_t mask = (marks[i] == 0) & (age <= ages[i]) ? 0xff : 0;
    marks[i] |= direction & mask;
  }
}

/*
 * `mark_steps` for a field whose lines are between those of `now`: `above` and `below` are the lines next to it. A pixel
 * has to differ from both, or the details of a still picture, which differ from line to line, would flash.
 */
VECTORISED static void mark_steps_between(const int16_t *restrict now, const int16_t *restrict above,
                                          const int16_t *restrict below, int16_t step, uint8_t age,
                                          const uint8_t *restrict ages, int32_t count, uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) {
    const int16_t low = above[i] < below[i] ? above[i] : below[i], high = above[i] < below[i] ? below[i] : above[i];
    const int16_t rise = (int16_t)(now[i] - high), fall = (int16_t)(now[i] - low);
    const uint8_t direction = (uint8_t)((rise >= step ? UP : 0) | (fall <= (int16_t)-step ? DOWN : 0));
    const uint8_t mask = (marks[i] == 0) & (age <= ages[i]) ? 0xff : 0;
    marks[i] |= direction & mask;
  }
}

/* Marks the pixels that are a saturated red in one frame and possibly far from it in the other. */
VECTORISED static void mark_hues(const uint8_t *restrict now, const uint8_t *restrict then, int32_t count,
                                 uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) marks[i] |= ((now[i] & (then[i] >> 1)) | (then[i] & (now[i] >> 1))) & RED;
}

/* `mark_hues` for a field whose lines are between those of `now`. */
VECTORISED static void mark_hues_between(const uint8_t *restrict now, const uint8_t *restrict above,
                                         const uint8_t *restrict below, int32_t count, uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) {
    const uint8_t both = above[i] & below[i];
    marks[i] |= ((now[i] & (both >> 1)) | (both & (now[i] >> 1))) & RED;
  }
}

static int32_t age_of_last(const history_t *history, int32_t pixel) {
  for (int32_t i = 0; i < history->chunk_count; i++) {
    const uint32_t word = history->words[i][pixel];
    if (word) return history->frame - history->first_frames[i] - 31 + __builtin_clz(word);
  }
  return NEVER;
}

static void note(history_t *history, place_t place, uint8_t direction) {
  history->directions[place.pixel] = direction;
  history->words[0][place.pixel] |= 1u << (history->frame - history->first_frames[0]);
  history->transitions++;
  (direction == UP ? history->cells_up : history->cells_down)[place.cell]++;
}

/* Replaces the last transition by one in the same direction: both count once, at the later time. */
static void note_again(history_t *history, place_t place, uint8_t direction) {
  for (int32_t i = 0; i < history->chunk_count; i++) {
    uint32_t *word = &history->words[i][place.pixel];
    if (!*word) continue;
    *word &= ~(1u << (31 - __builtin_clz(*word)));
    break;
  }
  note(history, place, direction);
}

/* Whether the level has only changed in this direction since the frame of age `since`. */
static bool is_monotone(const frame_t *frames, int32_t pixel, uint8_t direction, int32_t since) {
  for (int32_t age = 1; age <= since; age++) {
    const int16_t later = frames[age - 1].levels[pixel], earlier = frames[age].levels[pixel];
    if (direction == UP ? later < earlier : later > earlier) return false;
  }
  return true;
}

/* Records a change by a step, unless it continues the last transition. */
static void note_step(const frame_t *frames, int32_t look_back, history_t *history, uint8_t *ages, place_t place,
                      uint8_t direction) {
  const int32_t last = ages[place.pixel];
  if (history->directions[place.pixel] != direction) note(history, place, direction);
  /*
   * A monotone continuation is the same transition. After a slow return, it is another transition, which does not
   * alternate.
   */
  else if (last > look_back || !is_monotone(frames, place.pixel, direction, last))
    note_again(history, place, direction);
  else return;
  ages[place.pixel] = 0;
}

/* The chromaticity of a pixel in CIE 1976 u'v'. */
static void locate(const format_t *format, const frame_t *frame, int32_t pixel, double *u, double *v) {
  const hue_t *hue = format->hue;
  *u = hue->white_u;
  *v = hue->white_v;
  if (frame->levels[pixel] < format->light->hue_level_min) return;
  const rgb_t colour = colour_of(format, frame, pixel);
  const double *linear = format->tables.linear;
  const int16_t *curve = format->light->curve;
  const double r = linear ? linear[colour.r] : linear_of(curve, colour.r);
  const double g = linear ? linear[colour.g] : linear_of(curve, colour.g);
  const double b = linear ? linear[colour.b] : linear_of(curve, colour.b);
  const double *m = hue->to_xyz;
  const double x = m[0] * r + m[1] * g + m[2] * b;
  const double y = m[3] * r + m[4] * g + m[5] * b;
  const double z = m[6] * r + m[7] * g + m[8] * b;
  *u = 4 * x / (x + 15 * y + 3 * z);
  *v = 9 * y / (x + 15 * y + 3 * z);
}

/* Searches for a transition between a saturated red and a sufficiently different hue. */
static void find_red(const format_t *format, const frame_t *frames, int32_t look_back, history_t *history,
                     place_t place) {
  const int32_t pixel = place.pixel;
  if (look_back > 1) { /* with a single earlier frame, a marked pixel has changed */
    const rgb_t now = colour_of(format, &frames[0], pixel), before = colour_of(format, &frames[1], pixel);
    if (now.r == before.r && now.g == before.g && now.b == before.b) return;
  }
  const bool is_red = frames[0].hues[pixel] & RED;
  double u, v, then_u, then_v;
  locate(format, &frames[0], pixel, &u, &v);
  const int32_t last = age_of_last(history, pixel);
  for (int32_t age = 1; age <= look_back && age <= last; age++) {
    if ((bool)(frames[age].hues[pixel] & RED) == is_red) continue;
    locate(format, &frames[age], pixel, &then_u, &then_v);
    if ((u - then_u) * (u - then_u) + (v - then_v) * (v - then_v) < format->hue->far_squared) continue;
    const uint8_t direction = is_red ? UP : DOWN;
    if (history->directions[pixel] != direction) note(history, place, direction);
    else if (last > look_back) note_again(history, place, direction);
    return;
  }
}

/* The position of the next mark from `x` on. Reads eight bytes at a time because marks are rare; `marks` is padded with
 * seven zero bytes. */
static int32_t next_mark(const uint8_t *marks, int32_t x, int32_t width) {
  while (x < width && x % 8 != 0 && !marks[x]) x++;
  if (x >= width || marks[x]) return x;
  for (; x < width; x += 8) {
    uint64_t eight;
    memcpy(&eight, marks + x, sizeof eight);
    if (!eight) continue;
    while (!marks[x]) x++;
    break;
  }
  return x;
}

static void clear(uint8_t *marks, int32_t count) {
  if (count > 0) memset(marks, 0, (size_t)count);
}

VECTORISED static uint8_t has_red(const uint8_t *hues, int32_t count) {
  uint8_t all = 0;
  for (int32_t i = 0; i < count; i++) all |= hues[i];
  return all & RED;
}

static place_t place_of(const format_t *format, int32_t x, int32_t y) {
  return (place_t){.pixel = y * format->width + x,
                   .cell = (y >> CELL_SHIFT) * cells_across(format->width) + (x >> CELL_SHIFT)};
}

/* Offsets in a field of the lines above and below a line of the other field. */
typedef struct {
  int32_t above, below;
} between_t;

static between_t lines_next_to(const format_t *format, int32_t y) {
  const int32_t above = format->lines == EVEN_LINES ? y - 1 : y, last = format->height - 1;
  return (between_t){.above = (above < 0 ? 0 : above) * format->width,
                     .below = (above + 1 > last ? last : above + 1) * format->width};
}

static bool has_other_lines(const format_t *format, int32_t age) { return format->lines != FRAME && age % 2 == 1; }

static void see_luminance_row(const format_t *format, const frame_t *frames, int32_t look_back, int32_t y,
                              uint8_t *marks, uint8_t *ages, history_t *history) {
  const int32_t width = format->width, first = y * width;
  grow_older(ages + first, width);
  clear(marks, width);
  const int16_t *now = frames[0].levels + first;
  const between_t lines = lines_next_to(format, y);
  for (int32_t age = 1; age <= look_back; age++) {
    const int16_t *then = frames[age].levels;
    if (has_other_lines(format, age))
      mark_steps_between(now, then + lines.above, then + lines.below, format->step, (uint8_t)age, ages + first, width,
                         marks);
    else mark_steps(now, then + first, format->step, (uint8_t)age, ages + first, width, marks);
  }
  for (int32_t x = next_mark(marks, 0, width); x < width; x = next_mark(marks, x + 1, width))
    note_step(frames, look_back, history, ages, place_of(format, x, y), marks[x]);
}

static void see_red_row(const format_t *format, const frame_t *frames, int32_t look_back, int32_t y, uint8_t *marks,
                        history_t *history) {
  const int32_t width = format->width, first = y * width;
  frames[0].red_rows[y] = has_red(frames[0].hues + first, width);
  bool is_red = false;
  for (int32_t age = 0; age <= look_back; age++) is_red |= frames[age].red_rows[y];
  if (!is_red) return;
  clear(marks, width);
  const uint8_t *now = frames[0].hues + first;
  const between_t lines = lines_next_to(format, y);
  for (int32_t age = 1; age <= look_back; age++) {
    const uint8_t *then = frames[age].hues;
    if (has_other_lines(format, age)) mark_hues_between(now, then + lines.above, then + lines.below, width, marks);
    else mark_hues(now, then + first, width, marks);
  }
  for (int32_t x = next_mark(marks, 0, width); x < width; x = next_mark(marks, x + 1, width))
    find_red(format, frames, look_back, history, place_of(format, x, y));
}

void see_frame(const format_t *format, const frame_t *frames, int32_t look_back, int16_t *rows, uint8_t *marks,
               uint8_t *ages, history_t *luminance, history_t *red) {
  for (int32_t y = 0; y < format->height; y++) {
    level_row(format, &frames[0], y, rows);
    see_luminance_row(format, frames, look_back, y, marks, ages, luminance);
    see_red_row(format, frames, look_back, y, marks, red);
  }
}

VECTORISED static void count_bits(const uint32_t *restrict words, uint32_t bits, int32_t count, uint8_t *restrict sums) {
  for (int32_t i = 0; i < count; i++) {
    uint32_t word = words[i] & bits;
    word -= (word >> 1) & 0x55555555u;
    word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
    sums[i] = (uint8_t)(sums[i] + ((((word + (word >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24));
  }
}

/* Replaces each sum by whether it is at least `least`; returns the number of marks. */
VECTORISED static int32_t mark_least(uint8_t *restrict sums, int32_t count, uint8_t least) {
  int32_t marked = 0;
  for (int32_t i = 0; i < count; i++) {
    sums[i] = sums[i] >= least;
    marked += sums[i];
  }
  return marked;
}

marked_t mark_flashing(int32_t width, int32_t height, int32_t least, int32_t chunk_count, uint32_t *const *words,
                       const int32_t *bits, uint8_t *mask) {
  marked_t marked = {.count = 0, .left = width, .top = height, .right = -1, .bottom = -1};
  for (int32_t y = 0; y < height; y++) {
    uint8_t *row = mask + y * width;
    clear(row, width);
    for (int32_t i = 0; i < chunk_count; i++) count_bits(words[i] + y * width, (uint32_t)bits[i], width, row);
    const int32_t count = mark_least(row, width, (uint8_t)least);
    if (count == 0) continue;
    marked.count += count;
    if (y < marked.top) marked.top = y;
    marked.bottom = y;
    for (int32_t x = 0; x < marked.left; x++)
      if (row[x]) marked.left = x;
    for (int32_t x = width - 1; x > marked.right; x--)
      if (row[x]) marked.right = x;
  }
  return marked;
}
