#!/usr/bin/env bash
# Sets up what pct uses, inside the project: no root, no compiling. A second run sets nothing up again.
#
#   setup.sh        the Z3 library, in .deps/z3
#   setup.sh cbmc   the model checker CBMC, in .deps/cbmc
#   setup.sh cmake  CMake with CTest, which some tests use, in .deps/cmake
#
# The library comes ready-made in the PyPI package z3-solver, in the version that .cargo/config.toml names. CBMC comes
# from Debian 13 with the C library that it was built for, so that it runs on older systems too; apt checks signatures
# and hashes. Each is installed into a temporary folder, tried out there and only then given its place, so an
# interrupted run leaves nothing half done.
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

# Unpacks Debian's pip wheel, found through the system's own package sources.
fetch_debian_pip() {
    # A source that is down need not be the one that has the package.
    private_apt update || true
    unpack_debian python3-pip-whl
}

# Runs apt-get with its state kept to ourselves: it changes nothing of the system, and needs no root. The system's
# settings hold (a proxy, for example), but not its hooks: some of them clean or refresh the caches of the system.
private_apt() {
    local apt="$scratch/apt"
    if [ ! -e "$apt/settings" ]; then
        mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
        apt-config dump | grep -v -e '-Invoke' >"$apt/settings"
        printf 'Dir::Etc::%s "/dev/null";\n' main parts >>"$apt/settings"
    fi
    (cd "$apt" && APT_CONFIG="$apt/settings" apt-get -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=2 "$@")
}

# Downloads the named packages (options of apt-get may come first) and unpacks them into $scratch/apt/root.
unpack_debian() {
    private_apt download "$@" || return
    local package
    for package in "$scratch"/apt/*.deb; do
        dpkg-deb -x "$package" "$scratch/apt/root" || return
    done
}

# Sets `scratch` to a folder that goes away at the end.
make_scratch() {
    mkdir -p .deps
    # Left behind only by a run that was killed outright.
    find .deps -maxdepth 1 -name 'setup.*' -mmin +60 -exec rm -rf {} +
    scratch=$(mktemp -d "$PWD/.deps/setup.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM HUP
}

# Installs a package from PyPI, ready-made, into a folder.
pip_install() {
    # Whatever a personal pip.conf says of these, here they are wrong.
    PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 \
        "${pip[@]}" install --quiet --no-input --target "$1" --no-deps --no-compile --only-binary :all: "$2"
}

install_z3() {
    printf 'setup: installing Z3 %s into .deps/z3\n' "$z3_version"
    make_scratch
    find_pip
    pip_install "$scratch/z3" "z3-solver==$z3_version.0" ||
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

# Whether this command is a CBMC that pct can use: it runs, and its version is 6 or newer.
is_cbmc() {
    local version
    version=$("$1" --version 2>/dev/null) && [[ $version =~ ^([0-9]+)\. ]] && [ "${BASH_REMATCH[1]}" -ge 6 ]
}

# Whether pct will find a CBMC: where PCT_CBMC says, or else on the PATH or in the project.
cbmc_is_ready() {
    if [ -n "${PCT_CBMC:-}" ]; then
        is_cbmc "$PCT_CBMC" || fail "PCT_CBMC names '$PCT_CBMC', which is no CBMC 6 or newer. Correct or unset it."
        return
    fi
    is_cbmc cbmc || is_cbmc .deps/cbmc/cbmc
}

install_cbmc() {
    local advice="Install CBMC 6 or newer yourself (Debian 13, Ubuntu: apt install cbmc; macOS: brew install cbmc), or let \
PCT_CBMC name one; then run this again."
    [ "$(. /etc/os-release 2>/dev/null && echo "$ID")" = debian ] && command -v apt-get dpkg-deb >/dev/null ||
        fail "CBMC can be set up inside the project only on Debian. $advice"
    printf 'setup: installing CBMC into .deps/cbmc\n'
    make_scratch

    fetch_cbmc >"$scratch/apt.log" 2>&1 || {
        cat "$scratch/apt.log" >&2
        fail "CBMC could not be fetched (the messages of apt are above; is there a network?). $advice"
    }
    local root="$scratch/apt/root"
    mkdir -p "$scratch/cbmc/programs"
    mv "$root"/usr/lib/libminisat.so.* "$root"/usr/lib/*-linux-*/*.so* "$scratch/cbmc"
    local name
    for name in cbmc goto-cc; do
        mv "$root/usr/bin/$name" "$scratch/cbmc/programs"
        write_starter "$name" >"$scratch/cbmc/$name"
        chmod +x "$scratch/cbmc/$name"
    done
    try_cbmc "$scratch/cbmc"

    # Another run may have been faster.
    is_cbmc .deps/cbmc/cbmc || { rm -rf .deps/cbmc && mv "$scratch/cbmc" .deps/cbmc; }
}

