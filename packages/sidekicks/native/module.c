/* The kernel as a Node-API module: unwraps typed arrays and calls the functions that compute with their memory. */
#define _GNU_SOURCE
#include "kernel.h"
#include <fcntl.h>
#include <node_api.h>
#include <string.h>
#include <unistd.h>

/* The memory of a typed array. */
typedef struct {
  void *data;
  size_t bytes;
} memory_t;

/* More pixels than a decoded frame has (`pixelsMax`); the numbers that follow from fewer fit in 32 bits. */
enum { PIXELS_MAX = 1 << 24 };

/*
 * The functions of the kernel compute with plain pointers, so each call checks the kind and the size of its arrays
 * first: a slip in TypeScript must be an error and not a write to other memory.
 */
static bool refuse(napi_env env, const char *reason) {
  napi_throw_range_error(env, NULL, reason);
  return false;
}

static bool holds(napi_env env, const memory_t *memory, int64_t count, size_t bytes_each) {
  if (count >= 0 && memory->bytes / bytes_each >= (uint64_t)count) return true;
  return refuse(env, "an array given to the kernel is too short");
}

static size_t element_bytes_of(napi_typedarray_type type) {
  switch (type) {
    case napi_int8_array:
    case napi_uint8_array:
    case napi_uint8_clamped_array: return 1;
    case napi_int16_array:
    case napi_uint16_array: return 2;
    case napi_int32_array:
    case napi_uint32_array:
    case napi_float32_array: return 4;
    default: return 8;
  }
}

/* What a call takes: the bytes of an element of each array as digits, of which the last `repeated` may repeat. */
typedef struct {
  const char *sizes;
  uint32_t repeated, least, most;
} arrays_t;

/* Writes the memory of an array of typed arrays to `memory`; returns their number, or -1 after an exception. */
static int32_t memory_of(napi_env env, napi_value array, const arrays_t *wanted, memory_t *memory) {
  const uint32_t listed = (uint32_t)strlen(wanted->sizes);
  uint32_t count = 0;
  if (napi_get_array_length(env, array, &count) != napi_ok || count < wanted->least || count > wanted->most) {
    refuse(env, "the kernel was called with another number of arrays than it takes");
    return -1;
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_value element;
    napi_typedarray_type type;
    size_t length;
    const uint32_t place = i < listed ? i : listed - wanted->repeated + (i - listed) % wanted->repeated;
    const size_t bytes = (size_t)(wanted->sizes[place] - '0');
    if (napi_get_element(env, array, i, &element) != napi_ok ||
        napi_get_typedarray_info(env, element, &type, &length, &memory[i].data, NULL, NULL) != napi_ok ||
        element_bytes_of(type) != bytes) {
      refuse(env, "an array given to the kernel has another type than it takes");
      return -1;
    }
    memory[i].bytes = length * bytes;
  }
  return (int32_t)count;
}

/* Like `memory_of`, for the only argument of a call. */
static int32_t memory_of_call(napi_env env, napi_callback_info info, const arrays_t *wanted, memory_t *memory) {
  napi_value array;
  size_t count = 1;
  if (napi_get_cb_info(env, info, &count, &array, NULL, NULL) != napi_ok) return -1;
  return memory_of(env, array, wanted, memory);
}

static bool is_size(napi_env env, int32_t width, int32_t height) {
  if (width > 0 && height > 0 && (int64_t)width * height <= PIXELS_MAX) return true;
  return refuse(env, "the kernel was called with an impossible size");
}

/* The codes of a frame: planes of full size, or one of full size and two of half the width and height. */
static int64_t codes_of(int32_t width, int32_t height, bool is_rgb) {
  const int64_t pixels = (int64_t)width * height, chroma = (int64_t)((width + 1) / 2) * ((height + 1) / 2);
  return is_rgb ? 3 * pixels : pixels + 2 * chroma;
}

/*
 * `array` is [numbers, directions, cells up, cells down, words of each chunk]; numbers are the frame, the number of
 * transitions and the first frame of each chunk.
 */
