#include "calc.h"
int main(int argc, char **argv) { return add(argc, -argc) + (argv == 0); }