# Unpacks CBMC and its libraries from Debian 13, on the mirror that the system's own package sources name.
fetch_cbmc() {
    local release=trixie own mirror
    own=$(. /etc/os-release && echo "${VERSION_CODENAME:-sid}")
    mirror=$(private_apt update --print-uris |
        sed -nE "s#^'([^']*)/dists/($own|stable|testing|unstable)/InRelease'.*#\\1#p" | head -n 1)
    [ -n "$mirror" ] || { echo "the package sources of this system name no mirror of Debian"; return 1; }
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$keys] $mirror $release main" >"$scratch/sources.list"
    local source=(-o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts=/dev/null)
    private_apt "${source[@]}" -o APT::Update::Error-Mode=any update &&
        unpack_debian "${source[@]}" cbmc minisat libc6 libstdc++6 libgcc-s1
}

# A script that starts a program with the libraries beside it. It uses no other program: the PATH may be empty.
write_starter() {
    cat <<STARTER
#!/bin/sh
here=\${0%/*}
for loader in "\$here"/ld-linux*; do
    exec "\$loader" --library-path "\$here" "\$here/programs/$1" "\$@"
done
STARTER
}

# Lets it prove something: a library that is missing would be noticed here, not in a test.
try_cbmc() {
    local program="$scratch/try.c"
    printf 'int main(void) { int x; __CPROVER_assume(x > 3); __CPROVER_assert(x > 2, "x"); }\n' >"$program"
    is_cbmc "$1/cbmc" && "$1/goto-cc" --version >/dev/null &&
        "$1/cbmc" "$program" >"$scratch/try.log" 2>&1 && grep -q 'VERIFICATION SUCCESSFUL' "$scratch/try.log" || {
        "$1/cbmc" --version >&2 || true
        cat "$scratch/try.log" >&2 || true
        fail "the CBMC from Debian does not run on this system (what it says is above)"
    }
}

# Whether CTest can be run: the one on the PATH, or that of the project.
cmake_is_ready() {
    local folder
    for folder in "" .deps/cmake/cmake/data/bin/; do
        if "${folder}cmake" --version >/dev/null 2>&1 && "${folder}ctest" --version >/dev/null 2>&1; then return; fi
    done
    return 1
}

install_cmake() {
    printf 'setup: installing CMake into .deps/cmake\n'
    make_scratch
    find_pip
    pip_install "$scratch/cmake" cmake ||
        fail "pip could not install cmake (its message is above). Install CMake yourself (Debian, Ubuntu: apt install" \
            "cmake; macOS: brew install cmake), then run this again."
    "$scratch/cmake/cmake/data/bin/ctest" --version >/dev/null ||
        fail "the CMake from PyPI does not run on this system (what it says is above)"
    # Another run may have been faster.
    cmake_is_ready || { rm -rf .deps/cmake && mv "$scratch/cmake" .deps/cmake; }
}

case ${1:-z3} in
    z3)
        require_tools
        project_z3_is_ready || system_z3_is_ready || install_z3
        ;;
    cbmc) cbmc_is_ready || install_cbmc ;;
    cmake) cmake_is_ready || install_cmake ;;
    *) fail "there is nothing called '$1' to set up" ;;
esac
