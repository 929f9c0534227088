/*
 * matrix: exact arithmetic on small matrices of integers.
 *
 * Matrices have the names A to Z. Determinant, rank and inverse come from
 * elimination without fractions (Bareiss). See README.md for the commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE 6
#define MAX_LINE 256
#define LIMIT 1000000000L

struct matrix {
    int rows; /* 0 for a name that is not in use */
    int columns;
    long at[MAX_SIZE][MAX_SIZE];
};

static struct matrix matrices[26];
static int line_number;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

static long bounded(long long value)
{
    if (value > LIMIT || value < -LIMIT)
        fail("value too large");
    return (long)value;
}

static long parse_long(const char *text)
{
    char *end;

    if (text == NULL)
        fail("missing number");
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        fail("bad number");
    return bounded(value);
}

static char *next_word(void)
{
    return strtok(NULL, " \t\r\n");
}

static struct matrix *place(const char *name)
{
    if (name == NULL)
        fail("missing name");
    if (name[0] < 'A' || name[0] > 'Z' || name[1] != '\0')
        fail("bad name");
    return &matrices[name[0] - 'A'];
}

static const struct matrix *operand(void)
{
    const struct matrix *m = place(next_word());

    if (m->rows == 0)
        fail("unknown matrix");
    return m;
}

/* Reads "1 2; 3 4": rows of equal length, with a semicolon between them. */
static struct matrix read_matrix(void)
{
    struct matrix m = { 1, 0, { { 0 } } };
    int column = 0;

    for (char *word = next_word(); word != NULL; word = next_word()) {
        size_t length = strlen(word);
        int ends_row = word[length - 1] == ';';
        if (ends_row)
            word[length - 1] = '\0';
        if (m.rows > MAX_SIZE || column == MAX_SIZE)
            fail("matrix too large");
        m.at[m.rows - 1][column++] = parse_long(word);
        if (ends_row) {
            if (m.rows > 1 && column != m.columns)
                fail("rows of unequal length");
            m.columns = column;
            m.rows++;
            column = 0;
        }
    }
    if (column == 0)
        fail("empty row");
    if (m.rows > 1 && column != m.columns)
        fail("rows of unequal length");
    m.columns = column;
    return m;
}

static struct matrix identity(int size)
{
    struct matrix m = { size, size, { { 0 } } };

    for (int i = 0; i < size; i++)
        m.at[i][i] = 1;
    return m;
}

static struct matrix combine(const struct matrix *a, const struct matrix *b, int factor)
{
    struct matrix sum = *a;

    if (a->rows != b->rows || a->columns != b->columns)
        fail("shapes do not match");
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            sum.at[i][j] = bounded(a->at[i][j] + factor * b->at[i][j]);
    return sum;
}

static struct matrix multiply(const struct matrix *a, const struct matrix *b)
{
    struct matrix product = { a->rows, b->columns, { { 0 } } };

    if (a->columns != b->rows)
        fail("shapes do not match");
    for (int i = 0; i < a->rows; i++) {
        for (int j = 0; j < b->columns; j++) {
            long long sum = 0;
            for (int k = 0; k < a->columns; k++)
                sum += (long long)a->at[i][k] * b->at[k][j];
            product.at[i][j] = bounded(sum);
        }
    }
    return product;
}

static struct matrix transpose(const struct matrix *a)
{
    struct matrix t = { a->columns, a->rows, { { 0 } } };

    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            t.at[j][i] = a->at[i][j];
    return t;
}

static struct matrix power(struct matrix base, long exponent)
{
    struct matrix result = identity(base.rows);

    if (base.rows != base.columns)
        fail("matrix is not square");
    if (exponent < 0)
        fail("negative exponent");
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            result = multiply(&result, &base);
        if (exponent > 1)
            base = multiply(&base, &base);
    }
    return result;
}

static void swap_rows(struct matrix *m, int a, int b)
{
    for (int j = 0; j < m->columns; j++) {
        long t = m->at[a][j];
        m->at[a][j] = m->at[b][j];
        m->at[b][j] = t;
    }
}

/*
 * Brings m into echelon form without fractions and returns its rank; *sign
 * becomes -1 for an odd number of exchanges. In a square matrix of full rank
 * the last element is then the determinant, but for the sign.
 */
