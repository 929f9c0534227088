/* What a probing build calls (mutant/schemata, Probe): its table of reached
 * sites goes on with a byte a mutant, and perhaps with counts and with what the
 * values were like, under these names. Other programs have none of them. */
#include "winnow.h"

extern uint8_t winnow_infected[] __attribute__((weak));
extern uint32_t winnow_infect_counts[] __attribute__((weak));
extern uint64_t winnow_values[] __attribute__((weak));
extern uint64_t winnow_changes[] __attribute__((weak));

void winnow_infect(int32_t first, uint64_t set) {
  for (int32_t mutant = first; set; set >>= 1, mutant++) {
    if (!(set & 1)) continue;
    winnow_infected[mutant] = 1;
    if (winnow_infect_counts && winnow_infect_counts[mutant] != UINT32_MAX) winnow_infect_counts[mutant]++;
  }
}

/* The bits are those of mutant/sight.go, which says what they mean. */
enum {
  VALUE_ZERO = 0, VALUE_ONE = 1, VALUE_MINUS_ONE = 7, VALUE_FRACTION = 13, VALUE_NO_NUMBER = 14,
  BY_ONE = 0, BY_FRACTION = 6, UP = 7, DOWN = 8, SIGN = 9, ZERO = 10, PARITY = 11, WAY = 12,
  TO_ZERO = 13, TO_ONE = 14, TO_NEGATIVE = 15, NO_NUMBER = 16
};

static uint64_t bit(int which) { return (uint64_t)1 << which; }
static uint64_t bit_if(int holds, int which) { return (uint64_t)(holds != 0) << which; }

static uint64_t sketch(uint64_t x) { return bit(32 + (int)(x * UINT64_C(0x9e3779b97f4a7c15) >> 59)); }

static int size_of(uint64_t x) {
  int n = 64 - __builtin_clzll(x);
  return n <= 2 ? n - 1 : n <= 4 ? 2 : n <= 8 ? 3 : n <= 16 ? 4 : 5;
}

void winnow_value(int32_t site, int64_t x) {
  uint64_t class = x == 0 ? bit(VALUE_ZERO) : x > 0 ? bit(VALUE_ONE + size_of((uint64_t)x)) : bit(VALUE_MINUS_ONE + size_of(-(uint64_t)x));
  winnow_values[site] |= class | sketch((uint64_t)x);
}

void winnow_change(int32_t mutant, int64_t original, int64_t ours) {
  if (original == ours) return;
  uint64_t difference = (uint64_t)ours - (uint64_t)original;
  winnow_changes[mutant] |= sketch(difference) | bit(ours > original ? UP : DOWN) |
    bit(BY_ONE + size_of(ours > original ? difference : -difference)) | bit_if((original < 0) != (ours < 0), SIGN) |
    bit_if(original == 0 || ours == 0, ZERO) | bit_if((original ^ ours) & 1, PARITY) |
    bit_if(ours == 0, TO_ZERO) | bit_if(ours == 1, TO_ONE) | bit_if(ours < 0, TO_NEGATIVE);
}

void winnow_change_way(int32_t mutant, int64_t original, int64_t ours) {
  if (original != ours) winnow_changes[mutant] |= bit(WAY);
}

static uint64_t bits_of(double x) {
  union { double real; uint64_t bits; } both = {x};
  return both.bits;
}

/* An integer of the same size as a real number of at least 1. */
static uint64_t magnitude(double x) { return x >= 65536 ? 65536 : (uint64_t)x; }

void winnow_value_real(int32_t site, double x) {
  double size = x < 0 ? -x : x;
  uint64_t class;
  if (!(size <= 1.7976931348623157e308)) class = bit(VALUE_NO_NUMBER);
  else if (x == 0) class = bit(VALUE_ZERO);
  else if (size < 1) class = bit(VALUE_FRACTION);
  else class = bit((x > 0 ? VALUE_ONE : VALUE_MINUS_ONE) + size_of(magnitude(size)));
  winnow_values[site] |= class | sketch(bits_of(x));
}

void winnow_change_real(int32_t mutant, double original, double ours) {
  if (bits_of(original) == bits_of(ours)) return;
  double difference = ours - original, size = difference < 0 ? -difference : difference;
  uint64_t like;
  if (!(size <= 1.7976931348623157e308)) like = bit(NO_NUMBER);
  else like = size < 1 ? bit(BY_FRACTION) : bit(BY_ONE + size_of(magnitude(size)));
  winnow_changes[mutant] |= like | sketch(bits_of(difference)) | bit_if(ours > original, UP) | bit_if(ours < original, DOWN) |
    bit_if((original < 0) != (ours < 0), SIGN) | bit_if((original == 0) != (ours == 0), ZERO) |
    bit_if(ours == 0, TO_ZERO) | bit_if(ours == 1, TO_ONE) | bit_if(ours < 0, TO_NEGATIVE);
}
