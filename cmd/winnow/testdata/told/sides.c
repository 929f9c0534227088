/* What kind of polygon has sides of some lengths, which are its arguments: none, one of
   unequal sides, or one with so many that are equal; then the lengths that are asked for. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 12

static int table[MOST + 1][MOST + 1];

static void fill(void)
{
    for (int i = 0; i <= MOST; i++)
        for (int k = 0; k <= MOST; k++)
            table[i][k] = i == 0 || k == 0 ? 1 : table[i - 1][k] + table[i][k - 1];
}

static int closes(const int *sides, int n)
{
    long sum = 0, longest = 0;
    for (int i = 0; i < n; i++) {
        if (sides[i] <= 0)
            return 0;
        sum += sides[i];
        if (sides[i] > longest)
            longest = sides[i];
    }
    return longest < sum - longest;
}

static int alike(int n, const int *sides)
{
    int pairs = 0;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            pairs += sides[i] == sides[k];
    return pairs;
}

int main(int argc, char *argv[])
{
    int n = argc - 1, at;

    if (n < 3 || n > MOST) {
        fprintf(stderr, "%d sides\n", n);
        return 2;
    }
    int sides[n];
    for (int i = 0; i < n; i++)
        sides[i] = atoi(argv[i + 1]);
    fill();
    if (!closes(sides, n))
        puts("none");
    else
        printf("%d pairs, %d ways\n", alike(n, sides), table[n][3]);
    while (scanf("%d", &at) == 1) {
        if (at < 1 || at > n)
            fprintf(stderr, "no side %d\n", at);
        else
            printf("%d\n", sides[at - 1]);
    }
    return 0;
}
