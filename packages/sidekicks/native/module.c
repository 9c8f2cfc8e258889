/* The kernel as a Node-API module: unwraps typed arrays and calls the functions that compute with their memory. */
#define _GNU_SOURCE
#include "kernel.h"
#include <fcntl.h>
#include <node_api.h>
#include <string.h>
#include <unistd.h>

/* Writes the data pointers of an array of typed arrays to `memory`; returns their number. */
static uint32_t memory_of(napi_env env, napi_value array, void **memory, uint32_t most) {
  uint32_t count = 0;
  napi_get_array_length(env, array, &count);
  if (count > most) count = most;
  for (uint32_t i = 0; i < count; i++) {
    napi_value element;
    napi_get_element(env, array, i, &element);
    napi_get_typedarray_info(env, element, NULL, NULL, &memory[i], NULL, NULL);
  }
  return count;
}

/* Like `memory_of`, for the only argument of a call. */
static uint32_t memory_of_call(napi_env env, napi_callback_info info, void **memory, uint32_t most) {
  napi_value array;
  size_t count = 1;
  napi_get_cb_info(env, info, &count, &array, NULL, NULL);
  return memory_of(env, array, memory, most);
}

/*
 * `array` is [numbers, directions, cells up, cells down, words of each chunk]; numbers are the frame, the number of
 * transitions and the first frame of each chunk.
 */
static history_t history_of(napi_env env, napi_value array, int32_t **numbers) {
  void *memory[4 + CHUNKS_MAX];
  const uint32_t count = memory_of(env, array, memory, 4 + CHUNKS_MAX);
  *numbers = memory[0];
  history_t history = {.directions = memory[1],
                       .cells_up = memory[2],
                       .cells_down = memory[3],
                       .chunk_count = (int32_t)count - 4,
                       .frame = (*numbers)[0]};
  for (int32_t i = 0; i < history.chunk_count; i++) {
    history.words[i] = memory[4 + i];
    history.first_frames[i] = (*numbers)[2 + i];
  }
  return history;
}

/*
 * see([format, light, hue, scratch, ages, parts, levels, linear], [planes, levels, hues, red rows of each frame, newest
 * first], luminance, red): records the transitions of the newest frame in both histories. The format is [width, height,
 * is RGB, step, is deep, lines of the newest frame].
 */
static napi_value see(napi_env env, napi_callback_info info) {
  napi_value args[4];
  size_t arg_count = 4;
  napi_get_cb_info(env, info, &arg_count, args, NULL, NULL);
  void *settings[8] = {NULL}, *memory[4 * AGES_MAX];
  memory_of(env, args[0], settings, 8);
  const int32_t *size = settings[0];
  const format_t format = {.width = size[0],
                           .height = size[1],
                           .chroma_width = (size[0] + 1) / 2,
                           .is_rgb = size[2],
                           .step = (int16_t)size[3],
                           .is_deep = size[4],
                           .lines = size[5],
                           .light = settings[1],
                           .hue = settings[2],
                           .tables = {.parts = settings[5], .levels = settings[6], .linear = settings[7]}};
  frame_t frames[AGES_MAX];
  const int32_t count = (int32_t)memory_of(env, args[1], memory, 4 * AGES_MAX) / 4;
  for (int32_t i = 0; i < count; i++)
    frames[i] = (frame_t){memory[4 * i], memory[4 * i + 1], memory[4 * i + 2], memory[4 * i + 3]};
  int32_t *luminance_numbers, *red_numbers;
  history_t luminance = history_of(env, args[2], &luminance_numbers);
  history_t red = history_of(env, args[3], &red_numbers);

  int16_t *rows = settings[3];
  uint8_t *marks = (uint8_t *)(rows + 6 * format.chroma_width);
  see_frame(&format, frames, count - 1, rows, marks, settings[4], &luminance, &red);
  luminance_numbers[1] = luminance.transitions;
  red_numbers[1] = red.transitions;
  return NULL;
}

/*
 * findFlashing([[width, height, least transitions, bits of each chunk], mask, words of each chunk]): marks the pixels
 * with at least that many transitions. Overwrites the first numbers with the count and the bounding box of the marks.
 */
