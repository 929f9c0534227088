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
