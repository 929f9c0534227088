int parse(int c);
int main(void) { return !parse(1); }