static bool history_of(napi_env env, napi_value array, const format_t *format, history_t *history, int32_t **numbers) {
  static const arrays_t wanted = {"41444", 1, 5, 4 + CHUNKS_MAX};
  memory_t memory[4 + CHUNKS_MAX];
  const int32_t count = memory_of(env, array, &wanted, memory), chunks = count - 4;
  const int64_t pixels = (int64_t)format->width * format->height, cells = cell_count_of(format->width, format->height);
  if (count < 0 || !holds(env, &memory[0], 2 + chunks, 4) || !holds(env, &memory[1], pixels, 1) ||
      !holds(env, &memory[2], cells, 4) || !holds(env, &memory[3], cells, 4))
    return false;
  *numbers = memory[0].data;
  *history = (history_t){.directions = memory[1].data,
                         .cells_up = memory[2].data,
                         .cells_down = memory[3].data,
                         .chunk_count = chunks,
                         .frame = (*numbers)[0]};
  for (int32_t i = 0; i < chunks; i++) {
    if (!holds(env, &memory[4 + i], pixels, 4)) return false;
    history->words[i] = memory[4 + i].data;
    history->first_frames[i] = (*numbers)[2 + i];
  }
  const int64_t bit = (int64_t)history->frame - history->first_frames[0];
  return (bit >= 0 && bit < 32) || refuse(env, "the newest frame is not in the first chunk of the history");
}

/* A level is found by the sum of three parts, so the largest sum must be in the table. */
static bool tables_of(napi_env env, const memory_t *memory, tables_t *tables) {
  if (!holds(env, &memory[0], 3 * TABLE_SIZE, 4) || !holds(env, &memory[2], TABLE_SIZE, 8)) return false;
  *tables = (tables_t){.parts = memory[0].data, .levels = memory[1].data, .linear = memory[2].data};
  int64_t least = 0, most = 0;
  for (int32_t colour = 0; colour < 3; colour++) {
    const int32_t *parts = tables->parts + colour * TABLE_SIZE;
    int32_t low = parts[0], high = parts[0];
    for (int32_t i = 1; i < TABLE_SIZE; i++) {
      low = parts[i] < low ? parts[i] : low;
      high = parts[i] > high ? parts[i] : high;
    }
    least += low;
    most += high;
  }
  return least < 0 ? refuse(env, "a part of a level is negative") : holds(env, &memory[1], most + 1, 2);
}

/* Checks the settings of `see`; returns false after an exception. */
static bool format_of(napi_env env, napi_value array, format_t *format, int16_t **rows, uint8_t **ages) {
  static const arrays_t wanted = {"42821428", 1, 5, 8};
  memory_t memory[8];
  const int32_t count = memory_of(env, array, &wanted, memory);
  if (count < 0 || (count != 5 && count != 8 && !refuse(env, "the kernel was called with a part of its tables")) ||
      !holds(env, &memory[0], 6, 4))
    return false;
  const int32_t *size = memory[0].data, width = size[0], height = size[1], chroma_width = (width + 1) / 2;
  if (!is_size(env, width, height) || !holds(env, &memory[1], 1, sizeof(light_t)) ||
      !holds(env, &memory[2], 1, sizeof(hue_t)) || !holds(env, &memory[3], 12 * chroma_width + width + 7, 1) ||
      !holds(env, &memory[4], (int64_t)width * height, 1))
    return false;
  *format = (format_t){.width = width,
                       .height = height,
                       .chroma_width = chroma_width,
                       .is_rgb = size[2],
                       .step = (int16_t)size[3],
                       .is_deep = size[4],
                       .lines = size[5],
                       .light = memory[1].data,
                       .hue = memory[2].data};
  *rows = memory[3].data;
  *ages = memory[4].data;
  return count == 5 || tables_of(env, memory + 5, &format->tables);
}

