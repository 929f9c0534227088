# The commands of this repository. "make demo" and "make test" are all that a
# newcomer needs: both install by themselves what is missing (scripts/tools.sh),
# a new enough Go among it, which is then in build/toolchain.

.DEFAULT_GOAL := build
.PHONY: build install deb check-formats check-page demo test attack check check-deep check-names check-faults check-kills check-bare check-bytes ci-examples fmt vet floors generated race golden fuzz corpora model-language verify-patches verify-twins bench bench-run bench-lua bench-matrix bench-projects walk-projects bench-train bench-predict bench-rank bench-scale bench-features results-examples model-codeflaws record-projects record-faults model-projects studies notebooks pictures reproduce tools test-tools go clean

# winnow is pure Go; only the race detector (below) asks for cgo.
export CGO_ENABLED := 0
export PATH := $(CURDIR)/build/toolchain/bin:$(PATH)

WINNOW := build/winnow
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)

# The command itself. -buildvcs=false because git's safety rules make go build
# fail in a checkout that belongs to somebody else, as in many containers.
build:
	go build -trimpath -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o $(WINNOW) ./cmd/winnow

# The main job on a small example: C goes in, a ranking comes out.
DEMO := examples/calendar/calendar.c
demo: tools build
	$(WINNOW) rank $(DEMO) --top 20

# Every test. A skipped test fails the run: it has not shown anything. What go test vets by
# itself "make vet" does, too.
# A machine that starts processes slowly takes half an hour for the tests of cmd/winnow.
TESTFLAGS ?= -vet=off -timeout 60m
test: test-tools
	@go build -buildvcs=false -o build/testgate ./internal/testgate
	@REQUIRE_TOOLS=1 build/testgate $(TESTFLAGS) ./...

# What tests that take a sample do otherwise, whole: comparisons of a fast path with its slow
# twin, of winnow with a compiler (internal/deep). For changes of what is compared: the tests
# that have no sample are not run. With WITHIN (a time, as 4m) as many of them are as it takes,
# in an order that SEED decides: continuous integration gives the commit.
WITHIN ?=
check-deep: test-tools
	@go build -buildvcs=false -o build/testgate ./internal/testgate
	@WINNOW_DEEP=1 REQUIRE_TOOLS=1 build/testgate -sampled $(if $(WITHIN),-within $(WITHIN) -seed $(SEED)) $(TESTFLAGS)

# Every command that writes, with FAULTS faults of the disk each: refused, cut and failed
# calls, and kills (internal/diskfault). A hundred of each command take about half an hour.
FAULTS ?= 100
check-faults: tools
	WINNOW_FAULTS=$(FAULTS) go test -buildvcs=false -timeout 0 -run TestAFaultOfTheDiskLosesNothing -v ./cmd/winnow

# Every command that writes, killed KILLS times each while it is at work, at moments that SEED
# gives, and given again; and a run of several faults in parts, killed and gone on with.
KILLS ?= 30
check-kills: tools
	WINNOW_KILLS=$(KILLS) WINNOW_SEED=$(SEED) go test -buildvcs=false -count 1 -timeout 0 -run TestACommandThatIsKilledAtAnyMomentLosesNothing -v ./cmd/winnow
	WINNOW_KILLS=$(KILLS) go test -buildvcs=false -count 1 -timeout 0 -run TestARunThatIsKilledAtAnyMomentGoesOnWithNothingLost -v ./campaign

# Every name that the C library exports, as a function and as a variable of a program.
check-names: tools
	WINNOW_NAMES=all go test -buildvcs=false -timeout 0 -run TestAProgramMayCallThingsLikeTheLibraryAndTheRuntimeDo -v ./program/build

# The command, its manual pages and completions, and what build systems include
# (docs/build-systems.md), below PREFIX. DESTDIR is for packagers.
PREFIX ?= /usr/local
install: build
	install -D -m 755 $(WINNOW) $(DESTDIR)$(PREFIX)/bin/winnow
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/cmake/winnow packaging/cmake/winnow-config.cmake packaging/cmake/winnow-run.cmake
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/winnow packaging/winnow.mk docs/agents/SKILL.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/winnow LICENSE cmd/winnow/licences.txt
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(WINNOW) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/winnow
	$(WINNOW) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_winnow
	$(WINNOW) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/winnow.fish
	$(WINNOW) man $(DESTDIR)$(PREFIX)/share/man/man1

