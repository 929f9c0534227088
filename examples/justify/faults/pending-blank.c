/*
 * justify: fill paragraphs to a width and align them.
 *
 * Lines that begin with a dot are requests, all others are text; see README.md.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 512
#define MAX_WORDS 80
#define MAX_WORD 80
#define MIN_WIDTH 10
#define MAX_WIDTH 80

enum alignment { LEFT, RIGHT, CENTER, BOTH };

struct layout {
    int width;
    int indent;      /* extra blanks before the first line of a paragraph */
    int margin;      /* blanks before every line */
    enum alignment alignment;
};

/* The words of the output line that is being filled. */
struct line {
    char words[MAX_WORDS][MAX_WORD + 1];
    int count;
    int letters;     /* total length of the words */
    int first;       /* whether it begins a paragraph */
};

static int line_number;
static int blank_pending;
static int anything_printed;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

static void print_blanks(int count)
{
    while (count-- > 0)
        putchar(' ');
}

/* The columns that the words of the current line may use. */
static int room(const struct layout *layout, const struct line *line)
{
    int columns = layout->width - layout->margin;
    if (line->first)
        columns -= layout->indent;
    return columns;
}

/* Prints the words so that they reach both margins; the left gaps are wider. */
static void print_spread(const struct line *line, int columns)
{
    int gaps = line->count - 1;
    int spare = columns - line->letters;

    for (int i = 0; i < line->count; i++) {
        fputs(line->words[i], stdout);
        if (i < gaps)
            print_blanks(spare / gaps + (i < spare % gaps ? 1 : 0));
    }
}

static void print_plain(const struct line *line)
{
    for (int i = 0; i < line->count; i++) {
        if (i > 0)
            putchar(' ');
        fputs(line->words[i], stdout);
    }
}

/* Prints the line, unless it is empty, and begins the next one. */
static void flush_line(const struct layout *layout, struct line *line, int last)
{
    if (line->count == 0)
        return;
    if (blank_pending && anything_printed)
        putchar('\n');
    anything_printed = 1;

    int columns = room(layout, line);
    int used = line->letters + line->count - 1;
    print_blanks(layout->margin + (line->first ? layout->indent : 0));
    switch (layout->alignment) {
    case RIGHT:
        print_blanks(columns - used);
        print_plain(line);
        break;
    case CENTER:
        print_blanks((columns - used) / 2);
        print_plain(line);
        break;
    case BOTH:
        if (!last && line->count > 1) {
            print_spread(line, columns);
            break;
        }
        print_plain(line);
        break;
    default:
        print_plain(line);
        break;
    }
    putchar('\n');
    line->count = 0;
    line->letters = 0;
    line->first = 0;
}

/* Appends one piece that is known to be no longer than a line. */
static void add_piece(const struct layout *layout, struct line *line,
                      const char *text, int length)
{
    if (line->count > 0 && line->letters + line->count + length > room(layout, line))
        flush_line(layout, line, 0);
    memcpy(line->words[line->count], text, (size_t)length);
    line->words[line->count][length] = '\0';
    line->count++;
    line->letters += length;
}

/* Appends a word; one that is longer than a line is cut into lines. */
static void add_word(const struct layout *layout, struct line *line, const char *word)
{
    int length = (int)strlen(word);

    while (length > room(layout, line)) {
        if (line->count > 0) {
            flush_line(layout, line, 0);
        } else {
            int cut = room(layout, line);
            add_piece(layout, line, word, cut);
            flush_line(layout, line, 0);
            word += cut;
            length -= cut;
        }
    }
    if (length > 0)
        add_piece(layout, line, word, length);
}

static void end_paragraph(const struct layout *layout, struct line *line)
{
    flush_line(layout, line, 1);
    line->first = 1;
}

static int parse_value(const char *text, int low, int high)
{
    int value = 0;

    if (text == NULL)
        fail("missing value");
    for (; *text != '\0'; text++) {
        if (!isdigit((unsigned char)*text))
            fail("bad value");
        value = value * 10 + (*text - '0');
        if (value > high)
            fail("value out of range");
    }
    if (value < low)
        fail("value out of range");
    return value;
}

static enum alignment parse_alignment(const char *text)
{
    static const char *const names[] = { "left", "right", "center", "both" };

    if (text == NULL)
        fail("missing value");
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0)
            return (enum alignment)i;
    }
    fail("unknown alignment");
    return LEFT;
}

static void request(struct layout *layout, struct line *line, char *text)
{
    const char *name = strtok(text, " \t\n");
    const char *value = strtok(NULL, " \t\n");

    flush_line(layout, line, 1);
    if (strcmp(name, ".width") == 0) {
        layout->width = parse_value(value, MIN_WIDTH, MAX_WIDTH);
    } else if (strcmp(name, ".indent") == 0) {
        layout->indent = parse_value(value, 0, MAX_WIDTH);
    } else if (strcmp(name, ".margin") == 0) {
        layout->margin = parse_value(value, 0, MAX_WIDTH);
    } else if (strcmp(name, ".align") == 0) {
        layout->alignment = parse_alignment(value);
    } else if (strcmp(name, ".break") != 0) {
        fail("unknown request");
    }
    if (layout->margin + layout->indent > layout->width - MIN_WIDTH / 2)
        fail("no room for text");
}

int main(void)
{
    static struct line line = { .first = 1 };
    struct layout layout = { 40, 0, 0, LEFT };
    char text[MAX_LINE];

    while (fgets(text, sizeof text, stdin) != NULL) {
        line_number++;
        if (strchr(text, '\n') == NULL && strlen(text) == sizeof text - 1)
            fail("line too long");
        if (text[0] == '.' && islower((unsigned char)text[1])) {
            request(&layout, &line, text);
            continue;
        }
        char *word = strtok(text, " \t\n");
        if (word == NULL) {
            end_paragraph(&layout, &line);
            blank_pending = 1;
        }
        for (; word != NULL; word = strtok(NULL, " \t\n"))
            add_word(&layout, &line, word);
    }
    end_paragraph(&layout, &line);
    return 0;
}
