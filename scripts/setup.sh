#!/usr/bin/env bash
# Puts the Z3 library into .deps/z3 of the project: no root, no compiling. A second run sets nothing up again.
#
# The library comes ready-made in the PyPI package z3-solver, in the version that .cargo/config.toml names. It is
# installed into a temporary folder, tried out there and only then given its place, so an interrupted run leaves
# nothing half done.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

z3_version=$(sed -n 's/^Z3_SYS_Z3_VERSION *= *"\(.*\)"$/\1/p' .cargo/config.toml)
[ -n "$z3_version" ] || fail "no Z3_SYS_Z3_VERSION in .cargo/config.toml"

require_tools() {
    command -v cargo >/dev/null ||
        fail "cargo is missing. Get Rust with rustup, as the Rust project's home page says, then run this again."
    command -v cc >/dev/null ||
        fail "a C compiler (cc) is missing. On Debian or Ubuntu: apt install gcc; on Fedora: dnf install gcc."
}

# Whether .deps/z3 holds the wanted version already.
project_z3_is_ready() {
    [ -e .deps/z3/z3/lib/libz3.so ] && [ -d ".deps/z3/z3_solver-$z3_version.0.dist-info" ]
}

# Whether build.rs will find a system-wide library that is new enough.
system_z3_is_ready() {
    [ ! -e .deps/z3 ] && pkg-config --atleast-version="$z3_version" z3 2>/dev/null
}

# Sets the array `pip` to a command that runs pip, in a folder of our own if the system has none.
find_pip() {
    command -v python3 >/dev/null ||
        fail "python3 is missing. On Debian or Ubuntu: apt install python3; on Fedora: dnf install python3."
    local candidate
    for candidate in "python3 -m pip" pip3 pip; do
        read -ra pip <<<"$candidate"
        if "${pip[@]}" --version >/dev/null 2>&1; then return; fi
    done
    if python3 -m venv "$scratch/venv" >/dev/null 2>&1; then
        pip=("$scratch/venv/bin/python" -m pip)
        return
    fi
    if command -v apt-get >/dev/null && fetch_debian_pip >"$scratch/apt.log" 2>&1; then
        pip=(python3 "$(echo "$scratch"/apt/root/usr/share/python-wheels/pip-*.whl)/pip")
        return
    fi
    if [ -s "$scratch/apt.log" ]; then cat "$scratch/apt.log" >&2; fi
    fail "python3 has no pip, and none could be fetched. On Debian or Ubuntu: apt install python3-pip; on Fedora:" \
        "dnf install python3-pip. Then run this again."
}

# Unpacks Debian's pip wheel, found through the system's own package sources, with apt's state kept to ourselves.
fetch_debian_pip() {
    local apt="$scratch/apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/root"
    local options=(
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none
    )
    # A source that is down need not be the one that has the package.
    apt-get "${options[@]}" update || true
    (cd "$apt" && apt-get "${options[@]}" download python3-pip-whl) &&
        dpkg-deb -x "$apt"/python3-pip-whl_*.deb "$apt/root"
}

install_z3() {
    printf 'setup: installing Z3 %s into .deps/z3\n' "$z3_version"
    mkdir -p .deps
    # Left behind only by a run that was killed outright.
    find .deps -maxdepth 1 -name 'setup.*' -mmin +60 -exec rm -rf {} +
    scratch=$(mktemp -d "$PWD/.deps/setup.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM HUP

    find_pip
    # Whatever a personal pip.conf says of these, here they are wrong.
    PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 \
        "${pip[@]}" install --quiet --no-input --target "$scratch/z3" --no-deps --no-compile --only-binary :all: \
        "z3-solver==$z3_version.0" ||
        fail "pip could not install z3-solver $z3_version.0 (its message is above)"
    try_z3 "$scratch/z3/z3/lib/libz3.so"

    # Another run may have been faster.
    project_z3_is_ready || { rm -rf .deps/z3 && mv "$scratch/z3" .deps/z3; }
}

# Loads the library and asks for its version: a library for another system would be noticed here, not in a test.
try_z3() {
    local answer
    answer=$(python3 - "$1" <<'PYTHON'
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.Z3_get_full_version.restype = ctypes.c_char_p
print(library.Z3_get_full_version().decode())
PYTHON
    ) || fail "the Z3 library from PyPI does not load on this system (the reason is above)"
    case $answer in
        *"$z3_version"*) ;;
        *) fail "the Z3 library says it is '$answer', not $z3_version" ;;
    esac
}

require_tools
if ! project_z3_is_ready && ! system_z3_is_ready; then
    install_z3
fi
