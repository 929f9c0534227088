#include "calc.h"
int main(void) { return add(1, -1); }
