/* A ring of numbers: what is put in comes out in the same order. */
struct ring { int items[8]; int first, count; };
int ring_put(struct ring *r, int x); /* 0 when it is full */
int ring_get(struct ring *r, int *x); /* 0 when it is empty */
