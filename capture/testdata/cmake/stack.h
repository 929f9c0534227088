int stack_push(int item);