/* Returns the number of frames, or -1 after an exception. */
static int32_t frames_of(napi_env env, napi_value array, const format_t *format, frame_t *frames) {
  static const arrays_t wanted = {"1211", 4, 4, 4 * AGES_MAX};
  memory_t memory[4 * AGES_MAX];
  const int32_t count = memory_of(env, array, &wanted, memory) / 4, height = format->height;
  const int64_t pixels = (int64_t)format->width * height, codes = codes_of(format->width, height, format->is_rgb);
  for (int32_t i = 0; i < count; i++) {
    const memory_t *of = memory + 4 * i;
    if (!holds(env, &of[0], codes, format->is_deep ? 2 : 1) || !holds(env, &of[1], pixels, 2) ||
        !holds(env, &of[2], pixels, 1) || !holds(env, &of[3], height, 1))
      return -1;
    frames[i] = (frame_t){of[0].data, of[1].data, of[2].data, of[3].data};
  }
  return count;
}

/*
 * see([format, light, hue, scratch, ages, parts, levels, linear], [planes, levels, hues, red rows of each frame, newest
 * first], luminance, red): records the transitions of the newest frame in both histories. The format is [width, height,
 * is RGB, step, is deep, lines of the newest frame].
 */
static napi_value see(napi_env env, napi_callback_info info) {
  napi_value args[4];
  size_t arg_count = 4;
  format_t format;
  frame_t frames[AGES_MAX];
  history_t luminance, red;
  int32_t *luminance_numbers, *red_numbers;
  int16_t *rows;
  uint8_t *ages;
  if (napi_get_cb_info(env, info, &arg_count, args, NULL, NULL) != napi_ok ||
      !format_of(env, args[0], &format, &rows, &ages))
    return NULL;
  const int32_t count = frames_of(env, args[1], &format, frames);
  if (count < 1 || !history_of(env, args[2], &format, &luminance, &luminance_numbers) ||
      !history_of(env, args[3], &format, &red, &red_numbers))
    return NULL;
  uint8_t *marks = (uint8_t *)(rows + 6 * format.chroma_width);
  see_frame(&format, frames, count - 1, rows, marks, ages, &luminance, &red);
  luminance_numbers[1] = luminance.transitions;
  red_numbers[1] = red.transitions;
  return NULL;
}

/*
 * findFlashing([[width, height, least transitions, bits of each chunk], mask, words of each chunk]): marks the pixels
 * with at least that many transitions. Overwrites the first numbers with the count and the bounding box of the marks.
 */
static napi_value find_flashing(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"414", 1, 2, 2 + CHUNKS_MAX};
  memory_t memory[2 + CHUNKS_MAX];
  const int32_t chunk_count = memory_of_call(env, info, &wanted, memory) - 2;
  if (chunk_count < 0 || !holds(env, &memory[0], 3 + chunk_count, 4) || !holds(env, &memory[0], 1, sizeof(marked_t)))
    return NULL;
  int32_t *numbers = memory[0].data;
  if (!is_size(env, numbers[0], numbers[1])) return NULL;
  const int64_t pixels = (int64_t)numbers[0] * numbers[1];
  if (!holds(env, &memory[1], pixels, 1)) return NULL;
  uint32_t *words[CHUNKS_MAX];
  for (int32_t i = 0; i < chunk_count; i++) {
    if (!holds(env, &memory[2 + i], pixels, 4)) return NULL;
    words[i] = memory[2 + i].data;
  }
  const marked_t marked =
      mark_flashing(numbers[0], numbers[1], numbers[2], chunk_count, words, numbers + 3, memory[1].data);
  memcpy(numbers, &marked, sizeof marked);
  return NULL;
}

/* Whether a part is within lines of `width` pixels; its last pixel is then at `bottom * width + right`. */
static bool is_part(napi_env env, int32_t width, int32_t left, int32_t top, int32_t right, int32_t bottom) {
  const bool is_within = left >= 0 && left <= right && right < width && top >= 0 && top <= bottom;
  return (is_within && ((int64_t)bottom + 1) * width <= PIXELS_MAX) ||
         refuse(env, "the kernel was called with a part outside of the frame");
}

