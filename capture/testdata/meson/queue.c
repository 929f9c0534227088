#include "table.h"
int queue_weight(int at) { return at >= 0 && at < LIMIT ? weight[at] : 0; }
