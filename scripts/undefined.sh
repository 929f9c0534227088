#!/bin/sh
# Undefined behaviour in mutants of the programs of Ebrahimipour (2016), in the versions that
# Debian 12 ships: fetches their sources into build/undefined/src, configures and builds them
# there, which tells how their files are compiled, and counts with cmd/countundefined
# (docs/results/undefined-behaviour.md). PROGRAMS names some of them (source packages);
# what is built already is not built again. FLAGS are the command's.
#
# Needs the network, apt-get and dpkg-source (package dpkg-dev); as root it also installs
# what vim and msmtp need to be built.
set -eu

. "$(dirname "$0")/debian-source.sh"
mkdir -p build/undefined
work=$(cd build/undefined && pwd)

# A compiler that writes down how it is called to compile a file.
cat >"$work/cc" <<'END'
#!/bin/sh
case " $* " in
*' -c '*.c*)
    line= file=
    for word; do
        case $word in *.c) file=$word ;; esac
        line="$line,\"$(printf %s "$word" | sed 's/[\\"]/\\&/g')\""
    done
    printf ',{"directory":"%s","file":"%s","arguments":["cc"%s]}\n' "$PWD" "$file" "$line" >>"$NOTES"
    ;;
esac
exec clang-14 "$@"
END
chmod +x "$work/cc"
export CC="$work/cc" CFLAGS='-O0 -w' NOTES

# compiled FOLDER writes FOLDER/compile_commands.json. git has a Makefile and no configure, and
# is built without the libraries that Debian's has; what Debian's patches touch is not made anew.
compiled() (
    cd "$1"
    NOTES=/dev/null
    set --
    if [ ! -e configure ] && [ ! -e Makefile ] && [ -e configure.ac ]; then # Debian's make comes without
        autoreconf -fi
    fi
    if [ -x configure ]; then
        find . -name aclocal.m4 -exec touch {} +
        find . \( -name configure -o -name 'config.h*in' \) -exec touch {} +
        find . -name Makefile.in -exec touch {} +
        ./configure --disable-nls --disable-shared --disable-year2038
    else
        set -- NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 NO_OPENSSL=1 "CC=$CC" "CFLAGS=$CFLAGS"
    fi
    NOTES=$PWD/notes
    rm -f notes
    make -k -j2 MAKEINFO=true "$@" || echo 'not all of it was built'
    (echo '['; sed '1s/^,//' notes; echo ']') >compile_commands.json
)

folders=
for name in ${PROGRAMS:-gzip gsl make-dfsg msmtp git grep vim}; do
    if ! ls -d "$work/src/$name"-*/ >/dev/null 2>&1; then
        (debian_source "$work" "$name") || { echo "$name: Debian's mirror does not have it" >&2; continue; }
    fi
    case $name in vim | msmtp) debian_needs "$work" "$name" ;; esac
    folder=$(ls -d "$work/src/$name"-*/ | head -1)
    folder=${folder%/}
    [ -s "$folder/compile_commands.json" ] || compiled "$folder" >"$folder.log" 2>&1
    folders="$folders $folder"
done
CGO_ENABLED=0 go build -buildvcs=false -o "$work/countundefined" ./cmd/countundefined
# shellcheck disable=SC2086 # folders of packages have no spaces
"$work/countundefined" ${FLAGS:-} $folders
