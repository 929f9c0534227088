# Sourced by scripts that need the source of Debian packages. Needs the network,
# apt-get and dpkg-source (package dpkg-dev), and no privileges: the lists of packages
# are private to the folder.

# debian_source FOLDER PACKAGE... unpacks the sources of packages into FOLDER/src, of a
# release that has LLVM 14, whatever this machine runs.
debian_source() {
    command -v dpkg-source >/dev/null || { echo "${0##*/} needs dpkg-source: apt-get install dpkg-dev" >&2; exit 1; }
    mkdir -p "$1"
    folder_=$(cd "$1" && pwd) # apt takes what is relative as below /etc/apt
    shift
    mkdir -p "$folder_/lists/partial" "$folder_/cache/archives/partial" "$folder_/src"
    echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >"$folder_/sources.list"
    apt_() {
        apt-get -q -o Dir::Etc::sourcelist="$folder_/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder_/lists" \
            -o Dir::Cache="$folder_/cache" -o APT::Sandbox::User="$(id -un)" "$@" >&2
    }
    apt_ update
    (cd "$folder_/src" && apt_ source "$@")
}

# debian_needs FOLDER PACKAGE installs, for root, what it takes to build a package that
# debian_source has unpacked, from where this machine takes its packages: the private lists
# know sources alone. What apt said is in FOLDER/needs/PACKAGE; who is told that something was
# not installed is told once.
debian_needs() {
    test "$(id -u)" = 0 && ! test -e "$1/needs/$2" || return 0
    mkdir -p "$1/needs"
    test -n "${updated_:-}" || apt-get -q update >&2
    updated_=yes
    apt-get -q --arch-only --no-install-recommends build-dep -y "$(cd "$1/src" && ls -d "$(pwd)/$2"-[0-9]*/ | head -1)" >"$1/needs/$2" 2>&1 ||
        echo "$2: what it needs was not installed ($1/needs/$2)" >&2
}
