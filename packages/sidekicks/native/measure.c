/* Measures the smaller views of a frame: levels outside the limits, and dark pixels. */
#include "kernel.h"

static inline int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most_of(int32_t a, int32_t b) { return a > b ? a : b; }

/* Counts the pixels that are outside the limits; keeps their lowest and highest level. */
VECTORISED static void count_outside(const limits_t *limits, const uint16_t *restrict lumas,
                                     const uint16_t *restrict blues, const uint16_t *restrict reds, int32_t count,
                                     outside_t *outside) {
  const limits_t own = *limits;
  int32_t found = 0, low = outside->low, high = outside->high;
  for (int32_t i = 0; i < count; i++) {
    const int32_t y = own.luma_start + own.luma_scale * lumas[i];
    const int32_t blue = blues[i] - 9 * 128, red = reds[i] - 9 * 128;
    const int32_t r = y + own.red_of_red * red;
    const int32_t g = y + own.green_of_red * red + own.green_of_blue * blue;
    const int32_t b = y + own.blue_of_blue * blue;
    const int32_t least = least_of(r, least_of(g, b)), most = most_of(r, most_of(g, b));
    const bool is_outside =
        (y < own.luma_min) | (y > own.luma_max) | (least < own.colour_min) | (most > own.colour_max);
    found += is_outside;
    low = least_of(low, is_outside ? least_of(y, least) : low);
    high = most_of(high, is_outside ? most_of(y, most) : high);
  }
  *outside = (outside_t){outside->count + found, low, high};
}

void measure_levels(const limits_t *limits, int32_t count, const uint16_t *sums, outside_t *outside) {
  *outside = (outside_t){.count = 0, .low = INT32_MAX, .high = INT32_MIN};
  count_outside(limits, sums, sums + count, sums + 2 * count, count, outside);
}

/* Rounds away from mid-scale, so that a 10-bit code beyond a limit stays beyond it in 8 bits: 19 → 4 and 20 → 5. */
INLINED int32_t eight_bits_at(const uint8_t *plane, int32_t place, bool is_deep) {
  const int32_t code = code_at(plane, place, is_deep);
  if (!is_deep) return code;
  return least_of(255, code < 512 ? code >> 2 : (code + 3) >> 2);
}

/* A position and those before and after it; at the edge of a frame, the position itself. */
typedef struct {
  int32_t at[3];
} near_t;

/* Around the centre of one of `count` equal parts, which is not at an edge if there are three pixels or more. */
static near_t near_centre_of(int32_t part, int32_t count, int32_t size) {
  const int32_t middle = (int32_t)((2 * (int64_t)part + 1) * size / (2 * count));
  const int32_t centre = most_of(least_of(1, size - 1), least_of(size - 2, middle));
  return (near_t){{most_of(0, centre - 1), centre, least_of(size - 1, centre + 1)}};
}

static near_t halved(near_t near) { return (near_t){{near.at[0] / 2, near.at[1] / 2, near.at[2] / 2}}; }

/* Writes the code in the middle, and returns the sum of nine codes. */
INLINED uint16_t sum_around(const uint8_t *plane, int32_t row_length, near_t xs, near_t ys, bool is_deep,
                            uint8_t *code) {
  int32_t sum = 0;
  for (int32_t v = 0; v < 3; v++)
    for (int32_t u = 0; u < 3; u++) sum += eight_bits_at(plane, ys.at[v] * row_length + xs.at[u], is_deep);
  *code = (uint8_t)eight_bits_at(plane, ys.at[1] * row_length + xs.at[1], is_deep);
  return (uint16_t)sum;
}

INLINED void sample_planes(const sampled_t *size, const uint8_t *planes, bool is_deep, uint8_t *codes, uint16_t *sums) {
  const int32_t width = size->width, height = size->height, count = size->across * size->down;
  const int32_t chroma_width = (width + 1) / 2, bytes = is_deep ? 2 : 1;
  const uint8_t *blues = planes + bytes * width * height, *reds = blues + bytes * chroma_width * ((height + 1) / 2);
  for (int32_t v = 0, at = 0; v < size->down; v++) {
    const near_t ys = near_centre_of(v, size->down, height), chroma_ys = halved(ys);
    for (int32_t u = 0; u < size->across; u++, at++) {
      const near_t xs = near_centre_of(u, size->across, width), chroma_xs = halved(xs);
      sums[at] = sum_around(planes, width, xs, ys, is_deep, codes + at);
      sums[count + at] = sum_around(blues, chroma_width, chroma_xs, chroma_ys, is_deep, codes + count + at);
      sums[2 * count + at] = sum_around(reds, chroma_width, chroma_xs, chroma_ys, is_deep, codes + 2 * count + at);
    }
  }
}

void sample_levels(const sampled_t *size, const uint8_t *planes, uint8_t *codes, uint16_t *sums) {
  if (size->is_deep) sample_planes(size, planes, true, codes, sums);
  else sample_planes(size, planes, false, codes, sums);
}

VECTORISED void measure_luma(const int32_t *weights, int32_t dark_max, const uint8_t *rgb, int32_t pixels,
                             luma_t *luma) {
  const int32_t red = weights[0], green = weights[1], blue = weights[2];
  int64_t sum = 0;
  int32_t dark = 0;
  for (int32_t i = 0; i < pixels; i++) {
    const int32_t value = red * rgb[3 * i] + green * rgb[3 * i + 1] + blue * rgb[3 * i + 2];
    sum += value;
    dark += value <= dark_max;
  }
  *luma = (luma_t){(double)sum, dark};
}
