/* Prints the integrated loudness, measured by libebur128, of the float samples on standard input. */
#include <ebur128.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_AT_ONCE = 4800, CHANNELS_MAX = 8 };

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  unsigned channels = (unsigned)atoi(argv[1]);
  if (channels < 1 || channels > CHANNELS_MAX) return 2;
  ebur128_state *meter = ebur128_init(channels, strtoul(argv[2], NULL, 10), EBUR128_MODE_I);
  if (!meter) return 1;
  static float samples[FRAMES_AT_ONCE * CHANNELS_MAX];
  size_t frames;
  while ((frames = fread(samples, channels * sizeof(float), FRAMES_AT_ONCE, stdin)) > 0) {
    if (ebur128_add_frames_float(meter, samples, frames) != EBUR128_SUCCESS) return 1;
  }
  double integrated = 0;
  if (ebur128_loudness_global(meter, &integrated) != EBUR128_SUCCESS) return 1;
  printf("%f\n", integrated);
  ebur128_destroy(&meter);
  return 0;
}
