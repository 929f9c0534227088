/* How the address sanitizer is to behave in a build that is run in place of the
 * program's own (execute.SanitizedSources): a finding ends the run with SIGABRT,
 * at once and without a word, and no tool is started to explain it. Leaks are no
 * finding. Its shadow takes more address space than any limit on that allows, so
 * the heap has a limit here. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#ifndef WINNOW_HEAP_BYTES
#define WINNOW_HEAP_BYTES ((size_t)512 << 20)
#endif

extern size_t __sanitizer_get_current_allocated_bytes(void);

const char *__asan_default_options(void) {
  return "abort_on_error=1:halt_on_error=1:symbolize=0:detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
         "handle_sigill=0:handle_abort=0:allocator_may_return_null=1:max_allocation_size_mb=512:malloc_context_size=0:"
         "quarantine_size_mb=8:detect_stack_use_after_return=0:print_summary=0:print_legend=0:use_sigaltstack=0";
}

void __sanitizer_malloc_hook(const volatile void *p, size_t size) {
  (void)p, (void)size;
  if (__sanitizer_get_current_allocated_bytes() > WINNOW_HEAP_BYTES) {
    kill(getpid(), SIGABRT);
    _exit(1);
  }
}

void __sanitizer_free_hook(const volatile void *p) { (void)p; }
