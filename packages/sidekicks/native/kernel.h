/*
 * What the files of the kernel share: what it computes with, how codes become colours, and what each file offers.
 * `src/evidence/pass/flashes/kernel.ts` says how it is called.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#define VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORISED
#endif

enum { CURVE_DEGREE = 5 };
enum { AGES_MAX = 9, CHUNKS_MAX = 16 };
/* R', G' and B' have 32 units for a code of 8 bits. */
enum { UNITS_PER_CODE = 32, WHITE = 255 * UNITS_PER_CODE };

/* Int16[]: as `light.ts` writes it. */
typedef struct {
  int16_t black, luma_scale;                                           /* of codes × 128 */
  int16_t red_of_red, green_of_blue, green_of_red, blue_of_blue;       /* of codes × 256 */
  int16_t curve[CURVE_DEGREE + 1];                                     /* R', G' or B' from −1 to 1 → linear light */
  int16_t red_weight, green_weight, blue_weight;                       /* shares of luminance */
  int16_t bright_scale, bright_lift;                                   /* bright levels are closer together */
  int16_t hue_level_min;                                               /* what is darker has no hue */
  int16_t other_share;                                                 /* of red in what is far from any saturated red */
} light_t;

/* Float64[]: linear R, G, B → X, Y, Z; white in u'v'; how far two hues are apart, squared. */
typedef struct {
  double to_xyz[9], white_u, white_v, far_squared;
} hue_t;

/* For curves that no polynomial follows: codes of R', G', B' → their parts of a sum → level; codes → linear light. */
typedef struct {
  const int32_t *parts;
  const int16_t *levels;
  const double *linear;
} tables_t;

typedef struct {
  int32_t width, height, chroma_width;
  bool is_rgb;
  int16_t step; /* the least change of level that counts */
  const light_t *light;
  const hue_t *hue;
  tables_t tables; /* or none */
} format_t;

typedef struct {
  int16_t r, g, b;
} rgb_t;

typedef struct {
  const uint8_t *planes;
  int16_t *levels;
  uint8_t *hues;
} frame_t;

/* Of each pixel, at which frames it made a transition, as bits, and in which direction the last. */
typedef struct {
  uint8_t *directions;
  int32_t *cells_up, *cells_down;
  int32_t chunk_count;
  uint32_t *words[CHUNKS_MAX]; /* newest first */
  int32_t first_frames[CHUNKS_MAX];
  int32_t frame, transitions;
} history_t;

/* Rounded, and written so that the compiler knows the instruction for it. */
static inline int16_t scaled(int16_t a, int16_t b) { return (int16_t)(((((int32_t)a * b) >> 14) + 1) >> 1); }

static inline int16_t within(int16_t value) {
  const int16_t positive = value < 0 ? 0 : value;
  return positive > WHITE ? WHITE : positive;
}

/* R', G' and B' of a pixel. */
static inline rgb_t colour_of_codes(const light_t *light, uint8_t luma, uint8_t blue_code, uint8_t red_code) {
  const int16_t y = scaled((int16_t)((luma - light->black) * 128), light->luma_scale);
  const int16_t blue = (int16_t)((blue_code - 128) * 256);
  const int16_t red = (int16_t)((red_code - 128) * 256);
  return (rgb_t){within((int16_t)(y + scaled(red, light->red_of_red))),
                 within((int16_t)(y + scaled(blue, light->green_of_blue) + scaled(red, light->green_of_red))),
                 within((int16_t)(y + scaled(blue, light->blue_of_blue)))};
}

static inline int32_t code_of(int16_t units) { return (units + UNITS_PER_CODE / 2) / UNITS_PER_CODE; }

/*
 * Writes levels and hues of the newest frame, which is first, and notes its transitions in both histories. `rows` has room
 * for what chroma adds to three rows, `marks` for a row and seven more.
 */
void see_frame(const format_t *format, const frame_t *frames, int32_t look_back, int16_t *rows, uint8_t *marks,
               history_t *luminance, history_t *red);

/* How many pixels are marked, and the box around them. */
typedef struct {
  int32_t count, left, top, right, bottom;
} marked_t;

/* Marks the pixels that have at least so many bits in the words of all chunks. */
marked_t mark_flashing(int32_t width, int32_t height, int32_t least, int32_t chunk_count, uint32_t *const *words,
                       const int32_t *bits, uint8_t *mask);

/*
 * The frame, planes Y, Cb, Cr of 4:2:0, in a smaller size: R', G' and B' of 8 bits for each pixel. `room` is for a row of
 * sums and three small planes.
 */
void shrink_frame(const light_t *light, const uint8_t *planes, int32_t width, int32_t height, int32_t small_width,
                  int32_t small_height, uint16_t *room, uint8_t *rgb);
