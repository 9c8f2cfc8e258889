/*
 * Which pixels of a frame made a transition of luminance or of saturated red, compared with the frames before it.
 * `tracker.ts` in `src/evidence/pass/flashes` calls it; `samples/plain-tracker.ts` there says the same without speed.
 *
 * Everything is computed in integers of 16 bits, so that the compiler uses the widest vectors of the machine and every
 * machine gets the same numbers.
 */
#include "kernel.h"
#include <string.h>

enum { UP = 1, DOWN = 2 };
/* Hue of a pixel: a saturated red, one that may be far from any, or neither. */
enum { RED = 1, OTHER = 2 };
/* Edge of the cells that transitions are counted in, as a power of two. */
enum { CELL_SHIFT = 5 };
static const int32_t NEVER = INT32_MAX;

static inline int16_t linear_of(const int16_t *curve, int16_t value) {
  const int16_t t = (int16_t)(8 * value - 4 * WHITE);
  int16_t sum = curve[CURVE_DEGREE];
  for (int i = CURVE_DEGREE - 1; i >= 0; i--) sum = (int16_t)(scaled(sum, t) + curve[i]);
  return sum < 0 ? 0 : sum;
}

static inline int16_t level_of(const light_t *light, int16_t r, int16_t g, int16_t b) {
  const int16_t level =
      (int16_t)(scaled(r, light->red_weight) + scaled(g, light->green_weight) + scaled(b, light->blue_weight));
  const int16_t bright = (int16_t)(scaled(level, light->bright_scale) + light->bright_lift);
  return level < bright ? level : bright;
}

static inline uint8_t hue_of(const light_t *light, int16_t level, int16_t r, int16_t g, int16_t b) {
  const uint16_t others = (uint16_t)(g + b), quarter = (uint16_t)(r >> 2);
  const bool is_dark = level < light->hue_level_min;
  const bool is_red = !is_dark & (others <= quarter);
  return (uint8_t)(is_red | (is_dark | (others >= (uint16_t)scaled(r, light->other_share))) << 1);
}

/* What Cb and Cr add to R', G', B' of the pixels of a row. */
VECTORISED static void spread_chroma(const light_t *light, const uint8_t *restrict blues, const uint8_t *restrict reds,
                                     int32_t samples, int16_t *restrict r, int16_t *restrict g, int16_t *restrict b) {
  for (int32_t i = 0; i < samples; i++) {
    const int16_t blue = (int16_t)((blues[i] - 128) * 256);
    const int16_t red = (int16_t)((reds[i] - 128) * 256);
    r[2 * i] = r[2 * i + 1] = scaled(red, light->red_of_red);
    g[2 * i] = g[2 * i + 1] = (int16_t)(scaled(blue, light->green_of_blue) + scaled(red, light->green_of_red));
    b[2 * i] = b[2 * i + 1] = scaled(blue, light->blue_of_blue);
  }
}

VECTORISED static void level_luma_row(const light_t *light, const uint8_t *restrict luma, const int16_t *restrict rs,
                                      const int16_t *restrict gs, const int16_t *restrict bs, int32_t width,
                                      int16_t *restrict levels, uint8_t *restrict hues) {
  const light_t own = *light;
  for (int32_t x = 0; x < width; x++) {
    const int16_t y = scaled((int16_t)((luma[x] - own.black) * 128), own.luma_scale);
    const int16_t r = linear_of(own.curve, within((int16_t)(y + rs[x])));
    const int16_t g = linear_of(own.curve, within((int16_t)(y + gs[x])));
    const int16_t b = linear_of(own.curve, within((int16_t)(y + bs[x])));
    const int16_t level = level_of(&own, r, g, b);
    levels[x] = level;
    hues[x] = hue_of(&own, level, r, g, b);
  }
}

VECTORISED static void level_rgb_row(const light_t *light, const uint8_t *restrict rs, const uint8_t *restrict gs,
                                     const uint8_t *restrict bs, int32_t width, int16_t *restrict levels,
                                     uint8_t *restrict hues) {
  const light_t own = *light;
  for (int32_t x = 0; x < width; x++) {
    const int16_t r = linear_of(own.curve, (int16_t)(rs[x] * UNITS_PER_CODE));
    const int16_t g = linear_of(own.curve, (int16_t)(gs[x] * UNITS_PER_CODE));
    const int16_t b = linear_of(own.curve, (int16_t)(bs[x] * UNITS_PER_CODE));
    const int16_t level = level_of(&own, r, g, b);
    levels[x] = level;
    hues[x] = hue_of(&own, level, r, g, b);
  }
}