# A Debian package of what install installs, build/winnow_VERSION_ARCHITECTURE.deb.
deb: build
	sh scripts/deb.sh

# What to run before pushing.
check: fmt vet floors generated race

fmt: go
	@unformatted=$$(find . -path ./build -prune -o -name '*.go' -exec gofmt -l {} +); test -z "$$unformatted" || { echo "not formatted (gofmt -w):" $$unformatted; exit 1; }

vet: go
	go vet ./...

# The imports against ARCHITECTURE.md.
floors: go
	go test .

# Packages whose tests compare with files that "make golden" writes, documents
# among them.
GOLDEN = $(shell grep -rl --include='*_test.go' --exclude-dir=build 'winnow/internal/golden"' . | xargs -r -n1 dirname | sort -u)
generated: tools
	go test $(GOLDEN)

golden: tools
	go test $(GOLDEN) -update

# The packages that share memory between goroutines, under the race detector,
# which needs cgo and a C compiler.
CONCURRENT = {{$$pkg := .ImportPath}}{{range .Imports}}{{if or (eq . "sync") (eq . "sync/atomic") \
	(eq . "github.com/winnow-mutants/winnow/internal/parallel")}}{{println $$pkg}}{{end}}{{end}}
race: tools
	CGO_ENABLED=1 CC=clang-14 go test -race $$(go list -f '$(CONCURRENT)' ./... | sort -u)

# Every fuzz target, one after the other, each for FUZZTIME.
FUZZTIME ?= 20s
fuzz: tools
	sh scripts/fuzz.sh $(FUZZTIME)

# The zoo of attacks on what confines runs, as root and as a user, with and without
# namespaces (SECURITY.md); as root it shows all four.
attack: tools
	go test -count 1 -v -run 'Attack|NothingOfTheProgram' ./execute

# What a compiler made before is not to be measured in place of making it.
bench bench-run bench-lua bench-mutate bench-rank bench-scale bench-features: export WINNOW_TOOL_CACHE = off

# Go's own benchmarks of the parts that have them; BENCH chooses. They are
# printed, never compared with a bound. BENCHSKIP leaves out a training on a
# million rows, which takes minutes and several GB.
BENCH ?= .
BENCHSKIP ?= Million
bench: tools
	go test -run '^$$' -bench '$(BENCH)' -skip '$(BENCHSKIP)' -benchtime 3x \
		./csource ./features ./equiv/... ./execute ./execute/command ./ir/clang ./program ./train ./models/... ./evaluate

