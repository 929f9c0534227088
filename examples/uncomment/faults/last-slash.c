/*
 * uncomment: removes the comments of a C source and counts its lines.
 *
 * A machine with one state for each place a character can stand in; every
 * character of the input is looked at once. See README.md for the rules.
 */
#include <ctype.h>
#include <stdio.h>

#define MAX_LINE 400

enum state {
    CODE,
    SLASH,              /* after a / that may begin a comment */
    LINE_COMMENT,
    LINE_ESCAPE,        /* after a backslash in a line comment */
    BLOCK_COMMENT,
    BLOCK_STAR,         /* after a * that may end the comment */
    STRING,
    STRING_ESCAPE,
    CHARACTER,
    CHARACTER_ESCAPE
};

struct scanner {
    enum state state;
    int line;           /* number of the input line, from 1 */
    int opened;         /* line on which the comment or literal began */
    char text[MAX_LINE];
    int length;
    int kept;           /* length up to the last character that is not blank */
    int has_code;       /* of the current line */
    int has_comment;
    int code_lines;
    int comment_lines;  /* lines that hold a comment, with or without code */
    int blank_lines;
    int comments;
    const char *problem;
    int problem_line;
};

static void fail(struct scanner *s, int line, const char *message)
{
    if (s->problem == NULL) {
        s->problem = message;
        s->problem_line = line;
    }
}

static void emit(struct scanner *s, char c)
{
    if (s->length == MAX_LINE) {
        fail(s, s->line, "line too long");
        return;
    }
    s->text[s->length++] = c;
    if (c != ' ' && c != '\t') {
        s->kept = s->length;
        s->has_code = 1;
    }
}

/* Keeps blanks at the end of the line too, as those of a literal. */
static void emit_literal(struct scanner *s, char c)
{
    emit(s, c);
    s->kept = s->length;
    s->has_code = 1;
}

/* Prints the line without the blanks at its end, unless only comments were on it. */
static void end_line(struct scanner *s)
{
    if (s->has_code || !s->has_comment)
        printf("%.*s\n", s->kept, s->text);
    if (s->has_code)
        s->code_lines++;
    if (s->has_comment)
        s->comment_lines++;
    if (!s->has_code && !s->has_comment)
        s->blank_lines++;
    s->length = 0;
    s->kept = 0;
    s->has_code = 0;
    s->has_comment = s->state == BLOCK_COMMENT || s->state == LINE_COMMENT;
    s->line++;
}

static void begin_comment(struct scanner *s, enum state state)
{
    s->state = state;
    s->opened = s->line;
    s->has_comment = 1;
    s->comments++;
    if (state == BLOCK_COMMENT)
        emit(s, ' ');
}

static void begin_literal(struct scanner *s, enum state state, char quote)
{
    s->state = state;
    s->opened = s->line;
    emit_literal(s, quote);
}

static void in_code(struct scanner *s, char c)
{
    s->state = CODE;
    switch (c) {
    case '/':
        s->state = SLASH;
        break;
    case '"':
        begin_literal(s, STRING, c);
        break;
    case '\'':
        begin_literal(s, CHARACTER, c);
        break;
    case '\n':
        end_line(s);
        break;
    default:
        emit(s, c);
        break;
    }
}

static void after_slash(struct scanner *s, char c)
{
    if (c == '/') {
        begin_comment(s, LINE_COMMENT);
    } else if (c == '*') {
        begin_comment(s, BLOCK_COMMENT);
    } else {
        emit(s, '/');
        in_code(s, c);
    }
}

/* A backslash at the end of the line continues a line comment. */
static void in_line_comment(struct scanner *s, char c)
{
    if (c == '\n') {
        if (s->state != LINE_ESCAPE)
            s->state = CODE;
        else
            s->state = LINE_COMMENT;
        end_line(s);
    } else {
        s->state = c == '\\' ? LINE_ESCAPE : LINE_COMMENT;
    }
}

static void in_block_comment(struct scanner *s, char c)
{
    if (s->state == BLOCK_STAR && c == '/') {
        s->state = CODE;
        return;
    }
    s->state = c == '*' ? BLOCK_STAR : BLOCK_COMMENT;
    if (c == '\n')
        end_line(s);
}

static void in_literal(struct scanner *s, char c)
{
    int is_string = s->state == STRING;

    if (c == '\n') {
        fail(s, s->opened, is_string ? "string is not closed" : "character is not closed");
        return;
    }
    emit_literal(s, c);
    if (c == '\\')
        s->state = is_string ? STRING_ESCAPE : CHARACTER_ESCAPE;
    else if (c == (is_string ? '"' : '\''))
        s->state = CODE;
}

/* The character after a backslash never ends the literal, nor does a line end. */
static void in_escape(struct scanner *s, char c)
{
    s->state = s->state == STRING_ESCAPE ? STRING : CHARACTER;
    if (c == '\n')
        end_line(s);
    else
        emit_literal(s, c);
}

static void step(struct scanner *s, char c)
{
    switch (s->state) {
    case CODE:
        in_code(s, c);
        break;
    case SLASH:
        after_slash(s, c);
        break;
    case LINE_COMMENT:
    case LINE_ESCAPE:
        in_line_comment(s, c);
        break;
    case BLOCK_COMMENT:
    case BLOCK_STAR:
        in_block_comment(s, c);
        break;
    case STRING:
    case CHARACTER:
        in_literal(s, c);
        break;
    case STRING_ESCAPE:
    case CHARACTER_ESCAPE:
        in_escape(s, c);
        break;
    }
}

/* Looks at what the end of the input cuts off. */
static void finish(struct scanner *s)
{
    switch (s->state) {
    case BLOCK_COMMENT:
    case BLOCK_STAR:
        fail(s, s->opened, "comment is not closed");
        break;
    case STRING:
    case STRING_ESCAPE:
        fail(s, s->opened, "string is not closed");
        break;
    case CHARACTER:
    case CHARACTER_ESCAPE:
        fail(s, s->opened, "character is not closed");
        break;
    default:
        break;
    }
    if (s->problem == NULL && (s->length > 0 || s->has_comment))
        end_line(s);
}

int main(void)
{
    static struct scanner scanner = { .state = CODE, .line = 1 };
    int c;

    while (scanner.problem == NULL && (c = getchar()) != EOF) {
        if (c == '\n' || c == '\t' || !iscntrl(c))
            step(&scanner, (char)c);
        else
            fail(&scanner, scanner.line, "control character");
    }
    if (scanner.problem == NULL)
        finish(&scanner);
    if (scanner.problem != NULL) {
        printf("error: line %d: %s\n", scanner.problem_line, scanner.problem);
        return 1;
    }
    printf("%d code, %d comment, %d blank, %d comments\n", scanner.code_lines,
           scanner.comment_lines, scanner.blank_lines, scanner.comments);
    return 0;
}
