/* Scales frames down for checks that do not need every pixel. */
#include "kernel.h"

VECTORISED static void add_row(const uint8_t *restrict row, int32_t count, uint16_t *restrict sums) {
  for (int32_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
}

VECTORISED static void add_deep_row(const uint16_t *restrict row, int32_t count, uint16_t *restrict sums) {
  for (int32_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
}

/* Averages consecutive runs of `run` sums. Callers pass a constant `run`, so that the compiler vectorises the loop. */
INLINED void mean_runs(const uint16_t *restrict sums, int32_t count, int32_t run, float share,
                       uint16_t *restrict means) {
  for (int32_t i = 0; i < count; i++) {
    int32_t sum = 0;
    for (int32_t k = 0; k < run; k++) sum += sums[i * run + k];
    means[i] = (uint16_t)((float)sum * share + 0.5f);
  }
}

VECTORISED static void mean_even_runs(const uint16_t *sums, int32_t count, int32_t run, float share, uint16_t *means) {
  if (run == 1) mean_runs(sums, count, 1, share, means);
  else if (run == 2) mean_runs(sums, count, 2, share, means);
  else if (run == 3) mean_runs(sums, count, 3, share, means);
  else if (run == 4) mean_runs(sums, count, 4, share, means);
  else if (run == 6) mean_runs(sums, count, 6, share, means);
  else mean_runs(sums, count, run, share, means);
}

static void mean_uneven_runs(const uint16_t *sums, int32_t width, int32_t count, int32_t rows, uint16_t *means) {
  for (int32_t i = 0; i < count; i++) {
    const int32_t left = i * width / count, end = (i + 1) * width / count, right = end > left ? end : left + 1;
    int32_t sum = 0;
    for (int32_t x = left; x < right; x++) sum += sums[x];
    means[i] = (uint16_t)((float)sum / (float)((right - left) * rows) + 0.5f);
  }
}

/* Each pixel of the small plane is the mean of the pixels that it covers, at least one. */
static void shrink_plane(const shrink_t *size, const uint8_t *plane, int32_t width, int32_t height, uint16_t *sums,
                         uint16_t *small) {
  const int32_t small_width = size->small_width, small_height = size->small_height, run = width / small_width;
  for (int32_t v = 0; v < small_height; v++) {
    const int32_t top = v * height / small_height, end = (v + 1) * height / small_height;
    const int32_t bottom = end > top ? end : top + 1, rows = bottom - top;
    uint16_t *means = small + v * small_width;
    for (int32_t x = 0; x < width; x++) sums[x] = 0;
    for (int32_t y = top; y < bottom; y++) {
      if (size->is_deep) add_deep_row((const uint16_t *)plane + y * width, width, sums);
      else add_row(plane + y * width, width, sums);
    }
    if (width % small_width == 0) mean_even_runs(sums, small_width, run, 1.0f / (float)(run * rows), means);
    else mean_uneven_runs(sums, width, small_width, rows, means);
  }
}

INLINED void to_rgb(const light_t *light, const uint16_t *restrict planes, int32_t pixels, bool is_deep,
                    uint8_t *restrict rgb) {
  const light_t own = *light;
  for (int32_t i = 0; i < pixels; i++) {
    const rgb_t colour = colour_of_codes(&own, planes[i], planes[pixels + i], planes[2 * pixels + i], is_deep);
    rgb[3 * i] = (uint8_t)code_of(colour.r);
    rgb[3 * i + 1] = (uint8_t)code_of(colour.g);
    rgb[3 * i + 2] = (uint8_t)code_of(colour.b);
  }
}

VECTORISED static void write_rgb(const light_t *light, const uint16_t *restrict planes, int32_t pixels, bool is_deep,
                                 uint8_t *restrict rgb) {
  if (is_deep) to_rgb(light, planes, pixels, true, rgb);
  else to_rgb(light, planes, pixels, false, rgb);
}

void shrink_frame(const shrink_t *size, const light_t *light, const uint8_t *planes, uint16_t *room, uint8_t *rgb) {
  const int32_t width = size->width, height = size->height, bytes = size->is_deep ? 2 : 1;
  const int32_t chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
  const int32_t pixels = size->small_width * size->small_height;
  const uint8_t *blues = planes + bytes * width * height, *reds = blues + bytes * chroma_width * chroma_height;
  uint16_t *small = room + width;
  shrink_plane(size, planes, width, height, room, small);
  shrink_plane(size, blues, chroma_width, chroma_height, room, small + pixels);
  shrink_plane(size, reds, chroma_width, chroma_height, room, small + 2 * pixels);
  write_rgb(light, small, pixels, size->is_deep, rgb);
}