# The tiers that run mutants, on the same pairs (docs/results/execution.md): of
# the examples, or of PROGRAMS programs of the folder benchmark of Codeflaws.
PROGRAMS ?= 12
PAIRS ?= 500
bench-run: tools
	go run -buildvcs=false ./cmd/benchrun -pairs $(PAIRS) \
		$(if $(CODEFLAWS),-codeflaws '$(CODEFLAWS)' -programs $(PROGRAMS),$(patsubst %/winnow.toml,%,$(wildcard examples/*/winnow.toml)))

# The same on a program of 24,000 lines, the interpreter of Lua, with mutants drawn
# from those of some functions of its parser, its machine, its tables and its library.
LUA ?= build/lua
LUAFUNCTIONS := luaH_getint,luaH_getstr,luaH_get,luaS_hash,internshrstr,luaS_resize,auxsort,partition,str_find_aux,max_expand,tconcat,tinsert,luaV_concat,luaV_equalobj,luaD_precall,luaF_close,luaO_tostringbuff,l_str2int,luaK_exp2reg,singlevaraux,llex
bench-lua: tools $(LUA)/winnow.toml
	go run -buildvcs=false ./cmd/benchrun -mutants 500 -pairs 100000 -functions $(LUAFUNCTIONS) $(LUA)

$(LUA)/winnow.toml:
	sh scripts/lua.sh $(LUA)

# Seventeen projects of others as a stranger meets them (scripts/bench-projects.sh).
bench-projects: tools build
	@PROJECTS='$(PROJECTS)' BUDGET='$(BUDGET)' PATCHES='$(PATCHES)' AGAIN='$(AGAIN)' sh scripts/bench-projects.sh

# The walks of winnow's users on projects of others (scripts/walk-projects.sh).
walk-projects: tools build
	@PROJECTS='$(PROJECTS)' BUDGET='$(BUDGET)' SOURCES='$(SOURCES)' sh scripts/walk-projects.sh

# The size of a kill matrix of a hundred million cells, and the time to write it, to
# read it, and to ask DuckDB of it.
bench-matrix:
	@sh scripts/bench-matrix.sh

# winnow ci on the examples of this repository, as continuous integration runs it: on what has
# changed of them since BASE (scripts/ci-examples.sh).
ci-examples: tools build
	@BASE='$(BASE)' WINNOW='$(WINNOW)' sh scripts/ci-examples.sh

# The same bytes with one worker and with two, and as at the commit BASE: of rank, run --faults
# and train, on the examples and programs of CODEFLAWS (scripts/check-bytes.sh).
check-bytes: tools
	@BASE='$(BASE)' CODEFLAWS='$(CODEFLAWS)' PROGRAMS=50 C='$(C)' EXAMPLES='$(EXAMPLES)' MODEL='$(MODEL)' sh scripts/check-bytes.sh

# Training against XGBoost (Debian's python3-xgboost) on the same data, and
# scoring against leaves (docs/results/learning.md).
PYTHON ?= /usr/bin/python3
BENCH_ROWS ?= 1000000
BENCH_ROUNDS ?= 100
BENCH_DEPTH ?= 6
BENCH_THREADS ?= 2
bench-train:
	go build -buildvcs=false -o build/benchtrain ./cmd/benchtrain
	build/benchtrain -rows $(BENCH_ROWS) -write build/bench.bin
	$(PYTHON) scripts/bench_train.py build/bench.bin 100 $(BENCH_ROUNDS) $(BENCH_DEPTH) $(BENCH_THREADS)
	build/benchtrain -rows $(BENCH_ROWS) -rounds $(BENCH_ROUNDS) -depth $(BENCH_DEPTH) -threads $(BENCH_THREADS)
	rm -f build/bench.bin build/bench.bin.test

bench-predict:
	go test -run '^$$' -bench Score -benchtime 5s ./predict

# Ranking so many mutants whose tables were written before, and, from its C on, the
# program of an example or of each of C="FILE...".
BENCH_MUTANTS ?= 1000000
bench-rank: tools build
	WINNOW_BENCH_C='$(abspath $(C))' go test -run '^$$' -bench RankProgram -benchtime 10x ./cmd/winnow
	WINNOW_BENCH_MUTANTS=$(BENCH_MUTANTS) go test -run '^$$' -bench RankTables -benchtime 1x -timeout 60m ./rank

# What CPU time and memory of run, rank, train and evaluate grow with (scripts/bench_scale.py).
# A million mutants take hours and memory of gigabytes; bench-rank ranks so many tables.
SIZES ?= 1000 10000 100000
bench-scale: tools build
	@mkdir -p build/scale
	python3 scripts/bench_scale.py $(WINNOW) build/scale $(SIZES)

# The figures of docs/results (docs/results/README.md): of the examples, and of
# Codeflaws, whose folder benchmark is given as CODEFLAWS (docs/codeflaws.md).
results-examples: tools build
	sh scripts/results.sh examples

# FAULTS, IDS, MAXDATA and SAMPLE choose the faults and mutants (scripts/results.sh).
model-codeflaws: tools build
	FAULTS='$(FAULTS)' IDS='$(IDS)' MAXDATA='$(MAXDATA)' SAMPLE='$(SAMPLE)' sh scripts/results.sh codeflaws '$(CODEFLAWS)'
	$(MAKE) build

# Kill matrices of C projects of others by their own tests, in build/history-projects and
# build/history-sealed (scripts/record-projects.sh). Takes an hour and more, and goes on where
# it was stopped.
record-projects: tools build
	@PROJECTS='$(PROJECTS)' BUDGET='$(BUDGET)' FETCH='$(FETCH)' sh scripts/record-projects.sh

# The released model of real projects, how good it is on projects left out, and on those that
# were sealed until it was trained (scripts/model-projects.sh).
model-projects: record-projects
	@BUDGET='$(BUDGET)' sh scripts/model-projects.sh
	$(MAKE) build
	@SEALED=judge sh scripts/model-projects.sh

# Faults of C projects of others: bug fixes of their histories, with the tests that came with
# them, in build/history-faults (scripts/record-faults.sh). Takes an hour and more, and goes on where it was stopped.
record-faults: tools build
	@REPOSITORIES='$(REPOSITORIES)' LAST='$(LAST)' BUDGET='$(BUDGET)' sh scripts/record-faults.sh

# What mutants cost: the examples, and the programs of CODEFLAWS and CORPUS
# (scripts/bench-mutate.sh).
bench-mutate: tools
	@CODEFLAWS='$(CODEFLAWS)' CORPUS='$(CORPUS)' CORPUSFLAGS='$(CORPUSFLAGS)' sh scripts/bench-mutate.sh

# Every published study on a recorded history: tables, figures and one page in
# build/studies. CLASSES may name a list of the faults' classes.
HISTORY ?= build/history-codeflaws
CLASSES ?=
STUDYFLAGS ?= --sample 60 --folds 5 --repetitions 50
studies: build
	@mkdir -p build/studies
	$(WINNOW) evaluate all '$(HISTORY)' $(STUDYFLAGS) --out build/studies --html build/studies/studies.html $(if $(CLASSES),--classes '$(CLASSES)') >/dev/null

# The notebooks, executed on build/studies into build/notebooks.
notebooks:
	sh scripts/notebooks.sh build/studies

# From the benchmark to docs/results: import, train, all studies. Takes hours.
reproduce: model-codeflaws
	MAXDATA='$(MAXDATA)' sh scripts/results.sh criteria '$(CODEFLAWS)'
	$(MAKE) studies HISTORY=build/history-codeflaws
	sh scripts/results.sh pages build/studies

# winnow on programs that are not ours, fetched from Debian (docs/results).
corpora: tools build
	sh scripts/corpora.sh

# Trains the language model of C that ships (features/ngram/corpus.bin) on zlib, Lua
# and SQLite, fetched from Debian and npm: the same bytes always.
model-language:
	sh scripts/language.sh

# Mutants written as C, compiled and run, against the mutants that winnow runs
# (docs/results/patches.md). CODEFLAWS=FOLDER takes faulty programs from there,
# OPERATORS=PRESET other mutants than winnow's own.
N ?= 1000
SEED ?= 1
verify-patches: tools
	go run ./cmd/verifypatches -n $(N) -seed $(SEED) $(if $(OPERATORS),-operators $(OPERATORS)) $(if $(CODEFLAWS),-codeflaws $(CODEFLAWS),examples/*/)

# The meta-mutant against what it stands for: without a mutant the compiler's own
# build of the source, and for N mutants a module with that one alone (1000 unless
# N is given).
verify-twins: tools
	go run ./cmd/verifytwins -n $(N) -seed $(SEED) $(if $(OPERATORS),-operators $(OPERATORS)) examples/*/ mutant/schemata/testdata/*.c

# CPU time and memory of the static features: of the examples, which have the size
# of Codeflaws programs, and of C="FILE..." (docs/results/features.md).
bench-features: tools
	WINNOW_BENCH_C="$(C)" go test -run '^$$' -bench 'ExtractFiles' -benchtime 1x -timeout 60m ./features

# The pictures of README.md, in docs/pictures; needs chromium.
pictures: build
	sh scripts/pictures.sh

# The page of winnow report used in headless Chromium as a reader does: clicks, keys, filters, light and
# dark, three widths, and 100,000 mutants; pictures in build/page. Needs chromium, node and npm.
check-page: build
	sh scripts/check-page.sh

# What winnow writes and serves, held to the schemas, readers and clients of others; needs node,
# npm and the network.
check-formats: build
	sh scripts/check-formats.sh

# A bare Debian or Ubuntu, made with debootstrap (as root): "make demo" there, with git and
# make alone, and with TESTS=1 "make test" too (scripts/check-bare.sh).
check-bare:
	SUITE='$(SUITE)' MIRROR='$(MIRROR)' TESTS='$(TESTS)' sh scripts/check-bare.sh

tools:
	@sh scripts/tools.sh

test-tools:
	@sh scripts/tools.sh tests

go:
	@sh scripts/tools.sh go

clean:
	rm -rf build
