#include "ring.h"
#include "ring_limits.h"

int ring_put(struct ring *r, int x) {
  if (r->count == RING_SIZE) return 0;
  r->items[(r->first + r->count) % RING_SIZE] = x;
  r->count++;
  return 1;
}

int ring_get(struct ring *r, int *x) {
  if (r->count == 0) return 0;
  *x = r->items[r->first];
  r->first = (r->first + 1) % RING_SIZE;
  r->count--;
  return 1;
}
