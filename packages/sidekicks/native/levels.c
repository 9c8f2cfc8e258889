/*
 * Converts the codes of a frame to levels and hues. A level is luminance on a scale where equal steps count equally.
 * SDR transfer functions are evaluated as polynomials, PQ and HLG by lookup tables.
 */
#include "kernel.h"

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

/* Computes the chroma terms of R', G' and B' for the pixels of a row. */
INLINED void spread(const light_t *light, const void *restrict blues, const void *restrict reds, int32_t samples,
                    bool is_deep, int16_t *restrict r, int16_t *restrict g, int16_t *restrict b) {
  for (int32_t i = 0; i < samples; i++) {
    const int16_t blue = chroma_of(code_at(blues, i, is_deep), is_deep);
    const int16_t red = chroma_of(code_at(reds, i, is_deep), is_deep);
    r[2 * i] = r[2 * i + 1] = scaled(red, light->red_of_red);
    g[2 * i] = g[2 * i + 1] = (int16_t)(scaled(blue, light->green_of_blue) + scaled(red, light->green_of_red));
    b[2 * i] = b[2 * i + 1] = scaled(blue, light->blue_of_blue);
  }
}

VECTORISED static void spread_chroma(const light_t *light, const uint8_t *restrict blues, const uint8_t *restrict reds,
                                     int32_t samples, bool is_deep, int16_t *restrict r, int16_t *restrict g,
                                     int16_t *restrict b) {
  if (is_deep) spread(light, blues, reds, samples, true, r, g, b);
  else spread(light, blues, reds, samples, false, r, g, b);
}

VECTORISED static void level_luma_row(const light_t *light, const uint8_t *restrict luma, const int16_t *restrict rs,
                                      const int16_t *restrict gs, const int16_t *restrict bs, int32_t width,
                                      int16_t *restrict levels, uint8_t *restrict hues) {
  const light_t own = *light;
  for (int32_t x = 0; x < width; x++) {
    const int16_t y = luma_of(&own, luma[x], false);
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
    const int16_t r = linear_of(own.curve, prime_of(rs[x], false));
    const int16_t g = linear_of(own.curve, prime_of(gs[x], false));
    const int16_t b = linear_of(own.curve, prime_of(bs[x], false));
    const int16_t level = level_of(&own, r, g, b);
    levels[x] = level;
    hues[x] = hue_of(&own, level, r, g, b);
  }
}

/* Adds luma to the chroma terms, which gives R', G' and B' of a row. */
INLINED void add_luma_row(const light_t *light, const void *restrict luma, int32_t width, bool is_deep,
                          int16_t *restrict r, int16_t *restrict g, int16_t *restrict b) {
  const light_t own = *light;
  for (int32_t x = 0; x < width; x++) {
    const int16_t y = luma_of(&own, code_at(luma, x, is_deep), is_deep);
    r[x] = within((int16_t)(y + r[x]));
    g[x] = within((int16_t)(y + g[x]));
    b[x] = within((int16_t)(y + b[x]));
  }
}

VECTORISED static void add_luma(const light_t *light, const uint8_t *restrict luma, int32_t width, bool is_deep,
                                int16_t *restrict r, int16_t *restrict g, int16_t *restrict b) {
  if (is_deep) add_luma_row(light, luma, width, true, r, g, b);
  else add_luma_row(light, luma, width, false, r, g, b);
}

static void copy_primes(const uint8_t *plane, int32_t width, bool is_deep, int16_t *primes) {
  for (int32_t x = 0; x < width; x++) primes[x] = prime_of(code_at(plane, x, is_deep), is_deep);
}

/* For PQ and HLG. Table lookups are not vectorised. */
static void level_row_by_tables(const format_t *format, const int16_t *r, const int16_t *g, const int16_t *b,
                                int16_t *levels, uint8_t *hues) {
  const int32_t *red_parts = format->tables.parts, *green_parts = red_parts + TABLE_SIZE,
                *blue_parts = green_parts + TABLE_SIZE;
  const double *linear = format->tables.linear;
  for (int32_t x = 0; x < format->width; x++) {
    const int16_t level = format->tables.levels[red_parts[r[x]] + green_parts[g[x]] + blue_parts[b[x]]];
    levels[x] = level;
    /* The first two conditions hold for every saturated red and are cheap. */
    const bool is_red = r[x] > g[x] && r[x] > b[x] && level >= format->light->hue_level_min &&
                        linear[g[x]] + linear[b[x]] <= linear[r[x]] / 4;
    hues[x] = is_red ? RED : OTHER;
  }
}

static void level_row_of_wide_range(const format_t *format, const uint8_t *planes, int32_t y, int16_t *rows,
                                    int16_t *levels, uint8_t *hues) {
  const int32_t width = format->width, chroma_width = format->chroma_width, bytes = format->is_deep ? 2 : 1;
  const int32_t size = bytes * width * format->height;
  int16_t *r = rows, *g = r + 2 * chroma_width, *b = g + 2 * chroma_width;
  const uint8_t *row = planes + bytes * y * width;
  if (format->is_rgb) {
    copy_primes(row, width, format->is_deep, g);
    copy_primes(row + size, width, format->is_deep, b);
    copy_primes(row + 2 * size, width, format->is_deep, r);
  } else {
    const uint8_t *blues = planes + size + bytes * (y / 2) * chroma_width;
    const uint8_t *reds = blues + bytes * chroma_size_of(format);
    spread_chroma(format->light, blues, reds, chroma_width, format->is_deep, r, g, b);
    add_luma(format->light, row, width, format->is_deep, r, g, b);
  }
  level_row_by_tables(format, r, g, b, levels, hues);
}

void level_row(const format_t *format, const frame_t *frame, int32_t y, int16_t *rows) {
  const int32_t width = format->width, pixels = width * format->height, first = y * width;
  const uint8_t *planes = frame->planes;
  int16_t *levels = frame->levels + first;
  uint8_t *hues = frame->hues + first;
  if (format->tables.levels) {
    level_row_of_wide_range(format, planes, y, rows, levels, hues);
  } else if (format->is_rgb) {
    const uint8_t *g = planes + first, *b = g + pixels, *r = b + pixels;
    level_rgb_row(format->light, r, g, b, width, levels, hues);
  } else {
    const int32_t chroma_width = format->chroma_width;
    int16_t *r = rows, *g = r + 2 * chroma_width, *b = g + 2 * chroma_width;
    const uint8_t *blues = planes + pixels + (y / 2) * chroma_width;
    if (y % 2 == 0) spread_chroma(format->light, blues, blues + chroma_size_of(format), chroma_width, false, r, g, b);
    level_luma_row(format->light, planes + first, r, g, b, width, levels, hues);
  }
}
