#!/bin/sh
# Makes sure that what winnow is built with (Go) and what it works with (clang and
# LLVM) is there, and gets what is missing: packages with apt-get, as root or through
# sudo that asks for no password, and Go, where the installed one is older than go.mod
# asks for (Debian 12 has 1.19), into build/toolchain. It touches nothing else. Where
# it may not install, it says in one message which packages to install, and exits
# with status 1. It is quick and silent when everything is there.
#
#   scripts/tools.sh         what winnow needs
#   scripts/tools.sh tests   and what its tests do: CMake, for projects that build with it, and gcov
#   scripts/tools.sh go      what "make build" needs
#
# Works on Debian 12 and Ubuntu 22.04, which have LLVM 14 in their archives. The
# version is pinned because clang 14 is the last whose IR has typed pointers.
set -eu
cd "$(dirname "$0")/.."

wanted=${1:-winnow}
version=$(sed -n 's/^go //p' go.mod)

# Where the Makefile looks first: it shall not hide an installed Go here.
toolchain=$PWD/build/toolchain
PATH=${PATH#"$toolchain/bin:"}

# Go says itself whether it is new enough for go.mod. GOPROXY=off: a newer one that
# it has fetched before is as good, but it shall not fetch one now.
new_enough() {
    GOPROXY=off "$1" list -m >/dev/null 2>&1
}

# The command that shows a package to be installed, beside the package.
needs='clang-14:clang-14
opt-14:llvm-14
llvm-as-14:llvm-14
llvm-dis-14:llvm-14
llvm-link-14:llvm-14'

sanitizers() {
    for library in "$(clang-14 -print-resource-dir 2>/dev/null)"/lib/linux/libclang_rt.asan-*.a; do
        [ -e "$library" ] && return
    done
    return 1
}

missing_for_llvm() {
    for need in $needs; do
        command -v "${need%%:*}" >/dev/null 2>&1 || echo "${need#*:}"
    done
    # The C library's headers and start files belong to no command.
    if ! echo '#include <stdio.h>' | "$(command -v clang-14 || command -v cc || echo false)" -E -x c - >/dev/null 2>&1; then
        echo libc6-dev
    fi
    # Nor do clang's sanitizers.
    sanitizers || echo libclang-rt-14-dev
}

# Any Go can fetch a newer one, over https.
missing_for_go() {
    ! new_enough go && ! new_enough "$toolchain/bin/go" || return 0
    command -v go >/dev/null 2>&1 || echo golang-go
    [ -n "${SSL_CERT_FILE:-}" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
}

missing_packages() {
    {
        missing_for_go
        [ "$wanted" = go ] || missing_for_llvm
        [ "$wanted" != tests ] || command -v cmake >/dev/null 2>&1 || echo cmake
        [ "$wanted" != tests ] || command -v gcov >/dev/null 2>&1 || echo gcc
    } | sort -u | tr '\n' ' '
}

give_up() {
    echo "winnow needs these packages, and $1: ${missing% }" >&2
    echo "On Debian 12 or Ubuntu 22.04: sudo apt-get update && sudo apt-get install $missing" >&2
    exit 1
}

install() {
    command -v apt-get >/dev/null 2>&1 || give_up 'there is no apt-get here to install them'
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        give_up 'this user may not install them (not root, and no sudo without a password)'
    fi
    echo "installing $missing" >&2
    # Unquoted on purpose: lists of words. Another apt-get may be at work: wait for it.
    $as_root apt-get -o DPkg::Lock::Timeout=300 update >&2 ||
        echo 'apt-get update failed; going on with the lists there are' >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends $missing >&2 || give_up 'apt-get could not install them (see above)'
    missing=$(missing_packages)
    [ -z "${missing% }" ] || give_up 'they are still not usable after apt-get installed them'
}

# fetch_go gets Go as the go command gets it when it changes to another version: as a
# module, compared with the public checksum database. Modules carry neither the right
# to execute nor files called go.mod.
fetch_go() {
    echo "fetching Go $version into $toolchain" >&2
    part=$toolchain.part
    rm -rf "$part"
    mkdir -p "$part/fetch" "$part/bin"
    (
        cd "$part/fetch" # with a go.mod of its own: an old Go does not understand ours
        echo 'module fetch' >go.mod
        export GOPATH="$part/path" GOMODCACHE="$part/path" GOCACHE="$part/path"
        export GOFLAGS=-modcacherw GO111MODULE=on GOWORK=off GOTOOLCHAIN=local
        name=golang.org/toolchain@v0.0.1-go$version.linux-$(go env GOHOSTARCH)
        go mod download "$name" && mv "../path/$name" ../go
    ) || return 1
    find "$part/go/bin" "$part/go/pkg/tool" -type f -exec chmod +x {} +
    find "$part/go" -name _go.mod -exec sh -c 'mv "$1" "${1%_go.mod}go.mod"' - {} \;
    rm -rf "$part/fetch" "$part/path"
    cat >"$part/bin/go" <<'EOF'
#!/bin/sh
# Go with all that it keeps in this folder: modules, what it built, and its counters,
# which go where XDG_CONFIG_HOME says. Written by scripts/tools.sh.
here=$(cd "$(dirname "$0")/.." && pwd)
export GOENV="${GOENV:-${XDG_CONFIG_HOME:-${HOME:-/nonexistent}/.config}/go/env}"
export XDG_CONFIG_HOME="$here/config"
export GOPATH="$here/path" GOMODCACHE="$here/path/pkg/mod" GOCACHE="$here/cache"
export GOTOOLCHAIN=local GOFLAGS="${GOFLAGS:-} -modcacherw"
exec "$here/go/bin/go" "$@"
EOF
    chmod +x "$part/bin/go"
    ln -s ../go/bin/gofmt "$part/bin/gofmt"
    rm -rf "$toolchain"
    mv "$part" "$toolchain"
}

missing=$(missing_packages)
[ -z "${missing% }" ] || install

if new_enough go; then
    [ ! -e "$toolchain" ] || rm -rf "$toolchain"
elif ! new_enough "$toolchain/bin/go"; then
    fetch_go || {
        echo "winnow needs Go $version or newer, which could not be fetched (see above): install it from https://go.dev/dl/" >&2
        exit 1
    }
fi
