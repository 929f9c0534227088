int upper(int c);
int count(const char *s);
