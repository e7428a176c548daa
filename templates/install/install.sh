#!/bin/sh
# Installs the command line of bomtrail: one executable, without Node.js.
#
#   curl -fsSL https://files.example.org/bomtrail/install.sh | BOMTRAIL_DOWNLOADS=https://files.example.org/bomtrail sh
#
# BOMTRAIL_DOWNLOADS    address of the folder with the archives and SHA256SUMS; the installer of a release knows its own
# BOMTRAIL_VERSION      version to install
# BOMTRAIL_SHA256       hash of the archive; without it, that of SHA256SUMS beside the archive, which protects
#                       against damage, but not against somebody who changes both
# BOMTRAIL_INSTALL_DIR  where the program goes (~/.local/bin)
#
# Nothing is installed unless the hash is right. Linux and macOS, x64 and arm64; for Windows use the archive.
set -eu

fail() {
  echo "bomtrail: $1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --retry 3 -o "$2" "$1" || fail "$1 cannot be downloaded."
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1" || fail "$1 cannot be downloaded."
  else
    fail 'curl or wget is needed.'
  fi
}

hash_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail 'sha256sum or shasum is needed to verify the download.'
  fi
}

main() {
  downloads=${BOMTRAIL_DOWNLOADS:-}
  [ -n "$downloads" ] || fail 'set BOMTRAIL_DOWNLOADS to the address of the folder with the archives.'
  version=${BOMTRAIL_VERSION:-1.0.1}
  folder=${BOMTRAIL_INSTALL_DIR:-$HOME/.local/bin}
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no executable for $(uname -s) here; use the archive or the npm package." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no executable for $(uname -m)." ;;
  esac
  archive=bomtrail-$version-$system-$machine.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch "${downloads%/}/$archive" "$work/$archive"
  wanted=${BOMTRAIL_SHA256:-}
  if [ -z "$wanted" ]; then
    fetch "${downloads%/}/SHA256SUMS" "$work/SHA256SUMS"
    wanted=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "SHA256SUMS does not name $archive. Nothing was installed."
  fi
  found=$(hash_of "$work/$archive")
  [ "$found" = "$wanted" ] ||
    fail "$archive has the hash $found instead of $wanted. Nothing was installed."
  tar -xzf "$work/$archive" -C "$work" bomtrail || fail "$archive is damaged. Nothing was installed."
  mkdir -p "$folder"
  # Beside its place first, so that a program in use is replaced in one step.
  cp "$work/bomtrail" "$folder/.bomtrail.$$"
  chmod 755 "$folder/.bomtrail.$$"
  "$folder/.bomtrail.$$" --version >/dev/null 2>&1 || {
    rm -f "$folder/.bomtrail.$$"
    fail 'the program does not start here; on Linux it needs glibc and libstdc++, which Alpine lacks: use the npm package or the image. Nothing was installed.'
  }
  mv "$folder/.bomtrail.$$" "$folder/bomtrail"
  echo "Installed bomtrail $version in $folder."
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) echo "Add $folder to PATH to call it by its name." ;;
  esac
}

# A download that was cut off runs nothing.
main
