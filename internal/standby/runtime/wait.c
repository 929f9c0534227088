// Preloaded into a tool: has it wait where its main function would begin, and begin once for
// each call, in a child of its own. See package standby, which is at the other end of CHANNEL.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_landlock_restrict_self // of headers before Linux 5.13
#define SYS_landlock_restrict_self 446
#endif

enum { CHANNEL = 3, RUNTIME = 4 };

// The files that come with a call. RULES is there where files are bounded.
enum { WORDS, INPUT, OUTPUT, MESSAGES, RULES, FILES };

// What a call begins with. The file WORDS has the arguments, the variables of the environment
// and a folder, each with a zero at its end.
struct call {
  uint32_t arguments, variables, bytes, bounded;
};

// What it ends with: how the child ended, and whether its main function had begun.
struct answer {
  uint32_t status, begun;
};

typedef int (*function)(int, char **, char **);

static function tool;
static uint32_t *begun; // shared with the child

static char *take(char **next, uint32_t count, char **words) {
  char *at = *next;
  for (uint32_t i = 0; i < count; i++) {
    words[i] = at;
    at += strlen(at) + 1;
  }
  words[count] = NULL;
  return *next = at;
}

// begin is the child: it becomes what the call says and returns what main returns.
static int begin(const struct call *call, const int *files, pid_t server) {
  close(CHANNEL);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != server)
    _exit(1);
  char *text = mmap(NULL, call->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, files[WORDS], 0);
  char **arguments = calloc(call->arguments + 1, sizeof *arguments);
  char **variables = calloc(call->variables + 1, sizeof *variables);
  if (text == MAP_FAILED || !arguments || !variables)
    _exit(1);
  char *next = text;
  take(&next, call->arguments, arguments);
  char *folder = take(&next, call->variables, variables);
  for (int i = 0; i < 3; i++)
    if (dup2(files[INPUT + i], i) < 0)
      _exit(1);
  if (call->bounded && syscall(SYS_landlock_restrict_self, files[RULES], 0))
    _exit(1);
  for (int i = 0; i < FILES - !call->bounded; i++)
    close(files[i]);
  if (*folder && chdir(folder))
    _exit(1);
  environ = variables;
  *begun = 1;
  return tool(call->arguments, arguments, variables);
}

// receive waits for a call, with its files; 0 says that there will be none.
static int receive(struct call *call, int *files) {
  char room[CMSG_SPACE(FILES * sizeof(int))];
  struct iovec part = {call, sizeof *call};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  ssize_t n;
  while ((n = recvmsg(CHANNEL, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
    ;
  struct cmsghdr *with = CMSG_FIRSTHDR(&message);
  if (n != sizeof *call || !with || with->cmsg_len != CMSG_LEN((FILES - !call->bounded) * sizeof(int)))
    return 0;
  memcpy(files, CMSG_DATA(with), (FILES - !call->bounded) * sizeof(int));
  return 1;
}

static int serve(int count, char **arguments, char **variables) {
  (void)count, (void)arguments, (void)variables;
  struct answer answer = {0, 0};
  struct call call;
  int files[FILES];
  pid_t server = getpid();
  close(RUNTIME);
  begun = mmap(NULL, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (begun == MAP_FAILED)
    return 1;
  do { // the first answer says that this is a server
    if (write(CHANNEL, &answer, sizeof answer) != sizeof answer)
      return 1;
    if (!receive(&call, files))
      return 0;
    *begun = 0;
    pid_t child = fork();
    if (!child)
      return begin(&call, files, server);
    for (int i = 0; i < FILES - !call.bounded; i++)
      close(files[i]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    answer.status = status;
    answer.begun = *begun;
  } while (1);
}

// What starts main in the C library is found here first.
int __libc_start_main(function main, int count, char **arguments, void (*init)(void), void (*fini)(void), void (*rtld)(void), void *end) {
  int (*next)(function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  tool = main;
  return next(serve, count, arguments, init, fini, rtld, end);
}
