#include <stdio.h>

/* The days between two days of a year; the months come in order. */
int days(int month1, int day1, int month2, int day2, int year) {
  int in[13] = {0, 31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int total;
  if (month2 == month1)
    return day2 - day1;
  if (year % 4 != 0 || year % 100 == 0 && year % 400 != 0)
    in[2] = 28;
  else
    in[2] = 29;
  total = day2 + in[month1] - day1;
  for (int i = month1 + 1; i <= month2 - 1; i++)
    total = in[i] + total;
  return total;
}

int main(void) {
  int month1, day1, month2, day2, year;
  if (scanf("%d %d %d %d %d", &month1, &day1, &month2, &day2, &year) != 5)
    return 1;
  if (month1 < 1 || month2 > 12 || month1 > month2 || day1 < 1 || day1 > 31 || day2 < 1 || day2 > 31 || year < 1 || year > 10000)
    return 1;
  printf("%d\n", days(month1, day1, month2, day2, year));
  return 0;
}
