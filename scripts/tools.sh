#!/bin/sh
# Makes sure that the compiler tools winnow needs are installed, and installs
# what is missing: with apt-get, as root or through sudo that asks for no
# password. Where it may not, it says in one message which packages to install,
# and exits with status 1. It is quick and silent when everything is there.
#
# Works on Debian 12 and Ubuntu 22.04, which have LLVM 14 in their archives. The
# version is pinned because clang 14 is the last whose IR has typed pointers.
set -eu

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

missing_packages() {
    missing=
    for need in $needs; do
        command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing ${need#*:}"
    done
    # The C library's headers and start files belong to no command.
    if ! echo '#include <stdio.h>' | "$(command -v clang-14 || command -v cc || echo false)" -E -x c - >/dev/null 2>&1; then
        missing="$missing libc6-dev"
    fi
    # Nor do clang's sanitizers.
    sanitizers || missing="$missing libclang-rt-14-dev"
    printf '%s\n' $missing | sort -u | tr '\n' ' '
}

missing=$(missing_packages)
[ -n "${missing% }" ] || exit 0

give_up() {
    echo "winnow needs these packages, and $1: ${missing% }" >&2
    echo "On Debian 12 or Ubuntu 22.04: sudo apt-get update && sudo apt-get install $missing" >&2
    exit 1
}

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
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends $missing >&2
}
$as_root apt-get -o DPkg::Lock::Timeout=300 update >&2 || echo 'apt-get update failed; going on with the lists there are' >&2
install || give_up 'apt-get could not install them (see above)'

missing=$(missing_packages)
[ -z "${missing% }" ] || give_up 'they are still not usable after apt-get installed them'