static int eliminate(struct matrix *m, int *sign)
{
    long previous = 1;
    int rank = 0;

    *sign = 1;
    for (int column = 0; column < m->columns && rank < m->rows; column++) {
        int pivot = rank;
        while (pivot < m->rows && m->at[pivot][column] == 0)
            pivot++;
        if (pivot == m->rows)
            break;
        if (pivot != rank) {
            swap_rows(m, pivot, rank);
            *sign = -*sign;
        }
        for (int i = rank + 1; i < m->rows; i++) {
            for (int j = column + 1; j < m->columns; j++) {
                long long minor = (long long)m->at[rank][column] * m->at[i][j] -
                                  (long long)m->at[i][column] * m->at[rank][j];
                m->at[i][j] = bounded(minor / previous);
            }
            m->at[i][column] = 0;
        }
        previous = m->at[rank][column];
        rank++;
    }
    return rank;
}

static long determinant(struct matrix m)
{
    int sign;

    if (m.rows != m.columns)
        fail("matrix is not square");
    if (eliminate(&m, &sign) < m.rows)
        return 0;
    return sign * m.at[m.rows - 1][m.columns - 1];
}

static long trace(const struct matrix *m)
{
    long long sum = 0;

    if (m->rows != m->columns)
        fail("matrix is not square");
    for (int i = 0; i < m->rows; i++)
        sum += m->at[i][i];
    return bounded(sum);
}

/* The matrix of cofactors, transposed: A times its adjugate is det(A). */
static struct matrix adjugate(const struct matrix *m)
{
    struct matrix result = *m;

    if (m->rows != m->columns)
        fail("matrix is not square");
    if (m->rows == 1)
        return identity(1);
    for (int row = 0; row < m->rows; row++) {
        for (int column = 0; column < m->columns; column++) {
            struct matrix minor = { m->rows - 1, m->columns - 1, { { 0 } } };
            for (int i = 0; i < minor.rows; i++)
                for (int j = 0; j < minor.columns; j++)
                    minor.at[i][j] = m->at[i < row ? i : i + 1][j < column ? j : j + 1];
            long cofactor = determinant(minor);
            result.at[column][row] = (row + column) % 2 == 0 ? cofactor : -cofactor;
        }
    }
    return result;
}

/* Every column is as wide as its widest number. */
static void print(const struct matrix *m)
{
    int width[MAX_SIZE] = { 0 };

    for (int j = 0; j < m->columns; j++) {
        for (int i = 0; i < m->rows; i++) {
            int length = snprintf(NULL, 0, "%ld", m->at[i][j]);
            if (length > width[j])
                width[j] = length;
        }
    }
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            printf("%*ld%c", width[j], m->at[i][j], j < m->columns - 1 ? ' ' : '\n');
}

/* The value of the right side of an assignment. */
static struct matrix evaluate(const char *command)
{
    if (strcmp(command, "new") == 0)
        return read_matrix();
    const struct matrix *a = operand();
    if (strcmp(command, "mul") == 0)
        return multiply(a, operand());
    if (strcmp(command, "add") == 0)
        return combine(a, operand(), 1);
    if (strcmp(command, "sub") == 0)
        return combine(a, operand(), -1);
    if (strcmp(command, "pow") == 0)
        return power(*a, parse_long(next_word()));
    if (strcmp(command, "transpose") == 0)
        return transpose(a);
    if (strcmp(command, "adj") == 0)
        return adjugate(a);
    fail("unknown operation");
    return *a;
}

static void run(const char *command)
{
    if (strcmp(command, "print") == 0) {
        print(operand());
    } else if (strcmp(command, "det") == 0) {
        printf("%ld\n", determinant(*operand()));
    } else if (strcmp(command, "trace") == 0) {
        printf("%ld\n", trace(operand()));
    } else if (strcmp(command, "rank") == 0) {
        struct matrix m = *operand();
        int sign;
        printf("%d\n", eliminate(&m, &sign));
    } else {
        struct matrix *target = place(command);
        const char *equals = next_word();
        const char *operation = equals == NULL ? NULL : next_word();
        if (operation == NULL || strcmp(equals, "=") != 0)
            fail("expected = and an operation");
        *target = evaluate(operation);
    }
    if (next_word() != NULL)
        fail("too many words");
}

int main(void)
{
    char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        const char *command = strtok(line, " \t\r\n");
        if (command != NULL && *command != '#')
            run(command);
    }
    return 0;
}
