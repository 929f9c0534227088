/* Cases that are lost to the default; one that shares its place is none. */
enum color { RED, GREEN };

int pick(int n) {
  int r = 0;
  switch (n) {
  case 1:
    r = 10;
    break;
  case 'b':
    r = 20;
    /* falls through */
  case 3:
  case 4:
    r += 30;
    break;
  case 9:
  default:
    r = 50;
  }
  return r;
}

int nested(enum color c, int n) {
  switch (c) {
  case RED:
    switch (n) {
    case 5: return 1;
    }
    return 2;
  case GREEN: return 3;
  }
  return 4;
}

int range(int n) {
  switch (n) {
  case 1 ... 2: return 1;
  }
  return 0;
}
