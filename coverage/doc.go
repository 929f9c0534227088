// Package coverage measures what tests cover by other tools' reckoning, beside winnow's
// own criteria: lines, branches and functions as gcov and llvm-cov count them.
//
// It knows two kinds of drivers, and each is a small thing. A Tool (all.go) compiles
// sources to objects that count what runs, and turns what a run leaves behind into
// elements, covered or not. A Target is a project as its test tool sees it: the units to
// compile, how objects become a build of it, and its tests as commands; package campaign makes
// one of programs that winnow builds itself, campaign/built one of projects with a build
// of their own. Measure brings any tool together with any target: objects take the
// places of the build's own in a layer (execute/command), and each test runs once on it,
// confined as mutants are. The sources are read, never changed, so that there is nothing
// to restore whatever ends a run.
//
// A test that ends otherwise than on the original, or leaves nothing, is unmeasured in
// that tool's matrices, and all tests are where the tool fails, which is an error
// besides: the other tools' matrices are whole. What a tool has measured is kept in a
// folder, for a run that is resumed.
//
// Only what is below the project's folder is counted. Lines of headers there count once,
// whoever includes them. Counts are not kept, only whether there were any.
package coverage
