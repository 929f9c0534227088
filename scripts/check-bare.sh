#!/bin/sh
# Shows that a bare machine is enough: in a fresh Debian or Ubuntu made with debootstrap,
# which has nothing beyond its base but git and make, HEAD is cloned and
#   - a user who may not install gets one message, which names the packages;
#   - root, and a user with sudo that asks for no password, get a ranking from "make demo",
#     and nothing is written outside the clone but by apt;
#   - where TESTS is not empty, that user's "make test" is green.
# Run it as root, on Debian or Ubuntu with debootstrap and the network: make check-bare.
#
#   SUITE    the release: bookworm (the default), jammy, …
#   MIRROR   the archive, where it shall not be debootstrap's own
#   BARE     where the systems are made: build/bare. The base system stays there for the
#            next time; what was done in it goes.
#
# The network is reached as this machine reaches it: apt's settings for it, the variables
# for proxies and Go's modules, and the certificates that this machine adds to its own.
set -eu
cd "$(dirname "$0")/.."

suite=${SUITE:-bookworm}
case $suite in
jammy | noble) components=main,universe ;;
*) components=main ;;
esac
bare=${BARE:-build/bare}
mkdir -p "$bare"
bare=$(cd "$bare" && pwd)
base=$bare/$suite
root=$bare/root

fail() {
    echo "check-bare: $1" >&2
    exit 1
}

# In a namespace of our own, so that what is mounted goes with us, however we end.
if [ -z "${CHECK_BARE_ALONE:-}" ]; then
    [ "$(id -u)" -eq 0 ] || fail 'only root can make a system of its own'
    command -v debootstrap >/dev/null || fail 'apt-get install debootstrap'
    CHECK_BARE_ALONE=1 exec unshare --mount --pid --fork sh scripts/check-bare.sh
fi

if [ ! -e "$base/ready" ]; then
    rm -rf "$base"
    debootstrap --variant=minbase --components="$components" "$suite" "$base" ${MIRROR:-}
    apt-config dump | grep '^Acquire::' >"$base/etc/apt/apt.conf.d/90this-machine"
    [ ! -d /etc/apt/auth.conf.d ] || cp -r /etc/apt/auth.conf.d "$base/etc/apt/"
    chroot "$base" apt-get update
    chroot "$base" apt-get install -y --no-install-recommends git make
    mkdir -p "$base/usr/local/share/ca-certificates"
    [ ! -d /usr/local/share/ca-certificates ] || cp -r /usr/local/share/ca-certificates "$base/usr/local/share/"
    touch "$base/ready"
fi

gone() {
    umount -R "$root/dev" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}

# fresh makes a system with the user "tester" and the repository to clone.
fresh() {
    gone
    cp -a "$base" "$root"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    git -c safe.directory='*' bundle create "$root/winnow.bundle" HEAD 2>/dev/null
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    chroot "$root" useradd --create-home --shell /bin/sh tester
}

with_sudo() {
    chroot "$root" apt-get install -y --no-install-recommends sudo
    echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
}

# as USER COMMAND runs a command of the shell in that user's clone.
as() {
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY GOPROXY GOSUMDB GONOSUMDB GOPRIVATE; do
        eval "value=\${$name:-}"
        [ -z "$value" ] || printf "export %s='%s'\n" "$name" "$value"
    done >"$root/environment"
    chroot "$root" env -i TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        su - "$1" -c ". /environment; touch /var/tmp/start; [ -d winnow ] || git -c advice.detachedHead=false clone -q /winnow.bundle winnow; cd winnow && $2"
}

# untouched fails when there is anything new in the user's home or in /tmp, or
# in the clone outside build.
untouched() {
    as "$1" 'git status --porcelain' >"$bare/new"
    chroot "$root" sh -c "home=~$1; find \$home /tmp -path \$home/winnow -prune -o -mindepth 1 -newer /etc/passwd -print" >>"$bare/new"
    [ ! -s "$bare/new" ] || { cat "$bare/new"; fail "$1's make wrote outside build (see above)"; }
}

fresh
! as tester 'make demo' >"$bare/output" 2>&1 || fail 'a user who may not install had a make demo that ends well'
grep 'needs these packages, and this user may not install them' "$bare/output" || { cat "$bare/output"; fail 'no message says which packages to install'; }
untouched tester

as root 'make demo' || fail 'make demo, as root'
untouched root

fresh
with_sudo
as tester 'make demo' || fail 'make demo, as a user with sudo'
untouched tester
[ -z "${TESTS:-}" ] || as tester 'make test' || fail 'make test, as a user with sudo'

gone
echo "check-bare: $suite with git and make alone is enough"
