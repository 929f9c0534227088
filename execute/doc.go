// Package execute runs mutants against tests and says which tests kill which
// mutants.
//
// A run is (program, mutant, test) → observable behaviour: how it ended, and
// what it printed. A mutant is killed by a test when its behaviour differs from
// the original's on that test. All mutants of a program are one executable, the
// meta-mutant (package mutant/schemata), linked with the C runtime of folder
// runtime (RuntimeSources); a number selects the mutant, 0 is the original.
//
// # How a run is made
//
// The executable is a server. It is launched into a sandbox, takes one test and
// many selectors at a time, forks a child for each run, waits for it with a
// fence of wall-clock time, and answers with cause, exit status, length and
// hash of the output, and the work done. Each worker has a server of its own, which
// waits for the next call when one has ended; results are stored by index, so that they
// do not depend on the number of workers.
//
// A Tier is a way to make a run; all of them start from the same memory, at the
// same addresses. InProcess is the fast one: the child of the server, a runner,
// makes the runs of a whole batch, and takes its memory back after each. Fork
// has a child for every run. Fresh starts the program from its file and is the
// judge. What looks doubtful on one tier is decided again by the next: what a
// runner cannot take back, and what Fork is not sure of (the server died, the
// fence fell, a SIGKILL that nobody sent). So is a sample of all pairs, by the
// judge, the audit. Where Fresh fails as well the verdict is Unknown.
//
// # Many runs in one process
//
// A runner is at a run's first instruction when it protects every page that the
// run may write to. The first write to a page faults; the page is saved and let
// go, and after the run what differs is put back. Of the kernel a run changes
// nothing, because no system call of it gets there: a filter turns each into a
// signal, whose handler answers the common ones (reading the input, printing,
// memory, what signals are to do, signals to itself, the files of its folder, the end)
// and gives up the run at any other (files elsewhere, a signal that a function of the
// program's is to handle, timers, threads), which is then Fork's. So there is no
// list of what libc keeps: memory and kernel are as they were. A crash is a run
// like any other.
//
// What remains is a wild write to what the runner lives from, which lies far
// away from the program. Every checkEvery mutants the original runs, and the
// runner compares the sums of its own state and of the saved pages; when either
// is not right, Fork decides all pairs since the last time it was. A test on
// which the original itself is not the same in a runner is Fork's. A runner that
// hangs or dies costs the pairs since its last check, and is replaced. Runners
// need x86-64, glibc and the system call filter; elsewhere Fork takes their place.
//
// # Runs that share how they begin
//
// Until its site is first reached a mutant's run is that of the original. Where the
// original works long enough (shareFrom) it is therefore run once more in steps, and says
// in which of them it reaches each site. A runner then moves the beginning on, step by
// step, the mutants sorted by theirs: it lets the original run to the end of a step,
// keeps the memory that it finds there as what it takes back to, and starts the next
// mutants in the middle of the counter's call. Which tier or step a run began at is no
// part of any result.
//
// # Runs that are not needed
//
// One run of the probing build a test (Prober; schemata.Probe) tells which
// mutants would have computed something else than the original on the way. The
// others survive the test, and Kill leaves their runs out (Options.Probe), but
// for the audit's sample. Killed mutants are infected, infected ones are reached.
// A probing run that does not behave like the original, in work and sites reached
// too, or in which the original read a local variable without a value, says
// nothing. What is left is memory that the program reads without having written
// it, in arrays and structures: its contents differ between the two builds. The
// audit reports what was missed that way.
//
// # Limits
//
// Loops are cut by a counter in the program, its fuel, that does not depend on
// the machine: the budget is a multiple of what the original used on the same
// test. The wall clock is only a fence for what the counter cannot see. Address
// space, output and (twice the fence) CPU time are limited by the kernel. Every
// limit has a Cause of its own, kept in the cells; a LimitPolicy says whether it
// counts as a kill.
//
// # What is guaranteed
//
// Runs are hostile programs, and what they may not do is taken from them before
// their file is executed. This very executable is started once more (launch_linux.go),
// as an unprivileged user where winnow is root's, in user, network, process, mount and
// IPC namespaces of its own where the machine allows; it hands on no descriptor but
// the server's, gives up new privileges, has the kernel bound which files can be read
// and written (Landlock), and installs the system call filter in the same breath in
// which it executes the meta-mutant. There the runtime's is the first function that is
// called at all, and the engine has looked that it is (checkImage): the server
// executes no line of the program's. Initialisers, main and what comes after it belong
// to the run, under its limits, and with its mutant.
//
// So a run cannot create processes, change files, open sockets, or signal anyone but
// itself, with or without namespaces and root: the filter passes the server's own calls with
// its key alone, which no run has (runtime/sandbox.c). It reads its own folder, what the system
// has for all programs, and the files that a test names. Nothing outlives it. Sandbox
// says what held, of which the kernel's word counts (look) and not the server's.
// Programs that need threads, processes or files to write are therefore judged by how
// they behave without: their tests have that baseline.
//
// With Options.Writable each worker's runs have a folder of their own, holding a
// test's files, and emptied after every run. The kernel refuses every change
// outside of it, and inside it folders, links and devices; what is in
// it may grow by as many bytes as a run may print. The files named by a test's Outputs
// are part of a run's behaviour. A runner has the folder in memory (runtime/folder.c),
// which it takes back like all other; whatever is not a plain file there, and a run that
// may have written too much, is Fork's.
//
// A program that is built with sanitizers (SanitizedSources) runs under the same
// confinement and limits, but for memory: the address sanitizer maps terabytes, so
// that not the address space but the heap is bounded.
//
// # Repeatability
//
// Runs start from the same memory: addresses are not randomised (where the
// machine allows), stack and heap hold fixed patterns, the clock starts at one
// instant, the environment is a fixed list. A test whose original still behaves
// differently in two servers is flaky and set aside.
package execute
