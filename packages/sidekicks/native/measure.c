/* Measures the smaller views of a frame: levels outside the limits, and dark pixels. */
#include "kernel.h"

/* The sum of each pixel and the pixels above and below it, from which `sum_neighbours` adds up nine pixels. */
VECTORISED static void sum_columns(const uint8_t *restrict plane, int32_t width, int32_t count, uint16_t *restrict sums) {
  for (int32_t i = width; i < count - width; i++) sums[i] = (uint16_t)(plane[i - width] + plane[i] + plane[i + width]);
}

VECTORISED static void sum_neighbours(const uint16_t *restrict columns, int32_t width, int32_t count,
                                      uint16_t *restrict sums) {
  for (int32_t i = width + 1; i < count - width - 1; i++)
    sums[i] = (uint16_t)(columns[i - 1] + columns[i] + columns[i + 1]);
}

static inline int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most_of(int32_t a, int32_t b) { return a > b ? a : b; }

/* Counts the pixels of a row that are outside the limits; keeps their lowest and highest level. */
VECTORISED static void count_row(const limits_t *limits, const uint16_t *restrict lumas, const uint16_t *restrict blues,
                                 const uint16_t *restrict reds, int32_t count, outside_t *outside) {
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

void measure_levels(const limits_t *limits, int32_t width, int32_t height, const uint8_t *yuv, uint16_t *room,
                    outside_t *outside) {
  const int32_t pixels = width * height;
  uint16_t *columns = room + 3 * pixels;
  for (int32_t plane = 0; plane < 3; plane++) {
    sum_columns(yuv + plane * pixels, width, pixels, columns);
    sum_neighbours(columns, width, pixels, room + plane * pixels);
  }
  *outside = (outside_t){.count = 0, .low = INT32_MAX, .high = INT32_MIN};
  for (int32_t y = 1; y < height - 1; y++) {
    const uint16_t *row = room + y * width + 1;
    count_row(limits, row, row + pixels, row + 2 * pixels, width - 2, outside);
  }
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
