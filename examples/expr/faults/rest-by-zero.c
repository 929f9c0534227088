/*
 * expr: a calculator for integer expressions with variables.
 *
 * Every line is a statement; it is parsed by recursive descent and evaluated
 * at once. The language is described in README.md.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAX_LINE 256
#define MAX_NAME 15
#define MAX_VARIABLES 32
#define MAX_DEPTH 40

struct variable {
    char name[MAX_NAME + 1];
    long value;
};

static struct variable variables[MAX_VARIABLES];
static int variable_count;

static const char *line;     /* the statement */
static const char *cursor;   /* the next character of it */
static const char *problem;  /* the first error of the statement, or NULL */
static int problem_column;
static int depth;
static int skipping;         /* inside a branch that is not taken */

static long conditional(void);

static void fail(const char *message)
{
    if (problem == NULL) {
        problem = message;
        problem_column = (int)(cursor - line) + 1;
    }
}

static void skip_blanks(void)
{
    while (*cursor == ' ' || *cursor == '\t')
        cursor++;
}

/* Consumes the operator when it comes next. Longer ones must be tried first. */
static int accept(const char *operator)
{
    size_t length = strlen(operator);

    skip_blanks();
    if (problem != NULL || strncmp(cursor, operator, length) != 0)
        return 0;
    cursor += length;
    return 1;
}

static long checked(char operator, long a, long b)
{
    long result = 0;
    int overflow = 0;

    if (skipping)
        return 0;
    switch (operator) {
    case '+':
        overflow = b > 0 ? a > INT_MAX - b : a < INT_MIN - b;
        result = a + b;
        break;
    case '-':
        overflow = b < 0 ? a > INT_MAX + b : a < INT_MIN + b;
        result = a - b;
        break;
    case '*':
        result = a * b;
        overflow = result > INT_MAX || result < INT_MIN;
        break;
    case '/':
    case '%':
        if (b == 0 && operator == '%')
            return a;
        if (b == 0) {
            fail("division by zero");
            return 0;
        }
        result = operator == '/' ? a / b : a % b;
        overflow = result > INT_MAX;
        break;
    }
    if (overflow) {
        fail("overflow");
        return 0;
    }
    return result;
}

static int read_name(char *name)
{
    int length = 0;

    skip_blanks();
    if (!isalpha((unsigned char)*cursor))
        return 0;
    while (isalnum((unsigned char)*cursor) || *cursor == '_') {
        if (length == MAX_NAME) {
            fail("name too long");
            return 0;
        }
        name[length++] = *cursor++;
    }
    name[length] = '\0';
    return 1;
}

static struct variable *find(const char *name)
{
    for (int i = 0; i < variable_count; i++) {
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i];
    }
    return NULL;
}

static void assign(const char *name, long value)
{
    struct variable *v = find(name);

    if (v == NULL) {
        if (variable_count == MAX_VARIABLES) {
            fail("too many variables");
            return;
        }
        v = &variables[variable_count++];
        strcpy(v->name, name);
    }
    v->value = value;
}

static long number(void)
{
    long value = 0;

    while (isdigit((unsigned char)*cursor)) {
        value = value * 10 + (*cursor - '0');
        if (value > INT_MAX) {
            fail("number too large");
            return 0;
        }
        cursor++;
    }
    return value;
}

/* min, max, abs and sum of a list of arguments. */
static long call(const char *name)
{
    long result = 0;
    int count = 0;

    if (strcmp(name, "min") != 0 && strcmp(name, "max") != 0 &&
        strcmp(name, "abs") != 0 && strcmp(name, "sum") != 0) {
        fail("unknown function");
        return 0;
    }
    do {
        long value = conditional();
        if (strcmp(name, "sum") == 0)
            result = checked('+', result, value);
        else if (count == 0 || (name[1] == 'i' ? value < result : value > result))
            result = value;
        count++;
    } while (accept(","));
    if (strcmp(name, "abs") == 0) {
        if (count != 1)
            fail("abs takes one argument");
        if (result < 0)
            result = checked('-', 0, result);
    }
    if (!accept(")"))
        fail("expected )");
    return result;
}

