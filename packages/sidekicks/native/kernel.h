/*
 * Shared by the files of the kernel: data types, the conversion of codes to colours, and the functions of each file.
 * `src/evidence/media/decode/signal/kernel.ts` documents the calls from TypeScript.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The sanitizer is not ready when the functions that choose a clone run. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORISED
#endif
#define INLINED static inline __attribute__((always_inline))

enum { CURVE_DEGREE = 5 };
enum { AGES_MAX = 9, CHUNKS_MAX = 16 };
/* R', G' and B' have 32 units per 8-bit code. */
enum { UNITS_PER_CODE = 32, WHITE = 255 * UNITS_PER_CODE };
/* Length of a table with one entry per unit. */
enum { TABLE_SIZE = WHITE + 1 };

/* Int16[], written by `light.ts`. */
typedef struct {
  int16_t black, luma_scale;                                           /* for codes × 128, or × 32 if deep */
  int16_t red_of_red, green_of_blue, green_of_red, blue_of_blue;       /* for codes × 256, or × 64 if deep */
  int16_t curve[CURVE_DEGREE + 1];                                     /* R', G' or B' from −1 to 1 → linear light */
  int16_t red_weight, green_weight, blue_weight;                       /* contributions to luminance */
  int16_t bright_scale, bright_lift;                                   /* bright levels are closer together */
  int16_t hue_level_min;                                               /* darker pixels have no hue */
  int16_t other_share;                                                 /* least (G + B) / R far from saturated red */
} light_t;

/* Float64[]: linear R, G, B → X, Y, Z; white in u'v'; the squared distance from which two hues differ. */
typedef struct {
  double to_xyz[9], white_u, white_v, far_squared;
} hue_t;

/* For PQ and HLG, which no polynomial fits: R', G', B' → terms of a sum → level; R', G' or B' → linear light. */
typedef struct {
  const int32_t *parts;
  const int16_t *levels;
  const double *linear;
} tables_t;

/* Transitions are counted in square cells; log2 of their edge in pixels. */
enum { CELL_SHIFT = 5 };

static inline int32_t cells_across(int32_t pixels) { return (pixels + (1 << CELL_SHIFT) - 1) >> CELL_SHIFT; }
static inline int32_t cell_count_of(int32_t width, int32_t height) { return cells_across(width) * cells_across(height); }

/* What the newest picture is: a frame, or the field of an interlaced frame that has its even or its odd lines. */
enum { FRAME, EVEN_LINES, ODD_LINES };

typedef struct {
  int32_t width, height, chroma_width;
  int32_t lines; /* of the newest picture; fields alternate, so those of an odd age have the other lines */
  bool is_rgb;
  bool is_deep; /* codes have 10 bits in two bytes instead of 8 bits */
  int16_t step; /* the smallest change of level that counts */
  const light_t *light;
  const hue_t *hue;
  tables_t tables; /* NULL pointers if the curve is a polynomial */
} format_t;

typedef struct {
  int16_t r, g, b;
} rgb_t;

typedef struct {
  const uint8_t *planes;
  int16_t *levels;
  uint8_t *hues;
  uint8_t *red_rows; /* for each row, whether it has a saturated red */
} frame_t;

/* For each pixel: the frames with a transition, one bit per frame, and the direction of the last transition. */
typedef struct {
  uint8_t *directions;
  int32_t *cells_up, *cells_down;
  int32_t chunk_count;
  uint32_t *words[CHUNKS_MAX]; /* newest first */
  int32_t first_frames[CHUNKS_MAX];
  int32_t frame, transitions;
} history_t;

/* Rounds. In this form compilers recognise the vector instruction for a rounded multiplication. */
static inline int16_t scaled(int16_t a, int16_t b) { return (int16_t)(((((int32_t)a * b) >> 14) + 1) >> 1); }

static inline int16_t within(int16_t value) {
  const int16_t positive = value < 0 ? 0 : value;
  return positive > WHITE ? WHITE : positive;
}

/* A code of a plane. Loops over all pixels pass a constant `is_deep`, so that the compiler removes the branch. */
INLINED int32_t code_at(const void *plane, int32_t place, bool is_deep) {
  return is_deep ? ((const uint16_t *)plane)[place] : ((const uint8_t *)plane)[place];
}

INLINED int16_t luma_of(const light_t *light, int32_t code, bool is_deep) {
  return scaled((int16_t)((code - light->black) * (is_deep ? 32 : 128)), light->luma_scale);
}

INLINED int16_t chroma_of(int32_t code, bool is_deep) {
  return (int16_t)(is_deep ? (code - 512) * 64 : (code - 128) * 256);
}

/* R', G' or B' of an RGB video. A 10-bit code is not a whole number of units, so it is rounded. */
INLINED int16_t prime_of(int32_t code, bool is_deep) {
  return is_deep ? within((int16_t)((2 * WHITE * code + 1023) / (2 * 1023))) : (int16_t)(code * UNITS_PER_CODE);
}