static napi_value find_flashing(napi_env env, napi_callback_info info) {
  void *memory[2 + CHUNKS_MAX];
  const int32_t chunk_count = (int32_t)memory_of_call(env, info, memory, 2 + CHUNKS_MAX) - 2;
  int32_t *numbers = memory[0];
  uint32_t *words[CHUNKS_MAX];
  for (int32_t i = 0; i < chunk_count; i++) words[i] = memory[2 + i];
  const marked_t marked =
      mark_flashing(numbers[0], numbers[1], numbers[2], chunk_count, words, numbers + 3, memory[1]);
  memcpy(numbers, &marked, sizeof marked);
  return NULL;
}

/*
 * collectEvents([[width, left, top, right, bottom, span, stride, bit of the latest frame in each chunk], mask,
 * directions, scratch, up, down, words of each chunk]): counts the transitions of the marked pixels of a part by age.
 */
static napi_value collect_events_of_call(napi_env env, napi_callback_info info) {
  void *memory[6 + CHUNKS_MAX];
  const int32_t chunk_count = (int32_t)memory_of_call(env, info, memory, 6 + CHUNKS_MAX) - 6;
  const events_t *events = memory[0];
  collected_t from = {.mask = memory[1],
                      .directions = memory[2],
                      .chunk_count = chunk_count,
                      .newest = (const int32_t *)(events + 1)};
  for (int32_t i = 0; i < chunk_count; i++) from.words[i] = memory[6 + i];
  collect_events(events, &from, memory[3], memory[4], memory[5]);
  return NULL;
}

/*
 * findFullest([[frame width, left, top, right, bottom, window width, window height, mark], marks, scratch]): overwrites
 * the first numbers with the most marks that a window contains, and its place within the part.
 */
static napi_value find_fullest_of_call(napi_env env, napi_callback_info info) {
  void *memory[3];
  memory_of_call(env, info, memory, 3);
  const fullest_t fullest = find_fullest(memory[0], memory[1], memory[2]);
  memcpy(memory[0], &fullest, sizeof fullest);
  return NULL;
}

/*
 * shrink([[width, height, small width, small height, is deep], light, planes, scratch, rgb]): scales a 4:2:0 frame
 * (planes Y, Cb, Cr) down to packed 8-bit R'G'B'. The scratch memory holds a row of sums and three small planes.
 */
static napi_value shrink(napi_env env, napi_callback_info info) {
  void *memory[5];
  memory_of_call(env, info, memory, 5);
  shrink_frame(memory[0], memory[1], memory[2], memory[3], memory[4]);
  return NULL;
}

/*
 * measureLevels([limits, [samples, count, lowest, highest], sums]): counts the samples outside the limits. Overwrites the
 * last three numbers.
 */
static napi_value measure_levels_of_call(napi_env env, napi_callback_info info) {
  void *memory[3];
  memory_of_call(env, info, memory, 3);
  int32_t *numbers = memory[1];
  outside_t outside;
  measure_levels(memory[0], numbers[0], memory[2], &outside);
  memcpy(numbers + 1, &outside, sizeof outside);
  return NULL;
}

/*
 * sampleLevels([[width, height, samples across, samples down, is deep], planes, codes, sums]): samples pixels of a 4:2:0
 * frame (planes Y, Cb, Cr), alone and together with their neighbours.
 */
static napi_value sample_levels_of_call(napi_env env, napi_callback_info info) {
  void *memory[4];
  memory_of_call(env, info, memory, 4);
  sample_levels(memory[0], memory[1], memory[2], memory[3]);
  return NULL;
}

/*
 * measureLuma([[weight of R', G', B', brightest dark luma, pixels], rgb, [sum, dark]]): writes the sum of luma of packed
 * R'G'B' and the number of dark pixels.
 */
static napi_value measure_luma_of_call(napi_env env, napi_callback_info info) {
  void *memory[3];
  memory_of_call(env, info, memory, 3);
  const int32_t *numbers = memory[0];
  measure_luma(numbers, numbers[3], memory[1], numbers[4], memory[2]);
  return NULL;
}

/* openPipe([[read end, write end]]): opens a pipe with a buffer of 1 MiB, so that a frame takes only a few reads. */
static napi_value open_pipe(napi_env env, napi_callback_info info) {
  void *memory[1];
  memory_of_call(env, info, memory, 1);
  int *descriptors = memory[0];
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