/*
 * collectEvents([[width, left, top, right, bottom, span, stride, bit of the latest frame in each chunk], mask,
 * directions, scratch, up, down, words of each chunk]): counts the transitions of the marked pixels of a part by age.
 */
static napi_value collect_events_of_call(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"4114444", 1, 6, 6 + CHUNKS_MAX};
  memory_t memory[6 + CHUNKS_MAX];
  const int32_t chunk_count = memory_of_call(env, info, &wanted, memory) - 6;
  if (chunk_count < 0 || !holds(env, &memory[0], (int64_t)(sizeof(events_t) / 4) + chunk_count, 4)) return NULL;
  const events_t *events = memory[0].data;
  if (!is_part(env, events->width, events->left, events->top, events->right, events->bottom)) return NULL;
  if (events->stride < 1 || events->stride > PIXELS_MAX || events->span < 0) {
    refuse(env, "the kernel was called with an impossible stride or span");
    return NULL;
  }
  const int64_t pixels = (int64_t)events->bottom * events->width + events->right + 1;
  const int64_t across = (events->right - events->left) / events->stride + 1;
  if (!holds(env, &memory[1], pixels, 1) || !holds(env, &memory[2], pixels, 1) ||
      !holds(env, &memory[3], 3 * across, 4) || !holds(env, &memory[4], events->span, 4) ||
      !holds(env, &memory[5], events->span, 4))
    return NULL;
  collected_t from = {.mask = memory[1].data,
                      .directions = memory[2].data,
                      .chunk_count = chunk_count,
                      .newest = (const int32_t *)(events + 1)};
  for (int32_t i = 0; i < chunk_count; i++) {
    if (!holds(env, &memory[6 + i], pixels, 4)) return NULL;
    from.words[i] = memory[6 + i].data;
  }
  collect_events(events, &from, memory[3].data, memory[4].data, memory[5].data);
  return NULL;
}

/*
 * findFullest([[frame width, left, top, right, bottom, window width, window height, mark], marks, scratch]): overwrites
 * the first numbers with the most marks that a window contains, and its place within the part.
 */
static napi_value find_fullest_of_call(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"414", 1, 3, 3};
  memory_t memory[3];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 1, sizeof(window_t))) return NULL;
  const window_t *window = memory[0].data;
  if (!is_part(env, window->frame_width, window->left, window->top, window->right, window->bottom) ||
      !is_size(env, window->width, window->height))
    return NULL;
  const int64_t wide = window->right - window->left + 1, high = window->bottom - window->top + 1;
  const int64_t pixels = (int64_t)window->bottom * window->frame_width + window->right + 1;
  if (!holds(env, &memory[1], pixels, 1) || !holds(env, &memory[2], (wide + 1) * (high + 1), 4)) return NULL;
  const fullest_t fullest = find_fullest(window, memory[1].data, memory[2].data);
  memcpy(memory[0].data, &fullest, sizeof fullest);
  return NULL;
}

/*
 * shrink([[width, height, small width, small height, is deep], light, planes, scratch, rgb]): scales a 4:2:0 frame
 * (planes Y, Cb, Cr) down to packed 8-bit R'G'B'. The scratch memory holds a row of sums and three small planes.
 */
static napi_value shrink(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"42121", 1, 5, 5};
  memory_t memory[5];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 1, sizeof(shrink_t))) return NULL;
  const shrink_t *size = memory[0].data;
  if (!is_size(env, size->width, size->height) || !is_size(env, size->small_width, size->small_height)) return NULL;
  const int64_t pixels = (int64_t)size->small_width * size->small_height;
  if (!holds(env, &memory[1], 1, sizeof(light_t)) ||
      !holds(env, &memory[2], codes_of(size->width, size->height, false), size->is_deep ? 2 : 1) ||
      !holds(env, &memory[3], size->width + 3 * pixels, 2) || !holds(env, &memory[4], 3 * pixels, 1))
    return NULL;
  shrink_frame(size, memory[1].data, memory[2].data, memory[3].data, memory[4].data);
  return NULL;
}

