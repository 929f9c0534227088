#!/bin/sh
# Executes the notebooks on what "winnow evaluate all HISTORY --out FOLDER" wrote,
# into build/notebooks: scripts/notebooks.sh FOLDER. The notebooks themselves stay
# without outputs. Installs Jupyter and matplotlib where they are missing: with
# apt-get, as root or through sudo that asks for no password.
set -eu

results=${1:?say where winnow evaluate wrote its files}
if [ ! -f "$results/rq2.json" ]; then
    echo "there are no results in $results: make studies HISTORY=FOLDER" >&2
    exit 1
fi
WINNOW_RESULTS=$(cd "$results" && pwd)
export WINNOW_RESULTS

packages='jupyter-nbconvert python3-ipykernel python3-matplotlib'
python=/usr/bin/python3 # Debian's packages belong to Debian's Python
usable() { "$python" -c 'import nbconvert, ipykernel, matplotlib' 2>/dev/null; }
if ! usable; then
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root='sudo -n'
    echo "installing $packages" >&2
    $as_root apt-get -o DPkg::Lock::Timeout=300 update >&2 || echo 'apt-get update failed; going on with the lists there are' >&2
    # Unquoted on purpose: a list of words.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $packages >&2 || {
        echo "the notebooks need these packages: $packages" >&2
        exit 1
    }
    usable || { echo "$packages are installed, and $python cannot import them" >&2; exit 1; }
fi

# A kernel of that Python, whatever other kernels this user has.
kernels=$(mktemp -d)
trap 'rm -rf "$kernels"' EXIT
"$python" -m ipykernel install --prefix "$kernels" --name python3 >/dev/null
JUPYTER_PATH="$kernels/share/jupyter" "$python" -m nbconvert --to notebook --execute --output-dir build/notebooks notebooks/*.ipynb