static long primary(void)
{
    char name[MAX_NAME + 1];
    long value = 0;

    skip_blanks();
    if (isdigit((unsigned char)*cursor)) {
        value = number();
    } else if (read_name(name)) {
        if (accept("("))
            return call(name);
        struct variable *v = find(name);
        if (v != NULL)
            value = v->value;
        else if (!skipping)
            fail("unknown variable");
    } else if (accept("(")) {
        value = conditional();
        if (!accept(")"))
            fail("expected )");
    } else {
        fail("expected a value");
    }
    return value;
}

static long unary(void)
{
    long value = 0;

    if (++depth > MAX_DEPTH)
        fail("nested too deeply");
    else if (accept("-"))
        value = checked('-', 0, unary());
    else if (accept("!"))
        value = !unary();
    else
        value = primary();
    depth--;
    return value;
}

/* Powers bind more tightly than a sign on their left, and group to the right. */
static long power(void)
{
    int negate = 0;

    while (accept("-"))
        negate = !negate;
    long base = unary();
    if (accept("**")) {
        long exponent = ++depth > MAX_DEPTH ? 0 : power();
        long result = 1;
        if (depth-- > MAX_DEPTH)
            fail("nested too deeply");
        if (exponent < 0 && !skipping)
            fail("negative exponent");
        if (base >= -1 && base <= 1 && exponent > 2)
            exponent = 2 - exponent % 2;
        while (!skipping && problem == NULL && exponent-- > 0)
            result = checked('*', result, base);
        base = result;
    }
    return negate ? checked('-', 0, base) : base;
}

static long term(void)
{
    long value = power();

    for (;;) {
        if (accept("*"))
            value = checked('*', value, power());
        else if (accept("/"))
            value = checked('/', value, power());
        else if (accept("%"))
            value = checked('%', value, power());
        else
            return value;
    }
}

static long sum(void)
{
    long value = term();

    for (;;) {
        if (accept("+"))
            value = checked('+', value, term());
        else if (accept("-"))
            value = checked('-', value, term());
        else
            return value;
    }
}

static long comparison(void)
{
    long value = sum();

    for (;;) {
        if (accept("<="))
            value = value <= sum();
        else if (accept(">="))
            value = value >= sum();
        else if (accept("<"))
            value = value < sum();
        else if (accept(">"))
            value = value > sum();
        else if (accept("=="))
            value = value == sum();
        else if (accept("!="))
            value = value != sum();
        else
            return value;
    }
}

/* The right side of && and || is read but not evaluated when it does not matter. */
static long logical(void)
{
    long value = comparison();

    for (;;) {
        int is_and = accept("&&");
        if (!is_and && !accept("||"))
            return value;
        int decided = is_and ? value == 0 : value != 0;
        skipping += decided;
        long right = comparison();
        skipping -= decided;
        value = decided ? !is_and : right != 0;
    }
}

static long conditional(void)
{
    long condition = logical();

    if (!accept("?"))
        return condition;
    skipping += condition == 0;
    long yes = conditional();
    skipping -= condition == 0;
    if (!accept(":"))
        fail("expected :");
    skipping += condition != 0;
    long no = conditional();
    skipping -= condition != 0;
    return condition ? yes : no;
}

/* NAME = EXPRESSION, or an expression; the result says whether to print it. */
static int statement(long *value)
{
    char name[MAX_NAME + 1];

    if (read_name(name) && accept("=") && *cursor != '=') {
        *value = conditional();
        skip_blanks();
        if (problem == NULL && *cursor == '\0')
            assign(name, *value);
        return 0;
    }
    cursor = line;
    *value = conditional();
    return 1;
}

int main(void)
{
    char text[MAX_LINE];
    int failures = 0;

    while (fgets(text, sizeof text, stdin) != NULL) {
        long value;
        text[strcspn(text, "#\r\n")] = '\0';
        if (text[strspn(text, " \t")] == '\0')
            continue;
        line = cursor = text;
        problem = NULL;
        depth = skipping = 0;

        int prints = statement(&value);
        skip_blanks();
        if (*cursor != '\0')
            fail("unexpected character");
        if (problem != NULL) {
            printf("error: column %d: %s\n", problem_column, problem);
            failures++;
        } else if (prints) {
            printf("%ld\n", value);
        }
    }
    return failures > 0 ? 1 : 0;
}