INLINED rgb_t colour_of_codes(const light_t *light, int32_t luma, int32_t blue_code, int32_t red_code, bool is_deep) {
  const int16_t y = luma_of(light, luma, is_deep);
  const int16_t blue = chroma_of(blue_code, is_deep), red = chroma_of(red_code, is_deep);
  return (rgb_t){within((int16_t)(y + scaled(red, light->red_of_red))),
                 within((int16_t)(y + scaled(blue, light->green_of_blue) + scaled(red, light->green_of_red))),
                 within((int16_t)(y + scaled(blue, light->blue_of_blue)))};
}

static inline int32_t code_of(int16_t units) { return (units + UNITS_PER_CODE / 2) / UNITS_PER_CODE; }

static inline int16_t linear_of(const int16_t *curve, int16_t value) {
  const int16_t t = (int16_t)(8 * value - 4 * WHITE);
  int16_t sum = curve[CURVE_DEGREE];
  for (int i = CURVE_DEGREE - 1; i >= 0; i--) sum = (int16_t)(scaled(sum, t) + curve[i]);
  return sum < 0 ? 0 : sum;
}

static inline int32_t chroma_size_of(const format_t *format) {
  return format->chroma_width * ((format->height + 1) / 2);
}

/* Hue of a pixel: a saturated red, possibly far from every saturated red, or neither. */
enum { RED = 1, OTHER = 2 };

/* Writes the levels and hues of a row. `rows` is scratch memory for three rows; it must be kept between calls. */
void level_row(const format_t *format, const frame_t *frame, int32_t y, int16_t *rows);

/*
 * Writes the levels and hues of the newest frame, `frames[0]`, and records its transitions in both histories. `rows` is
 * scratch memory for the chroma terms of R', G' and B' of a row, `marks` for a row plus seven bytes of padding. `ages`
 * has the number of frames since the last transition of luminance of each pixel, at most 255.
 */
void see_frame(const format_t *format, const frame_t *frames, int32_t look_back, int16_t *rows, uint8_t *marks,
               uint8_t *ages, history_t *luminance, history_t *red);

/* The number of marked pixels and their bounding box. */
typedef struct {
  int32_t count, left, top, right, bottom;
} marked_t;

/* Marks the pixels with at least `least` bits set in the words of all chunks. */
marked_t mark_flashing(int32_t width, int32_t height, int32_t least, int32_t chunk_count, uint32_t *const *words,
                       const int32_t *bits, uint8_t *mask);

/*
 * Scales a 4:2:0 frame (planes Y, Cb, Cr) down to packed 8-bit R'G'B'. `room` is scratch memory for a row of sums and
 * three small planes.
 */
typedef struct {
  int32_t width, height, small_width, small_height, is_deep;
} shrink_t;
void shrink_frame(const shrink_t *size, const light_t *light, const uint8_t *planes, uint16_t *room, uint8_t *rgb);

/* In units of 1/9 code with 18 fractional bits, from sums of nine codes; written by `levels.ts`. */
typedef struct {
  int32_t luma_start, luma_scale, red_of_red, green_of_red, green_of_blue, blue_of_blue;
  int32_t luma_min, luma_max, colour_min, colour_max;
} limits_t;

typedef struct {
  int32_t count, low, high;
} outside_t;

/*
 * Measures the sampled pixels outside the limits. `sums` has `count` sums of nine codes for each of Y, Cb and Cr: a pixel
 * and its eight neighbours.
 */
void measure_levels(const limits_t *limits, int32_t count, const uint16_t *sums, outside_t *outside);

/* A 4:2:0 frame, and the number of sampled pixels across and down. */
typedef struct {
  int32_t width, height, across, down, is_deep;
} sampled_t;

/*
 * Samples pixels at even distances: writes the 8-bit codes of each, and the sums of its codes and those of its eight
 * neighbours in the frame; planes Y, Cb, Cr.
 */
void sample_levels(const sampled_t *size, const uint8_t *planes, uint8_t *codes, uint16_t *sums);

typedef struct {
  double sum, dark;
} luma_t;

/* The sum of luma of packed R'G'B', and the number of pixels that are not brighter than `dark_max`. */
void measure_luma(const int32_t *weights, int32_t dark_max, const uint8_t *rgb, int32_t pixels, luma_t *luma);

/* A part of the frame of which every `stride`-th row and column is counted, over `span` frames. */
typedef struct {
  int32_t width, left, top, right, bottom, span, stride;
} events_t;

/* What is counted: the transitions of marked pixels. `newest` has the bit of the latest frame in each chunk. */
typedef struct {
  const uint8_t *mask, *directions;
  int32_t chunk_count;
  const int32_t *newest;
  const uint32_t *words[CHUNKS_MAX];
} collected_t;

/* Counts transitions by age and direction. `room` is scratch memory for three rows. */
void collect_events(const events_t *events, const collected_t *from, uint32_t *room, int32_t *ups, int32_t *downs);

/* The size of a window, and the part of the frame that has all marks. */
typedef struct {
  int32_t frame_width, left, top, right, bottom, width, height, mark;
} window_t;

typedef struct {
  int32_t count, x, y;
} fullest_t;

/* `table` is scratch memory for one number per pixel of the part, with an extra row and column. */
fullest_t find_fullest(const window_t *window, const uint8_t *marks, int32_t *table);
