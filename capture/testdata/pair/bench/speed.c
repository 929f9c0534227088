#include "text.h"
int main(void) { return count("") + upper(0); }
