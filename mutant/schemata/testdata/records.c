/* Structures by pointer, by value, in arrays and nested; unions, enumerations, bit-fields. */
#include <stdio.h>

enum color { RED, GREEN = 4, BLUE };

struct point { int x, y; };

struct shape {
  struct point corner[4];
  enum color color;
  unsigned filled : 1, layer : 5;
  char name[8];
};

union word { unsigned n; unsigned char byte[4]; };

static struct { unsigned before[16]; union word w; unsigned after[16]; } words;

static struct { char before[1 << 20]; struct shape shapes[8]; char after[1 << 20]; } box;

static struct point add(struct point a, struct point b) {
  struct point r = {a.x + b.x, a.y - b.y};
  return r;
}

static int area(const struct shape *s) {
  return (s->corner[1].x - s->corner[0].x) * (s->corner[2].y - s->corner[1].y);
}

static void make(struct shape *s, int k) {
  s->corner[1].x = k + 1;
  s->corner[2] = add(s->corner[1], (struct point){2, -k});
  s->color = k & 1 ? BLUE : GREEN;
  s->filled = k > 2;
  s->layer = k * 3;
  s->layer++;
  s->name[k & 3] = 's';
}

static unsigned swapped(unsigned n) {
  union word *w = &words.w;
  w->n = n;
  unsigned char t = w->byte[0];
  w->byte[0] = w->byte[3];
  w->byte[3] = t;
  return w->n;
}

int main(void) {
  for (int k = 0; k < 5; k++) {
    make(&box.shapes[k + 1], k);
    struct shape copy = box.shapes[k + 1];
    printf("%d %d %u %u ", area(&box.shapes[k + 1]), copy.color == BLUE ? 1 : (int)copy.color, copy.filled, copy.layer);
  }
  printf("%x\n", swapped(0x12345678u));
  return 0;
}
