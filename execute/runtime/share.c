/* Runs share how they begin. A mutant's run is that of the original until its site
 * is first reached, so a runner lets the original run up to some step before that,
 * keeps what is in memory as the beginning, and starts from there the runs of all
 * mutants that are reached later (split-stream execution: King and Offutt 1991).
 *
 * A run pauses where it counts its work: the fuel of a run that shall pause ends
 * there, winnow_out_of_fuel calls this file, and returns once for every mutant, with
 * another selector and the fuel that is left. The compiler cannot know that the
 * selector is the same afterwards, and so reads it again. */
#include "runner.h"

#ifdef WINNOW_RUNNERS

/* winnow_stop leaves a run for the runner, which winnow_enter or winnow_resume had
 * called; winnow_resume makes it return 1. What a function must find as it was
 * before a call lies on the run's stack meanwhile, and is part of the image. */
int winnow_stop(void **at, void **back, int how);
__asm__(".text\n"
        ".globl winnow_stop, winnow_resume\n"
        "winnow_stop:\n"
        "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rdi\n  mov %edx, %esi\n  jmp winnow_return\n"
        "winnow_resume:\n"
        "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
        "  push $0x202\n  popfq\n  fninit\n"
        "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n  pop %rbx\n"
        "  mov $1, %eax\n  ret\n");

int winnow_pause_in_runner(void) {
  struct winnow_control *c = CONTROL;
  return c->pausing ? winnow_stop(&c->paused, &c->back, LEFT_PAUSED) : 0;
}

/* Moves the beginning on, to the end of a step of the original. Where that does not
 * work the runs begin where they did: they take longer, and are the same. */
void winnow_move_on(uint32_t step) {
  struct winnow_control *c = CONTROL;
  struct winnow_beginning *from = &c->beginning;
  if (c->alone) return;
  winnow_check_runner(); /* what is sealed anew below is in order */
  c->pausing = 1;
  int how = winnow_make_run(0, (int64_t)step * BOARD->request.slice);
  c->pausing = 0;
  if (how != LEFT_PAUSED || winnow_shared.memory_refused || winnow_shared.fuel != -1 || !winnow_keep_image()) {
    c->alone = 1;
    winnow_restore_image();
    winnow_forget_run();
    return;
  }
  from->stack = c->paused, from->step = step;
  from->work = (int64_t)step * BOARD->request.slice + 1; /* the fuel went below zero */
  from->captured = c->captured, from->offset = c->offset, from->clock_base = c->clock_base, from->extra = c->extra;
  from->mask = c->mask, from->changed_actions = c->changed_actions;
  for (int number = 1; number < MAX_SIGNALS; number++) from->actions[number] = c->actions[number];
  winnow_seal_runner();
}

#else
int winnow_pause_in_runner(void) { return 0; }
#endif