static int32_t chroma_size_of(const format_t *format) { return format->chroma_width * ((format->height + 1) / 2); }

static rgb_t colour_of(const format_t *format, const frame_t *frame, int32_t pixel) {
  const int32_t pixels = format->width * format->height;
  if (format->is_rgb)
    return (rgb_t){(int16_t)(frame->planes[2 * pixels + pixel] * UNITS_PER_CODE),
                   (int16_t)(frame->planes[pixel] * UNITS_PER_CODE),
                   (int16_t)(frame->planes[pixels + pixel] * UNITS_PER_CODE)};
  const int32_t row = pixel / format->width, x = pixel - row * format->width;
  const uint8_t *sample = frame->planes + pixels + (row / 2) * format->chroma_width + x / 2;
  return colour_of_codes(format->light, frame->planes[pixel], sample[0], sample[chroma_size_of(format)]);
}

/* For curves that no polynomial follows, one pixel after the other. */
static void level_row_by_tables(const format_t *format, const frame_t *frame, int32_t first) {
  const tables_t *tables = &format->tables;
  for (int32_t pixel = first; pixel < first + format->width; pixel++) {
    const rgb_t colour = colour_of(format, frame, pixel);
    const int32_t r = code_of(colour.r), g = code_of(colour.g), b = code_of(colour.b);
    const int16_t level = tables->levels[tables->parts[r] + tables->parts[256 + g] + tables->parts[512 + b]];
    frame->levels[pixel] = level;
    const bool has_hue = level >= format->light->hue_level_min;
    const bool is_red = has_hue && tables->linear[g] + tables->linear[b] <= tables->linear[r] / 4;
    frame->hues[pixel] = is_red ? RED : OTHER;
  }
}

/* `rows` has room for what chroma adds to three rows. */
static void level_row(const format_t *format, const frame_t *frame, int32_t y, int16_t *rows) {
  const int32_t width = format->width, pixels = width * format->height, first = y * width;
  const uint8_t *planes = frame->planes;
  int16_t *levels = frame->levels + first;
  uint8_t *hues = frame->hues + first;
  if (format->tables.levels) {
    level_row_by_tables(format, frame, first);
  } else if (format->is_rgb) {
    const uint8_t *g = planes + first, *b = g + pixels, *r = b + pixels;
    level_rgb_row(format->light, r, g, b, width, levels, hues);
  } else {
    const int32_t chroma_width = format->chroma_width;
    int16_t *r = rows, *g = r + 2 * chroma_width, *b = g + 2 * chroma_width;
    const uint8_t *blues = planes + pixels + (y / 2) * chroma_width;
    if (y % 2 == 0) spread_chroma(format->light, blues, blues + chroma_size_of(format), chroma_width, r, g, b);
    level_luma_row(format->light, planes + first, r, g, b, width, levels, hues);
  }
}

/* Marks pixels that differ by a step from any of the frames before. */
VECTORISED static void mark_steps(const int16_t *restrict now, const int16_t *restrict then, int16_t step, int32_t count,
                                  uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) {
    const int16_t change = (int16_t)(now[i] - then[i]);
    marks[i] |= (change >= step) | (change <= (int16_t)-step);
  }
}

/* Marks pixels of which one is a saturated red and the other may be far from it. */
VECTORISED static void mark_hues(const uint8_t *restrict now, const uint8_t *restrict then, int32_t count,
                                 uint8_t *restrict marks) {
  for (int32_t i = 0; i < count; i++) marks[i] |= ((now[i] & (then[i] >> 1)) | (then[i] & (now[i] >> 1))) & RED;
}

static int32_t age_of_last(const history_t *history, int32_t pixel) {
  for (int32_t i = 0; i < history->chunk_count; i++) {
    const uint32_t word = history->words[i][pixel];
    if (word) return history->frame - history->first_frames[i] - 31 + __builtin_clz(word);
  }
  return NEVER;
}

static void note(const format_t *format, history_t *history, int32_t pixel, uint8_t direction) {
  history->directions[pixel] = direction;
  history->words[0][pixel] |= 1u << (history->frame - history->first_frames[0]);
  history->transitions++;
  const int32_t y = pixel / format->width, x = pixel - y * format->width;
  const int32_t across = (format->width + (1 << CELL_SHIFT) - 1) >> CELL_SHIFT;
  (direction == UP ? history->cells_up : history->cells_down)[(y >> CELL_SHIFT) * across + (x >> CELL_SHIFT)]++;
}

