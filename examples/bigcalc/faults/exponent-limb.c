/*
 * bigcalc: arithmetic on integers of up to 360 digits, one operation a line.
 *
 * A number is a sign and a magnitude in base 10000; see README.md for the input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 10000
#define BASE_DIGITS 4
#define MAX_LIMBS 90
#define MAX_LINE 1000

struct big {
    int negative;            /* never set for zero */
    int size;                /* limbs in use; 0 for zero */
    int limb[MAX_LIMBS + 1]; /* least significant first; one more for what is in work */
};

static int line_number;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

/* Drops leading zeros, and the sign of zero. */
static void trim(struct big *a)
{
    while (a->size > 0 && a->limb[a->size - 1] == 0)
        a->size--;
    if (a->size == 0)
        a->negative = 0;
}

static struct big from_int(int value)
{
    struct big a = { .negative = value < 0 };

    for (value = abs(value); value > 0; value /= BASE)
        a.limb[a.size++] = value % BASE;
    return a;
}

static int compare_magnitude(const struct big *a, const struct big *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (int i = a->size - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

static int compare(const struct big *a, const struct big *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    int order = compare_magnitude(a, b);
    return a->negative ? -order : order;
}

static struct big add_magnitude(const struct big *a, const struct big *b)
{
    struct big sum = { 0, 0, { 0 } };
    int carry = 0;

    for (int i = 0; i < a->size || i < b->size || carry > 0; i++) {
        int value = carry;
        if (i < a->size)
            value += a->limb[i];
        if (i < b->size)
            value += b->limb[i];
        carry = value >= BASE;
        sum.limb[i] = carry ? value - BASE : value;
        sum.size = i + 1;
    }
    return sum;
}

/* |a| - |b|, where |a| is not the smaller one. */
static struct big subtract_magnitude(const struct big *a, const struct big *b)
{
    struct big rest = { 0, a->size, { 0 } };
    int borrow = 0;

    for (int i = 0; i < a->size; i++) {
        int value = a->limb[i] - borrow - (i < b->size ? b->limb[i] : 0);
        borrow = value < 0;
        rest.limb[i] = borrow ? value + BASE : value;
    }
    return rest;
}

static struct big add(const struct big *a, const struct big *b)
{
    struct big sum;

    if (a->negative == b->negative) {
        sum = add_magnitude(a, b);
        sum.negative = a->negative;
    } else if (compare_magnitude(a, b) >= 0) {
        sum = subtract_magnitude(a, b);
        sum.negative = a->negative;
    } else {
        sum = subtract_magnitude(b, a);
        sum.negative = b->negative;
    }
    trim(&sum);
    return sum;
}

static struct big subtract(const struct big *a, const struct big *b)
{
    struct big opposite = *b;

    if (opposite.size > 0)
        opposite.negative = !opposite.negative;
    return add(a, &opposite);
}

static struct big multiply(const struct big *a, const struct big *b)
{
    struct big product = { a->negative != b->negative, a->size + b->size, { 0 } };

    if (product.size > MAX_LIMBS + 1)
        fail("number too long");
    for (int i = 0; i < a->size; i++) {
        int carry = 0;
        for (int j = 0; j < b->size; j++) {
            int value = product.limb[i + j] + a->limb[i] * b->limb[j] + carry;
            product.limb[i + j] = value % BASE;
            carry = value / BASE;
        }
        product.limb[i + b->size] = carry;
    }
    trim(&product);
    return product;
}

/* rest = rest * BASE + limb, in place. */
static void push_limb(struct big *rest, int limb)
{
    if (rest->size == 0 && limb == 0)
        return;
    for (int i = rest->size; i > 0; i--)
        rest->limb[i] = rest->limb[i - 1];
    rest->limb[0] = limb;
    rest->size++;
}

/* The largest digit whose product with b does not exceed rest, by halving. */
static int quotient_digit(const struct big *rest, const struct big *b)
{
    int low = 0, high = BASE - 1;

    while (low < high) {
        int middle = (low + high + 1) / 2;
        struct big factor = from_int(middle);
        struct big product = multiply(&factor, b);
        if (compare_magnitude(&product, rest) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Division as C does it: the quotient is cut towards zero. */
static struct big divide(const struct big *a, const struct big *b, struct big *rest)
{
    struct big quotient = { a->negative != b->negative, a->size, { 0 } };
    struct big divisor = *b;

    if (b->size == 0)
        fail("division by zero");
    divisor.negative = 0;
    *rest = from_int(0);
    for (int i = a->size - 1; i >= 0; i--) {
        push_limb(rest, a->limb[i]);
        int digit = quotient_digit(rest, &divisor);
        struct big factor = from_int(digit);
        struct big product = multiply(&divisor, &factor);
        *rest = subtract(rest, &product);
        quotient.limb[i] = digit;
    }
    trim(&quotient);
    if (rest->size > 0)
        rest->negative = a->negative;
    return quotient;
}

static struct big power(const struct big *base, const struct big *exponent)
{
    struct big result = from_int(1);
    struct big square = *base;

    if (exponent->negative)
        fail("negative exponent");
    for (int left = exponent->size > 0 ? exponent->limb[0] : 0; left > 0; left /= 2) {
        if (left % 2 == 1)
            result = multiply(&result, &square);
        if (left > 1)
            square = multiply(&square, &square);
    }
    return result;
}

static struct big greatest_divisor(struct big a, struct big b)
{
    a.negative = 0;
    b.negative = 0;
    while (b.size > 0) {
        struct big rest;
        divide(&a, &b, &rest);
        a = b;
        b = rest;
    }
    return a;
}

static struct big parse(const char *text)
{
    struct big a = { 0, 0, { 0 } };

    if (text == NULL)
        fail("missing number");
    if (*text == '-' || *text == '+')
        a.negative = *text++ == '-';
    int digits = (int)strspn(text, "0123456789");
    if (digits == 0 || text[digits] != '\0')
        fail("bad number");
    while (*text == '0' && digits > 1) {
        text++;
        digits--;
    }
    if (digits > MAX_LIMBS * BASE_DIGITS)
        fail("number too long");
    for (int end = digits; end > 0; end -= BASE_DIGITS) {
        int value = 0;
        for (int i = end > BASE_DIGITS ? end - BASE_DIGITS : 0; i < end; i++)
            value = value * 10 + (text[i] - '0');
        a.limb[a.size++] = value;
    }
    trim(&a);
    return a;
}

static void print(const struct big *a)
{
    if (a->negative)
        putchar('-');
    printf("%d", a->size > 0 ? a->limb[a->size - 1] : 0);
    for (int i = a->size - 2; i >= 0; i--)
        printf("%04d", a->limb[i]);
    putchar('\n');
}

static void calculate(const struct big *a, const char *operation, const struct big *b)
{
    struct big result, rest;

    if (strcmp(operation, "cmp") == 0) {
        printf("%d\n", compare(a, b));
        return;
    }
    if (strcmp(operation, "gcd") == 0) {
        result = greatest_divisor(*a, *b);
        print(&result);
        return;
    }
    switch (operation[1] == '\0' ? operation[0] : '?') {
    case '+':
        result = add(a, b);
        break;
    case '-':
        result = subtract(a, b);
        break;
    case '*':
        result = multiply(a, b);
        break;
    case '/':
        result = divide(a, b, &rest);
        break;
    case '%':
        divide(a, b, &rest);
        result = rest;
        break;
    case '^':
        result = power(a, b);
        break;
    default:
        fail("unknown operation");
        return;
    }
    if (result.size > MAX_LIMBS)
        fail("number too long");
    print(&result);
}

int main(void)
{
    char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        char *first = strtok(line, " \t\r\n");
        if (first == NULL || *first == '#')
            continue;
        char *operation = strtok(NULL, " \t\r\n");
        char *second = strtok(NULL, " \t\r\n");
        struct big a = parse(first);
        if (operation == NULL)
            fail("missing operation");
        struct big b = parse(second);
        if (strtok(NULL, " \t\r\n") != NULL)
            fail("too many words");
        calculate(&a, operation, &b);
    }
    return 0;
}
