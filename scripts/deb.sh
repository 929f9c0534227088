#!/bin/sh
# Makes a Debian package of what "make install" installs: build/winnow_VERSION_ARCHITECTURE.deb.
# The same commit gives the same bytes: times are those of the commit. Needs dpkg-deb and gzip.
set -eu
cd "$(dirname "$0")/.."
described=$(git describe --tags --always)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
case $described in
v[0-9]*) version=$(echo "${described#v}" | tr - +) ;;
*) version=0.1~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).$described ;;
esac
architecture=$(dpkg --print-architecture)

root=build/deb
rm -rf "$root"
make --no-print-directory install DESTDIR="$PWD/$root" PREFIX=/usr >/dev/null
gzip -9n "$root"/usr/share/man/man1/*.1
mv "$root/usr/share/doc/winnow/LICENSE" "$root/usr/share/doc/winnow/copyright"
chmod -R u=rwX,go=rX "$root"

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: winnow
Version: $version
Architecture: $architecture
Maintainer: The winnow maintainers <$(git log -1 --format=%ae)>
Section: devel
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: clang-14, llvm-14, libc6-dev, libclang-rt-14-dev
Recommends: git, make
Suggests: cmake, meson
Description: rank the mutants of a C program
 winnow makes small changes of a C program, its mutants, runs its tests on them,
 and lists first those that say most about where the tests have gaps.
END
package=build/winnow_${version}_$architecture.deb
dpkg-deb --build --root-owner-group "$root" "$package" >/dev/null
rm -rf "$root"
echo "$package"
