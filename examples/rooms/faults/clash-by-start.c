/*
 * rooms: the meetings of one day, and the rooms they need.
 *
 * Meetings are half-open intervals of minutes: one that ends at 10:00 does not
 * meet one that begins then. See README.md for the commands.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MEETINGS 40
#define MAX_NAME 12
#define MAX_LINE 128
#define DAY (24 * 60)

struct meeting {
    char name[MAX_NAME + 1];
    int start; /* minutes since midnight */
    int end;
};

static struct meeting meetings[MAX_MEETINGS];
static int meeting_count;
static int opens = 8 * 60;
static int closes = 18 * 60;
static int line_number;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

static int by_start(const void *left, const void *right)
{
    const struct meeting *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_end(const void *left, const void *right)
{
    const struct meeting *a = left, *b = right;

    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return by_start(left, right);
}

static char *next_word(void)
{
    return strtok(NULL, " \t\r\n");
}

/* Reads HH:MM; 24:00 is the end of the day. */
static int parse_time(const char *text)
{
    if (text == NULL)
        fail("missing time");
    if (strlen(text) != 5 || text[2] != ':')
        fail("bad time");
    for (int i = 0; i < 5; i++) {
        if (i != 2 && !isdigit((unsigned char)text[i]))
            fail("bad time");
    }
    int hours = (text[0] - '0') * 10 + (text[1] - '0');
    int minutes = (text[3] - '0') * 10 + (text[4] - '0');
    if (minutes > 59 || hours * 60 + minutes > DAY)
        fail("no such time");
    return hours * 60 + minutes;
}

static int parse_minutes(const char *text)
{
    int value = 0;

    if (text == NULL)
        fail("missing number");
    for (; *text != '\0'; text++) {
        if (!isdigit((unsigned char)*text))
            fail("bad number");
        value = value * 10 + (*text - '0');
        if (value > DAY)
            fail("number too large");
    }
    return value;
}

static void print_span(int start, int end)
{
    printf("%02d:%02d-%02d:%02d", start / 60, start % 60, end / 60, end % 60);
}

static int find(const char *name)
{
    for (int i = 0; i < meeting_count; i++) {
        if (strcmp(meetings[i].name, name) == 0)
            return i;
    }
    return -1;
}

static const char *parse_name(void)
{
    const char *name = next_word();

    if (name == NULL)
        fail("missing name");
    if (strlen(name) > MAX_NAME)
        fail("name too long");
    return name;
}

static void set_hours(void)
{
    int from = parse_time(next_word());
    int to = parse_time(next_word());

    if (from >= to)
        fail("times in wrong order");
    for (int i = 0; i < meeting_count; i++) {
        if (meetings[i].start < from || meetings[i].end > to)
            fail("a meeting is outside the hours");
    }
    opens = from;
    closes = to;
}

static void book(void)
{
    struct meeting m;

    strcpy(m.name, parse_name());
    m.start = parse_time(next_word());
    m.end = parse_time(next_word());
    if (m.start >= m.end)
        fail("times in wrong order");
    if (m.start < opens || m.end > closes) {
        printf("%s refused: outside the hours\n", m.name);
        return;
    }
    if (find(m.name) >= 0) {
        printf("%s refused: name in use\n", m.name);
        return;
    }
    if (meeting_count == MAX_MEETINGS)
        fail("too many meetings");
    meetings[meeting_count++] = m;
    qsort(meetings, (size_t)meeting_count, sizeof meetings[0], by_start);
}

static void cancel(void)
{
    const char *name = parse_name();
    int place = find(name);

    if (place < 0) {
        printf("%s not found\n", name);
        return;
    }
    meeting_count--;
    for (int i = place; i < meeting_count; i++)
        meetings[i] = meetings[i + 1];
}

static void list(void)
{
    for (int i = 0; i < meeting_count; i++) {
        print_span(meetings[i].start, meetings[i].end);
        printf(" %s\n", meetings[i].name);
    }
    printf("%d meetings\n", meeting_count);
}

/* Gives every meeting the first room that is free, and returns how many it takes. */
static int assign(int rooms[MAX_MEETINGS])
{
    int free_from[MAX_MEETINGS]; /* when the last meeting of each room ends */
    int count = 0;

    for (int i = 0; i < meeting_count; i++) {
        int room = 0;
        while (room < count && free_from[room] > meetings[i].start)
            room++;
        if (room == count)
            count++;
        free_from[room] = meetings[i].end;
        rooms[i] = room;
    }
    return count;
}

static void print_rooms(void)
{
    int rooms[MAX_MEETINGS];
    int count = assign(rooms);

    for (int room = 0; room < count; room++) {
        printf("room %d:", room + 1);
        for (int i = 0; i < meeting_count; i++) {
            if (rooms[i] == room)
                printf(" %s", meetings[i].name);
        }
        putchar('\n');
    }
    printf("%d rooms\n", count);
}

/* The most meetings one person can attend: always the one that ends first. */
static void print_most(void)
{
    struct meeting sorted[MAX_MEETINGS];
    int until = 0, count = 0;

    memcpy(sorted, meetings, sizeof sorted);
    qsort(sorted, (size_t)meeting_count, sizeof sorted[0], by_end);
    for (int i = 0; i < meeting_count; i++) {
        if (sorted[i].start >= until) {
            printf("%s ", sorted[i].name);
            until = sorted[i].end;
            count++;
        }
    }
    printf("(%d)\n", count);
}

/* The spans of the opening hours without any meeting that are long enough. */
static void print_gaps(int shortest)
{
    int until = opens, count = 0;

    for (int i = 0; i <= meeting_count; i++) {
        int next = i < meeting_count ? meetings[i].start : closes;
        if (next > until && next - until >= shortest) {
            print_span(until, next);
            putchar('\n');
            count++;
        }
        if (i < meeting_count && meetings[i].end > until)
            until = meetings[i].end;
    }
    if (count == 0)
        puts("no gap");
}

/* Minutes during which there is at least one meeting. */
static int busy_minutes(void)
{
    int until = 0, total = 0;

    for (int i = 0; i < meeting_count; i++) {
        int start = meetings[i].start > until ? meetings[i].start : until;
        if (meetings[i].end > start) {
            total += meetings[i].end - start;
            until = meetings[i].end;
        }
    }
    return total;
}

static void print_clashes(const char *name)
{
    int place = find(name), count = 0;

    if (place < 0) {
        printf("%s not found\n", name);
        return;
    }
    for (int i = 0; i < meeting_count; i++) {
        if (i != place && meetings[i].start < meetings[place].end &&
            meetings[place].start <= meetings[i].start) {
            printf("%s ", meetings[i].name);
            count++;
        }
    }
    printf("(%d)\n", count);
}

static void run(const char *command)
{
    if (strcmp(command, "hours") == 0) {
        set_hours();
    } else if (strcmp(command, "book") == 0) {
        book();
    } else if (strcmp(command, "cancel") == 0) {
        cancel();
    } else if (strcmp(command, "list") == 0) {
        list();
    } else if (strcmp(command, "rooms") == 0) {
        print_rooms();
    } else if (strcmp(command, "most") == 0) {
        print_most();
    } else if (strcmp(command, "gaps") == 0) {
        print_gaps(parse_minutes(next_word()));
    } else if (strcmp(command, "busy") == 0) {
        int minutes = busy_minutes();
        printf("%d:%02d\n", minutes / 60, minutes % 60);
    } else if (strcmp(command, "clashes") == 0) {
        print_clashes(parse_name());
    } else {
        fail("unknown command");
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
