/* Books the lines of a journal to accounts: ledger ACCOUNTS JOURNAL REPORT. The accounts
 * are read, changed and written back, by way of another file; the report says what was
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LONGEST = 32 };

struct account {
  char name[LONGEST];
  long cents;
};

static struct account accounts[MOST];
static int count;

static struct account *find(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(accounts[i].name, name) == 0) return &accounts[i];
  return NULL;
}

static int read_accounts(const char *path) {
  FILE *in = fopen(path, "r");
  if (!in) return 0;
  while (count < MOST && fscanf(in, "%31s %ld", accounts[count].name, &accounts[count].cents) == 2) count++;
  fclose(in);
  return 1;
}

static int write_accounts(const char *path) {
  char beside[256];
  snprintf(beside, sizeof beside, "%s.new", path);
  FILE *out = fopen(beside, "w");
  if (!out) return 0;
  for (int i = 0; i < count; i++) fprintf(out, "%s %ld\n", accounts[i].name, accounts[i].cents);
  if (fclose(out) != 0) return 0;
  return rename(beside, path) == 0;
}

static const char *book(const char *from, const char *to, long cents) {
  struct account *payer = find(from), *payee = find(to);
  if (!payer || !payee) return "no such account";
  if (payer == payee) return "to itself";
  if (cents <= 0) return "nothing to pay";
  if (payer->cents < cents) return "not covered";
  payer->cents -= cents;
  payee->cents += cents;
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: ledger ACCOUNTS JOURNAL REPORT\n");
    return 2;
  }
  if (!read_accounts(argv[1])) return 3;
  FILE *journal = fopen(argv[2], "r"), *report = fopen(argv[3], "w");
  if (!journal || !report) return 4;
  char from[LONGEST], to[LONGEST];
  long cents, booked = 0, refused = 0;
  while (fscanf(journal, "%31s %31s %ld", from, to, &cents) == 3) {
    const char *why = book(from, to, cents);
    if (!why) {
      booked++;
      continue;
    }
    refused++;
    fprintf(report, "%s to %s, %ld.%02ld: %s\n", from, to, cents / 100, labs(cents % 100), why);
  }
  fprintf(report, "%ld booked, %ld refused\n", booked, refused);
  fclose(journal);
  fclose(report);
  if (!write_accounts(argv[1])) return 5;
  long sum = 0;
  for (int i = 0; i < count; i++) sum += accounts[i].cents;
  printf("%d accounts, %ld.%02ld\n", count, sum / 100, labs(sum % 100));
  return refused > 0;
}
