/* A function of the program that has the name of one of the library. */
int abs(int x) { return x + 1; }

int own(void) {
  int k = 3;
  return abs(k);
}
