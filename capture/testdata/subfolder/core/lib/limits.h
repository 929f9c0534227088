int max(int a, int b);
int min(int a, int b);
