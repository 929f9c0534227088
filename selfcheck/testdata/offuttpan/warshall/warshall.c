#include <stdio.h>

enum { SIZE = 6 };

/* Which nodes of a graph are reached from which. */
void close(int reach[SIZE][SIZE], int nodes) {
  for (int via = 0; via < nodes; via++)
    for (int from = 0; from < nodes; from++)
      if (reach[from][via])
        for (int to = 0; to < nodes; to++)
          if (reach[via][to])
            reach[from][to] = 1;
}

int main(void) {
  int reach[SIZE][SIZE] = {{0}}, nodes, from, to;
  if (scanf("%d", &nodes) != 1 || nodes < 1 || nodes > SIZE)
    return 1;
  while (scanf("%d %d", &from, &to) == 2) {
    if (from < 0 || to < 0 || from >= nodes || to >= nodes)
      return 1;
    reach[from][to] = 1;
  }
  close(reach, nodes);
  for (from = 0; from < nodes; from++) {
    for (to = 0; to < nodes; to++)
      printf("%d", reach[from][to]);
    printf("\n");
  }
  return 0;
}