/*
 * measureLevels([limits, [samples, count, lowest, highest], sums]): counts the samples outside the limits. Overwrites the
 * last three numbers.
 */
static napi_value measure_levels_of_call(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"442", 1, 3, 3};
  memory_t memory[3];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 1, sizeof(limits_t)) ||
      !holds(env, &memory[1], 4, 4))
    return NULL;
  int32_t *numbers = memory[1].data;
  if (!holds(env, &memory[2], 3 * (int64_t)numbers[0], 2)) return NULL;
  outside_t outside;
  measure_levels(memory[0].data, numbers[0], memory[2].data, &outside);
  memcpy(numbers + 1, &outside, sizeof outside);
  return NULL;
}

/*
 * sampleLevels([[width, height, samples across, samples down, is deep], planes, codes, sums]): samples pixels of a 4:2:0
 * frame (planes Y, Cb, Cr), alone and together with their neighbours.
 */
static napi_value sample_levels_of_call(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"4112", 1, 4, 4};
  memory_t memory[4];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 1, sizeof(sampled_t))) return NULL;
  const sampled_t *size = memory[0].data;
  if (!is_size(env, size->width, size->height) || !is_size(env, size->across, size->down)) return NULL;
  const int64_t samples = (int64_t)size->across * size->down;
  if (!holds(env, &memory[1], codes_of(size->width, size->height, false), size->is_deep ? 2 : 1) ||
      !holds(env, &memory[2], 3 * samples, 1) || !holds(env, &memory[3], 3 * samples, 2))
    return NULL;
  sample_levels(size, memory[1].data, memory[2].data, memory[3].data);
  return NULL;
}

/*
 * measureLuma([[weight of R', G', B', brightest dark luma, pixels], rgb, [sum, dark]]): writes the sum of luma of packed
 * R'G'B' and the number of dark pixels.
 */
static napi_value measure_luma_of_call(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"418", 1, 3, 3};
  memory_t memory[3];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 5, 4)) return NULL;
  const int32_t *numbers = memory[0].data;
  if (!holds(env, &memory[1], 3 * (int64_t)numbers[4], 1) || !holds(env, &memory[2], 1, sizeof(luma_t))) return NULL;
  measure_luma(numbers, numbers[3], memory[1].data, numbers[4], memory[2].data);
  return NULL;
}

/* openPipe([[read end, write end]]): opens a pipe with a buffer of 1 MiB, so that a frame takes only a few reads. */
static napi_value open_pipe(napi_env env, napi_callback_info info) {
  static const arrays_t wanted = {"4", 1, 1, 1};
  memory_t memory[1];
  if (memory_of_call(env, info, &wanted, memory) < 0 || !holds(env, &memory[0], 2, sizeof(int))) return NULL;
  int *descriptors = memory[0].data;
  if (pipe2(descriptors, O_CLOEXEC) != 0) napi_throw_error(env, NULL, "no pipe could be opened");
  else fcntl(descriptors[0], F_SETPIPE_SZ, 1 << 20); /* if not permitted, the default size stays */
  return NULL;
}

static void export(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function);
  napi_set_named_property(env, exports, name, function);
}

NAPI_MODULE_INIT() {
  export(env, exports, "see", see);
  export(env, exports, "findFlashing", find_flashing);
  export(env, exports, "collectEvents", collect_events_of_call);
  export(env, exports, "findFullest", find_fullest_of_call);
  export(env, exports, "shrink", shrink);
  export(env, exports, "measureLevels", measure_levels_of_call);
  export(env, exports, "sampleLevels", sample_levels_of_call);
  export(env, exports, "measureLuma", measure_luma_of_call);
  export(env, exports, "openPipe", open_pipe);
  return exports;
}
