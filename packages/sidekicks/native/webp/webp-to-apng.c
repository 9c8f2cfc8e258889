/*
 * Decodes an animated WebP image and writes it as APNG, because ffmpeg has no decoder for the former. No pixel changes:
 * each frame of the output has the rows that differ from those of the frame before.
 *
 *   webp-to-apng FILE DESCRIPTOR PIXELS_MAX
 *
 * Exits with 2 if the image is damaged or has more than this number of pixels.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <webp/demux.h>
#include <zlib.h>

enum { unreadable = 2 };
enum { bytes_per_pixel = 4, filter_sub = 1 };
enum { length_and_name = 8, crc_size = 4, sequence_size = 4 };
/* Browsers show a frame for 100 ms if it is to be shown for 10 ms or less. */
enum { shortest_millis = 10, replacement_millis = 100 };
enum { colour_with_alpha = 6, bits = 8 };

static int output;
static uint32_t sequence; /* numbers the chunks that belong to the animation */

static void fail(const char *what) {
  fprintf(stderr, "webp-to-apng: %s\n", what);
  exit(unreadable);
}

static uint8_t *put32(uint8_t *at, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = (uint8_t)(value >> shift);
  return at;
}

static uint8_t *put16(uint8_t *at, uint32_t value) {
  *at++ = (uint8_t)(value >> 8);
  *at++ = (uint8_t)value;
  return at;
}

static void put(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(output, bytes, size);
    if (written <= 0) fail("the output is closed");
    bytes += written;
    size -= (size_t)written;
  }
}

/* `chunk` has room for the length and the name before the data, and for the CRC after it. */
static void put_chunk(uint8_t *chunk, const char *name, uint32_t size) {
  put32(chunk, size);
  memcpy(chunk + 4, name, 4);
  put32(chunk + length_and_name + size, (uint32_t)crc32(0, chunk + 4, 4 + size));
  put(chunk, length_and_name + size + crc_size);
}

static void put_header(const WebPAnimInfo *info) {
  static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  uint8_t chunk[64];
  put(signature, sizeof signature);
  uint8_t *at = put32(put32(chunk + length_and_name, info->canvas_width), info->canvas_height);
  *at++ = bits;
  *at++ = colour_with_alpha;
  memset(at, 0, 3); /* the only methods of compression, filtering and order */
  put_chunk(chunk, "IHDR", 13);
  put32(put32(chunk + length_and_name, info->frame_count), info->loop_count);
  put_chunk(chunk, "acTL", 8);
}

/* The rows of a frame from `top` on replace those of the frame before. */
static void put_frame_control(uint32_t width, uint32_t rows, uint32_t top, int millis) {
  uint8_t chunk[64];
  uint8_t *at = put32(chunk + length_and_name, sequence++);
  at = put32(put32(at, width), rows);
  at = put32(put32(at, 0), top);
  const int is_long = millis > UINT16_MAX; /* then in hundredths of a second, up to 11 minutes */
  const int hundredths = millis / 10 < UINT16_MAX ? millis / 10 : UINT16_MAX;
  at = put16(put16(at, (uint32_t)(is_long ? hundredths : millis)), is_long ? 100 : 1000);
  put16(at, 0); /* keep the frame, and replace what is below the next one */
  put_chunk(chunk, "fcTL", 26);
}

/* Compresses rows of pixels. `chunk` has room for the number of the chunk before them. */
static uint32_t compress_rows(const uint8_t *rows, uint32_t count, size_t stride, uint8_t *filtered, uint8_t *chunk,
                              size_t chunk_max) {
  z_stream stream = {0};
  if (deflateInit(&stream, Z_BEST_SPEED) != Z_OK) fail("out of memory");
  stream.next_out = chunk + length_and_name + sequence_size;
  stream.avail_out = (uInt)chunk_max;
  filtered[0] = filter_sub;
  for (uint32_t row = 0; row < count; row++, rows += stride) {
    memcpy(filtered + 1, rows, bytes_per_pixel);
    for (size_t i = bytes_per_pixel; i < stride; i++) filtered[1 + i] = (uint8_t)(rows[i] - rows[i - bytes_per_pixel]);
    stream.next_in = filtered;
    stream.avail_in = (uInt)(1 + stride);
    if (deflate(&stream, row + 1 == count ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) fail("compression failed");
  }
  const uint32_t size = (uint32_t)stream.total_out;
  deflateEnd(&stream);
  return size;
}

static void convert(const WebPData *file, uint64_t pixels_max) {
  WebPAnimDecoderOptions options;
  WebPAnimInfo info;
  if (!WebPAnimDecoderOptionsInit(&options)) fail("libwebp has another version");
  options.color_mode = MODE_RGBA;
  WebPAnimDecoder *decoder = WebPAnimDecoderNew(file, &options);
  if (!decoder || !WebPAnimDecoderGetInfo(decoder, &info)) fail("not a whole animated WebP image");
  const uint64_t pixels = (uint64_t)info.canvas_width * info.canvas_height;
  if (pixels == 0 || pixels > pixels_max) fail("too many pixels");

  const size_t stride = (size_t)info.canvas_width * bytes_per_pixel;
  const size_t frame_size = stride * info.canvas_height;
  const size_t chunk_max = compressBound(frame_size + info.canvas_height);
  uint8_t *before = malloc(frame_size);
  uint8_t *filtered = malloc(1 + stride);
  uint8_t *chunk = malloc(length_and_name + sequence_size + chunk_max + crc_size);
  if (!before || !filtered || !chunk) fail("out of memory");

  put_header(&info);
  int shown_until = 0; /* milliseconds */
  for (uint32_t frame = 0; frame < info.frame_count; frame++) {
    uint8_t *pixels_now;
    int until;
    if (!WebPAnimDecoderGetNext(decoder, &pixels_now, &until)) fail("a frame is damaged");
    uint32_t top = 0;
    uint32_t bottom = info.canvas_height;
    if (frame > 0) {
      /* At least one row remains, because every frame of an APNG has pixels. */
      while (top + 1 < bottom && !memcmp(pixels_now + top * stride, before + top * stride, stride)) top++;
      while (bottom - 1 > top && !memcmp(pixels_now + (bottom - 1) * stride, before + (bottom - 1) * stride, stride))
        bottom--;
    }
    memcpy(before, pixels_now, frame_size);
    const int millis = until - shown_until;
    shown_until = until;
    put_frame_control(info.canvas_width, bottom - top, top, millis > shortest_millis ? millis : replacement_millis);
    const uint32_t size = compress_rows(before + top * stride, bottom - top, stride, filtered, chunk, chunk_max);
    if (frame == 0) {
      put_chunk(chunk + sequence_size, "IDAT", size);
    } else {
      put32(chunk + length_and_name, sequence++);
      put_chunk(chunk, "fdAT", sequence_size + size);
    }
  }
  put_chunk(chunk, "IEND", 0);
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage: webp-to-apng FILE DESCRIPTOR PIXELS_MAX");
  output = atoi(arguments[2]);
  const int input = open(arguments[1], O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (input < 0 || fstat(input, &status) != 0 || status.st_size <= 0) fail("the file cannot be opened");
  const size_t size = (size_t)status.st_size;
  const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, input, 0);
  if (bytes == MAP_FAILED) fail("the file cannot be read");
  convert(&(WebPData){.bytes = bytes, .size = size}, strtoull(arguments[3], NULL, 10));
  return 0;
}