/* In the same direction as the last, which it takes the place of: together they count once, the later. */
static void note_again(const format_t *format, history_t *history, int32_t pixel, uint8_t direction) {
  for (int32_t i = 0; i < history->chunk_count; i++) {
    const uint32_t word = history->words[i][pixel];
    if (!word) continue;
    history->words[i][pixel] = word & ~(1u << (31 - __builtin_clz(word)));
    break;
  }
  note(format, history, pixel, direction);
}

/* Whether the level has gone in one direction only since that frame. */
static bool is_monotone(const frame_t *frames, int32_t pixel, uint8_t direction, int32_t since) {
  for (int32_t age = 1; age <= since; age++) {
    const int16_t later = frames[age - 1].levels[pixel], earlier = frames[age].levels[pixel];
    if (direction == UP ? later < earlier : later > earlier) return false;
  }
  return true;
}

/* The nearest frame that differs by enough, no further back than the pixel's last transition. */
static void find_step(const format_t *format, const frame_t *frames, int32_t look_back, history_t *history,
                      int32_t pixel) {
  /* When the last one was lies far away in memory, and often does not matter. */
  int32_t last = look_back > 1 ? age_of_last(history, pixel) : 1;
  for (int32_t age = 1; age <= look_back && age <= last; age++) {
    const int32_t change = frames[0].levels[pixel] - frames[age].levels[pixel];
    if (change < format->step && change > -format->step) continue;
    const uint8_t direction = change > 0 ? UP : DOWN;
    if (history->directions[pixel] != direction) {
      note(format, history, pixel, direction);
      return;
    }
    /* It goes on as it went: the same transition. After a slow way back it is another that does not alternate. */
    last = age_of_last(history, pixel);
    if (last > look_back || !is_monotone(frames, pixel, direction, last))
      note_again(format, history, pixel, direction);
    return;
  }
}

/* Where the pixel lies in CIE 1976 u'v'. */
static void locate(const format_t *format, const frame_t *frame, int32_t pixel, double *u, double *v) {
  const hue_t *hue = format->hue;
  *u = hue->white_u;
  *v = hue->white_v;
  if (frame->levels[pixel] < format->light->hue_level_min) return;
  const rgb_t colour = colour_of(format, frame, pixel);
  const double *linear = format->tables.linear;
  const int16_t *curve = format->light->curve;
  const double r = linear ? linear[code_of(colour.r)] : linear_of(curve, colour.r);
  const double g = linear ? linear[code_of(colour.g)] : linear_of(curve, colour.g);
  const double b = linear ? linear[code_of(colour.b)] : linear_of(curve, colour.b);
  const double *m = hue->to_xyz;
  const double x = m[0] * r + m[1] * g + m[2] * b;
  const double y = m[3] * r + m[4] * g + m[5] * b;
  const double z = m[6] * r + m[7] * g + m[8] * b;
  *u = 4 * x / (x + 15 * y + 3 * z);
  *v = 9 * y / (x + 15 * y + 3 * z);
}

/* From or to a saturated red, of another hue. */
static void find_red(const format_t *format, const frame_t *frames, int32_t look_back, history_t *history,
                     int32_t pixel) {
  if (look_back > 1) { /* with one, it has changed */
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
    if (history->directions[pixel] != direction) note(format, history, pixel, direction);
    else if (last > look_back) note_again(format, history, pixel, direction);
    return;
  }
}

/* The place of the next mark from `x` on, eight at a time, as most are none; `marks` has seven more at its end, all 0. */
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

static void see_row(const format_t *format, const frame_t *frames, int32_t look_back, int32_t y, uint8_t *marks,
                    history_t *luminance, history_t *red) {
  const int32_t width = format->width, first = y * width;
  clear(marks, width);
  for (int32_t age = 1; age <= look_back; age++)
    mark_steps(frames[0].levels + first, frames[age].levels + first, format->step, width, marks);
  for (int32_t x = next_mark(marks, 0, width); x < width; x = next_mark(marks, x + 1, width))
    find_step(format, frames, look_back, luminance, first + x);
  clear(marks, width);
  for (int32_t age = 1; age <= look_back; age++)
    mark_hues(frames[0].hues + first, frames[age].hues + first, width, marks);
  for (int32_t x = next_mark(marks, 0, width); x < width; x = next_mark(marks, x + 1, width))
    find_red(format, frames, look_back, red, first + x);
}

void see_frame(const format_t *format, const frame_t *frames, int32_t look_back, int16_t *rows, uint8_t *marks,
               history_t *luminance, history_t *red) {
  for (int32_t y = 0; y < format->height; y++) {
    level_row(format, &frames[0], y, rows);
    see_row(format, frames, look_back, y, marks, luminance, red);
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

/* Marks sums of at least so many, and says how many there are. */
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
