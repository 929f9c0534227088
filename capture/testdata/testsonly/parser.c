int parse(int c) { return STRICT ? c == 1 : c != 0; }
