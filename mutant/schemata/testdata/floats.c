/* float, double and long double arithmetic, comparisons and conversions. */
#include <stdio.h>

static double area(double w, double h) { return w * h - 0.5 * (w + h) / 3.0; }

static float blend(float a, float b, float t) {
  float r = a * (1.0f - t) + b * t;
  r += 0.1f;
  r++;
  return r > 10.0f ? 10.0f : -r;
}

static int order(double a, double b) { return (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b); }

static long double sum(int n) {
  long double s = 0.25L;
  for (int i = 1; i <= n; i++) s += 1.0L / i;
  return s;
}

static int truthy(double x) {
  if (x) return 1;
  return !x ? 2 : 3;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    double x = i - 1.5;
    printf("%.4f %.4f ", area(x, i), (double)blend((float)i, 20.0f, 0.3f));
    printf("%d %d %d %.6Lf\n", order(x, 0.5), (int)(x * 4.0), truthy(x + 0.5), sum(i));
  }
  return 0;
}
