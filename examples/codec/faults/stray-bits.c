/*
 * codec: base64, hexadecimal and CRC-32, one command a line. See README.md.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_LINE 1024
#define MAX_BYTES 1024

struct bytes {
    uint8_t at[MAX_BYTES];
    size_t length;
};

static const char digits64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static const char digits16[] = "0123456789abcdef";

/* Why a text could not be decoded, or NULL. */
static const char *problem;

static void append(struct bytes *out, unsigned value)
{
    if (out->length < MAX_BYTES)
        out->at[out->length++] = (uint8_t)(value & 0xFF);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void decode_hex(const char *text, struct bytes *out)
{
    int high = -1; /* the digit that waits for its partner */

    out->length = 0;
    for (; *text != '\0'; text++) {
        if (*text == ' ' && high < 0)
            continue;
        int digit = hex_digit(*text);
        if (digit < 0) {
            problem = "not a hexadecimal digit";
            return;
        }
        if (high < 0) {
            high = digit;
        } else {
            append(out, (unsigned)(high << 4 | digit));
            high = -1;
        }
    }
    if (high >= 0)
        problem = "odd number of digits";
}

static void encode_hex(const struct bytes *in)
{
    for (size_t i = 0; i < in->length; i++) {
        putchar(digits16[in->at[i] >> 4]);
        putchar(digits16[in->at[i] & 0x0F]);
    }
    putchar('\n');
}

static void encode_64(const struct bytes *in)
{
    for (size_t i = 0; i < in->length; i += 3) {
        size_t left = in->length - i;
        uint32_t group = (uint32_t)in->at[i] << 16;

        if (left > 1)
            group |= (uint32_t)in->at[i + 1] << 8;
        if (left > 2)
            group |= in->at[i + 2];
        putchar(digits64[group >> 18]);
        putchar(digits64[group >> 12 & 0x3F]);
        putchar(left > 1 ? digits64[group >> 6 & 0x3F] : '=');
        putchar(left > 2 ? digits64[group & 0x3F] : '=');
    }
    putchar('\n');
}

/* The value of a base64 digit; the URL alphabet is read as well. */
static int digit_64(char c)
{
    if (c == '-')
        c = '+';
    else if (c == '_')
        c = '/';
    const char *place = strchr(digits64, c);
    return c != '\0' && place != NULL ? (int)(place - digits64) : -1;
}

static void decode_64(const char *text, struct bytes *out)
{
    uint32_t group = 0;
    int held = 0;    /* digits in group */
    int padding = 0;

    out->length = 0;
    for (; *text != '\0'; text++) {
        if (*text == '=') {
            padding++;
            continue;
        }
        if (padding > 0) {
            problem = "digit after padding";
            return;
        }
        int digit = digit_64(*text);
        if (digit < 0) {
            problem = "not a base64 digit";
            return;
        }
        group = group << 6 | (uint32_t)digit;
        if (++held == 4) {
            append(out, group >> 16);
            append(out, group >> 8);
            append(out, group);
            group = 0;
            held = 0;
        }
    }
    if (held == 1 || padding > 2 || (padding > 0 && held + padding != 4)) {
        problem = "wrong length";
        return;
    }
    if (held == 2) {
        append(out, group >> 4);
        if ((group & 0x0F) != 0)
            problem = "stray bits";
    } else if (held == 3) {
        append(out, group >> 10);
        append(out, group >> 2);
    }
}

/* CRC-32 of IEEE 802.3: reflected, all ones before and after. */
static uint32_t crc32(const struct bytes *in)
{
    uint32_t crc = 0xFFFFFFFFu;

    for (size_t i = 0; i < in->length; i++) {
        crc ^= in->at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return crc ^ 0xFFFFFFFFu;
}

/* Counts the ones, and finds the longest run of them, which may cross bytes. */
static void print_bits(const struct bytes *in)
{
    unsigned ones = 0, longest = 0, streak = 0;

    for (size_t i = 0; i < in->length; i++) {
        for (int bit = 7; bit >= 0; bit--) {
            if (in->at[i] >> bit & 1) {
                ones++;
                streak++;
                if (streak > longest)
                    longest = streak;
            } else {
                streak = 0;
            }
        }
    }
    printf("%u ones, %s, longest run %u\n", ones, ones % 2 == 0 ? "even" : "odd", longest);
}

/* Prints bytes as text, with escapes for those that cannot be shown. */
static void print_text(const struct bytes *in)
{
    for (size_t i = 0; i < in->length; i++) {
        uint8_t c = in->at[i];
        if (c == '\\')
            fputs("\\\\", stdout);
        else if (c >= 0x20 && c < 0x7F)
            putchar(c);
        else
            printf("\\x%02x", c);
    }
    putchar('\n');
}

/* Reads text with the escapes \\ and \xHH. */
static void read_text(const char *text, struct bytes *out)
{
    out->length = 0;
    for (; *text != '\0'; text++) {
        if (*text != '\\') {
            append(out, (unsigned char)*text);
        } else if (text[1] == '\\') {
            append(out, '\\');
            text++;
        } else if (text[1] == 'x' && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
            append(out, (unsigned)(hex_digit(text[2]) << 4 | hex_digit(text[3])));
            text += 3;
        } else {
            problem = "bad escape";
            return;
        }
    }
}

/* Runs a command on its argument; the result is 0 for an unknown one. */
static int run(const char *command, const char *argument)
{
    static struct bytes data;
    int decodes_64 = strcmp(command, "unbase64") == 0;
    int decodes_16 = strcmp(command, "unhex") == 0;

    if (decodes_64)
        decode_64(argument, &data);
    else if (decodes_16)
        decode_hex(argument, &data);
    else
        read_text(argument, &data);
    if (problem != NULL)
        return 1;

    if (decodes_64 || decodes_16)
        print_text(&data);
    else if (strcmp(command, "base64") == 0)
        encode_64(&data);
    else if (strcmp(command, "hex") == 0)
        encode_hex(&data);
    else if (strcmp(command, "crc") == 0)
        printf("%08lx\n", (unsigned long)crc32(&data));
    else if (strcmp(command, "bits") == 0)
        print_bits(&data);
    else
        return 0;
    return 1;
}

int main(void)
{
    char line[MAX_LINE];

    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0')
            continue;
        char *argument = line;
        while (*argument != '\0' && !isspace((unsigned char)*argument))
            argument++;
        if (*argument != '\0')
            *argument++ = '\0';
        if (!run(line, argument))
            problem = "unknown command";
        if (problem != NULL) {
            printf("error: line %d: %s\n", number, problem);
            return 1;
        }
    }
    return 0;
}
