/* All of a function is one block. An index out of its bounds stays in the box. */
#include <stdint.h>
#include <stdio.h>

static struct { uint32_t slack[16384], word[8], more[16384]; } box;
static uint32_t a, b, c;

static uint32_t rotated(uint32_t x, uint32_t by) { return x << (by & 31) | x >> (-by & 31); }

#define ROUND(a, b, c, k, by)                  \
    a += ((b & c) | (~b & a)) + box.word[k];   \
    a = rotated(a, by) + b;                    \
    box.word[k] = a ^ (uint32_t)k

static void mixed(uint32_t x, uint32_t y) {
    uint32_t z = x * 3;
    ROUND(x, y, z, 0, 7);
    ROUND(y, z, x, 1, 12);
    ROUND(z, x, y, 2, 17);
    ROUND(x, y, z, 3, 22);
    ROUND(y, z, x, 4, 5);
    ROUND(z, x, y, 5, 9);
    a += x;
    b += y;
    c += z;
}

int main(void) {
    box.word[0] = 40503;
    box.word[3] = 12345;
    for (uint32_t k = 0; k < 4; k++) mixed(k, a);
    printf("%u %u %u %u %u %u\n", a, b, c, box.word[0], box.word[1], box.word[2]);
    printf("%u %u %u\n", box.word[3], box.word[4], box.word[5]);
    return 0;
}
