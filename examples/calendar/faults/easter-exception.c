/*
 * calendar: arithmetic on dates of the proleptic Gregorian calendar.
 *
 * One command a line; the years 1 to 9999 are known. See README.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 128
#define MAX_YEAR 9999
#define MAX_SHIFT 5000000L

struct date {
    int year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
};

enum { MONDAY = 0, THURSDAY = 3, SATURDAY = 5, SUNDAY = 6 };

static const char *const day_names[7] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
};

static int line_number;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

/* Number of the day in its year, from 1. */
static int day_of_year(struct date d)
{
    int total = d.day;
    for (int month = 1; month < d.month; month++)
        total += days_in_month(d.year, month);
    return total;
}

/* Days since the first of January of the year 1, which has number 0. */
static long day_number(struct date d)
{
    long before = d.year - 1;
    return before * 365 + before / 4 - before / 100 + before / 400 + day_of_year(d) - 1;
}

static struct date from_day_number(long number)
{
    struct date d = { 1, 1, 1 };

    d.year = (int)(number / 366) + 1;
    for (;;) {
        struct date next = { d.year + 1, 1, 1 };
        if (day_number(next) > number)
            break;
        d.year++;
    }
    struct date first = { d.year, 1, 1 };
    long rest = number - day_number(first);
    while (rest >= days_in_month(d.year, d.month)) {
        rest -= days_in_month(d.year, d.month);
        d.month++;
    }
    d.day = (int)rest + 1;
    return d;
}

static int weekday(struct date d)
{
    return (int)(day_number(d) % 7); /* 0001-01-01 was a Monday */
}

static int weeks_in_year(int year)
{
    struct date first = { year, 1, 1 };
    struct date last = { year, 12, 31 };
    return weekday(first) == THURSDAY || weekday(last) == THURSDAY ? 53 : 52;
}

/* The week of ISO 8601: week 1 is the one that holds the first Thursday. */
static void print_week(struct date d)
{
    int year = d.year;
    int week = (day_of_year(d) - weekday(d) + 9) / 7;

    if (week < 1) {
        year--;
        week = weeks_in_year(year);
    } else if (week > weeks_in_year(year)) {
        year++;
        week = 1;
    }
    printf("%04d-W%02d-%d\n", year, week, weekday(d) + 1);
}

/* Days from Monday to Friday, from a (included) to b (excluded). */
static long workdays(struct date a, struct date b)
{
    long from = day_number(a), to = day_number(b);
    long sign = 1;

    if (from > to) {
        long t = from;
        from = to;
        to = t;
        sign = -1;
    }
    long count = (to - from) / 7 * 5;
    for (long rest = from + (to - from) / 7 * 7; rest < to; rest++) {
        if (rest % 7 != SATURDAY && rest % 7 != SUNDAY)
            count++;
    }
    return sign * count;
}

/* The same day some months later, or the last day of a shorter month. */
static struct date add_months(struct date d, long months)
{
    long total = d.year * 12L + (d.month - 1) + months;

    if (total < 12 || total >= (MAX_YEAR + 1) * 12L)
        fail("date out of range");
    d.year = (int)(total / 12);
    d.month = (int)(total % 12) + 1;
    if (d.day > days_in_month(d.year, d.month))
        d.day = days_in_month(d.year, d.month);
    return d;
}

static struct date add_days(struct date d, long days)
{
    struct date last = { MAX_YEAR, 12, 31 };
    long number = day_number(d) + days;

    if (number < 0 || number > day_number(last))
        fail("date out of range");
    return from_day_number(number);
}

/* Western Easter, by the method of Gauss with its two exceptions. */
static struct date easter(int year)
{
    int century = year / 100;
    int p = (13 + 8 * century) / 25;
    int m = (15 - p + century - century / 4) % 30;
    int n = (4 + century - century / 4) % 7;
    int a = year % 19, b = year % 4, c = year % 7;
    int moon = (19 * a + m) % 30;
    int sunday = (2 * b + 4 * c + 6 * moon + n) % 7;
    struct date d = { year, 3, 22 + moon + sunday };

    if (d.day > 31) {
        d.month = 4;
        d.day -= 31;
    }
    if (moon == 29 && sunday == 6)
        d.day = 19;
    return d;
}

static void print_month(int year, int month)
{
    struct date first = { year, month, 1 };
    int column = weekday(first);

    printf("    %04d-%02d\nMo Tu We Th Fr Sa Su\n", year, month);
    for (int i = 0; i < column; i++)
        printf("   ");
    for (int day = 1; day <= days_in_month(year, month); day++) {
        printf("%2d", day);
        column = (column + 1) % 7;
        putchar(column == 0 ? '\n' : ' ');
    }
    if (column != 0)
        putchar('\n');
}

static long parse_number(const char *text, long low, long high)
{
    char *end;

    if (text == NULL)
        fail("missing number");
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        fail("bad number");
    if (value < low || value > high)
        fail("number out of range");
    return value;
}

static struct date parse_date(const char *text)
{
    struct date d;
    int length = 0;

    if (text == NULL)
        fail("missing date");
    if (strspn(text, "0123456789-") != strlen(text) ||
        sscanf(text, "%4d-%2d-%2d%n", &d.year, &d.month, &d.day, &length) != 3 ||
        length != 10 || text[length] != '\0')
        fail("bad date");
    if (d.year < 1 || d.month < 1 || d.month > 12 || d.day < 1 ||
        d.day > days_in_month(d.year, d.month))
        fail("no such day");
    return d;
}

static void print_date(struct date d)
{
    printf("%04d-%02d-%02d\n", d.year, d.month, d.day);
}

static void run(const char *command, const char *first, const char *second)
{
    if (strcmp(command, "weekday") == 0) {
        puts(day_names[weekday(parse_date(first))]);
    } else if (strcmp(command, "add") == 0) {
        struct date d = parse_date(first);
        print_date(add_days(d, parse_number(second, -MAX_SHIFT, MAX_SHIFT)));
    } else if (strcmp(command, "months") == 0) {
        struct date d = parse_date(first);
        print_date(add_months(d, parse_number(second, -MAX_SHIFT, MAX_SHIFT)));
    } else if (strcmp(command, "diff") == 0) {
        struct date d = parse_date(first);
        printf("%ld\n", day_number(parse_date(second)) - day_number(d));
    } else if (strcmp(command, "workdays") == 0) {
        struct date d = parse_date(first);
        printf("%ld\n", workdays(d, parse_date(second)));
    } else if (strcmp(command, "week") == 0) {
        print_week(parse_date(first));
    } else if (strcmp(command, "easter") == 0) {
        print_date(easter((int)parse_number(first, 1583, MAX_YEAR)));
    } else if (strcmp(command, "month") == 0) {
        int year = (int)parse_number(first, 1, MAX_YEAR);
        print_month(year, (int)parse_number(second, 1, 12));
    } else {
        fail("unknown command");
    }
}

int main(void)
{
    char line[MAX_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        char *command = strtok(line, " \t\r\n");
        char *first = strtok(NULL, " \t\r\n");
        char *second = strtok(NULL, " \t\r\n");
        if (command == NULL || command[0] == '#')
            continue;
        run(command, first, second);
    }
    return 0;
}
