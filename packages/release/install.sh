#!/bin/sh
# Installs Beckon into a folder of yours, without root. Nothing happens before the last line.
set -u

# Where releases are, and the key that they are signed with (minisign).
url='@URL@'
key='@PUBLIC_KEY@'

help() {
  cat <<END
Installs Beckon, or puts a newer version in the place of the one that is there.

Usage: install.sh [--version X] [--to DIR] [--from URL] | --uninstall [--to DIR]

  --version X   this version, which may be older than the installed one (default: the newest)
  --to DIR      where the executable goes (default: $HOME/.local/bin)
  --from URL    a mirror of $url
  --uninstall   removes what was installed; your data stays
END
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'Beckon was not installed: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# target: the name of the executable for this machine, such as linux-x64.
find_target() {
  machine=$(uname -m)
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there is no executable for $(uname -s); on Windows, unpack beckon-VERSION-windows-x64.zip." ;;
  esac
  # A shell under Rosetta takes an Apple processor for one of Intel.
  if [ $system = macos ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then machine=arm64; fi
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no executable for processors of the kind $machine." ;;
  esac
  target=$system-$machine
  if [ $system = linux ]; then
    case $(ldd --version 2>&1 || true) in *musl*) target=$target-musl ;; esac
  fi
}

# fetch NAME FILE: downloads a file of the release.
fetch() {
  if has curl; then
    curl -fsSL --retry 2 -o "$2" "$place/$1" 2>"$work/why"
  elif has wget; then
    wget -q -t 3 -O "$2" "$place/$1" 2>"$work/why"
  else
    fail 'neither curl nor wget is here to download it.'
  fi
  code=$?
  [ $code = 0 ] && return
  has curl && [ $code = 23 ] && fail "there is no space left in $work."
  has curl && [ $code = 22 ] && fail "$place/$1 does not exist."
  fail "$place/$1 could not be downloaded whole ($(head -n 1 "$work/why"))."
}

sha256_of() {
  if has sha256sum; then sha256sum "$1"; elif has shasum; then shasum -a 256 "$1"; else openssl dgst -r -sha256 "$1"; fi | cut -d ' ' -f 1
}

# Verifies SHA256SUMS with its signature; signed_for is what the signature says it is for.
check_signature() {
  signed_for=
  if [ -z "$key" ]; then
    say 'This release is not signed; its checksums are checked, not where they come from.'
    return
  fi
  fetch SHA256SUMS.minisig "$work/SHA256SUMS.minisig"
  if has minisign; then
    signed_for=$(minisign -VQm "$work/SHA256SUMS" -P "$key" 2>/dev/null) || fail 'the signature of SHA256SUMS is wrong: somebody has changed the release.'
  elif has openssl && openssl version | grep -q '^OpenSSL [3-9]'; then
    openssl_verifies || fail 'the signature of SHA256SUMS is wrong: somebody has changed the release.'
    signed_for=$(sed -n '3s/^trusted comment: //p' "$work/SHA256SUMS.minisig")
  else
    say 'The signature was not checked, because neither minisign nor OpenSSL 3 is here; the checksum is.'
    return
  fi
  say "The signature holds: $signed_for."
}

# The format of minisign: two letters and eight bytes of key id, then an Ed25519 key or signature.
openssl_verifies() (
  cd "$work" || exit 1
  bytes() { tail -c "+$(($2 + 1))" "$1" | head -c "$3"; }
  printf '%s' "$key" | openssl base64 -d -A >key || exit 1
  sed -n 2p SHA256SUMS.minisig | tr -d '\r\n' | openssl base64 -d -A >own || exit 1
  sed -n 4p SHA256SUMS.minisig | tr -d '\r\n' | openssl base64 -d -A >overall || exit 1
  [ "$(bytes own 0 2)" = ED ] && [ "$(wc -c <own)" -eq 74 ] && [ "$(wc -c <key)" -eq 42 ] || exit 1
  bytes key 2 8 >id.key
  bytes own 2 8 >id.own
  cmp -s id.key id.own || exit 1
  # What stands before an Ed25519 key (RFC 8410).
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && bytes key 10 32; } >key.der
  bytes own 10 64 >signature
  openssl dgst -blake2b512 -binary SHA256SUMS >hash || exit 1
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in hash -sigfile signature >/dev/null 2>&1 || exit 1
  { cat signature && sed -n '3s/^trusted comment: //p' SHA256SUMS.minisig | tr -d '\r\n'; } >covered
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in covered -sigfile overall >/dev/null 2>&1
)

# is_older A B: whether version A comes before version B.
is_older() {
  printf '%s\n%s\n' "$1" "$2" | awk -F'[.-]' '
    NR == 1 { for (i = 1; i <= 3; i++) a[i] = $i; next }
    { for (i = 1; i <= 3; i++) if (a[i] + 0 != $i + 0) exit !(a[i] + 0 < $i + 0); exit 1 }'
}

# What belongs to the executable goes beside its folder: bin and share.
companions() {
  share=${folder%/bin}/share
  case $folder in */bin) ;; *) return ;; esac
  printf '%s\n' \
    "beckon.1 $share/man/man1/beckon.1" \
    "completions/beckon.bash $share/bash-completion/completions/beckon" \
    "completions/_beckon $share/zsh/site-functions/_beckon" \
    "completions/beckon.fish $share/fish/vendor_completions.d/beckon.fish"
}

uninstall() {
  if [ ! -e "$folder/beckon" ]; then
    say "Beckon is not installed in $folder."
    return
  fi
  rm -f "$folder/beckon" || exit 1
  companions | while read -r _ path; do rm -f "$path"; done
  say "Removed Beckon from $folder. Its data folders are where they were."
}

install() {
  find_target
  work=$(mktemp -d "${TMPDIR:-/tmp}/beckon-install.XXXXXX") || fail 'there is no place for temporary files.'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  [ -n "$url" ] || fail 'say where releases are: --from URL.'
  place=$url/latest/download
  [ -z "$version" ] || place=$url/download/v$version
  fetch SHA256SUMS "$work/SHA256SUMS"
  check_signature
  name=$(sed -n "s/^[0-9a-f]*  \(beckon-[0-9].*-$target\)\.tar\.gz\$/\1/p" "$work/SHA256SUMS" | head -n 1)
  [ -n "$name" ] || fail "this release has no executable for $target."
  found=${name#beckon-}
  found=${found%-"$target"}
  [ -z "$signed_for" ] || [ "$signed_for" = "beckon $found" ] || fail "the signature is for $signed_for, not for $found."
  [ -z "$version" ] || [ "$version" = "$found" ] || fail "this is version $found, not $version."
  compare_versions
  say "Downloading Beckon $found for $target from $place"
  fetch "$name.tar.gz" "$work/archive"
  expected=$(sed -n "s/^\([0-9a-f]*\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
  [ "$(sha256_of "$work/archive")" = "$expected" ] || fail "the checksum of $name.tar.gz is wrong: it was changed or cut off on its way."
  (cd "$work" && tar xzf archive 2>/dev/null) || fail "it could not be unpacked in $work; is the disk full?"
  put_in_place
}

# Ends the installation where the installed version is this one, or newer and no other was asked for.
compare_versions() {
  [ -x "$folder/beckon" ] || return
  here=$("$folder/beckon" --version 2>/dev/null) || return
  here=${here#beckon }
  if [ "$here" = "$found" ]; then
    say "Beckon $found is already installed in $folder."
    exit 0
  fi
  if [ -z "$version" ] && is_older "$found" "$here"; then
    fail "$here is here and $found is older; to go back, name it: --version $found."
  fi
}

# The reason in a few words, past the frame that a crash is printed in.
why_not() {
  if [ "$(uname -s)" = Linux ] && [ ! -e /proc/self/exe ]; then
    echo "/proc is not mounted here, and it needs that"
  else
    grep -m 1 '[a-z]' "$work/why"
  fi
}

put_in_place() {
  new=$work/$name
  [ "$("$new/beckon" --version 2>"$work/why")" = "beckon $found" ] || fail "the executable does not run on this machine ($(why_not))."
  mkdir -p "$folder" 2>/dev/null || fail "$folder cannot be made."
  # Beside the old one first, so that there is a whole executable at any moment.
  cp "$new/beckon" "$folder/.beckon.new" 2>/dev/null && chmod 755 "$folder/.beckon.new" || {
    rm -f "$folder/.beckon.new"
    fail "it cannot be written to $folder; is the disk full?"
  }
  mv -f "$folder/.beckon.new" "$folder/beckon" || fail "$folder/beckon cannot be replaced."
  say "Installed $folder/beckon"
  companions | while read -r from path; do
    mkdir -p "${path%/*}" 2>/dev/null && cp "$new/$from" "$path" 2>/dev/null || say "Left out $path: it cannot be written."
  done
  case :$PATH: in *:"$folder":*) ;; *) say "Add it to your PATH: export PATH=\"$folder:\$PATH\"" ;; esac
  say "Start the server with: $folder/beckon serve --data \"\$HOME/.local/share/beckon\""
}

main() {
  version=
  action=install
  folder=${HOME:-/root}/.local/bin
  while [ $# -gt 0 ]; do
    case $1 in
      --version=* | --to=* | --from=*)
        option=${1%%=*}
        value=${1#*=}
        shift
        set -- "$option" "$value" "$@"
        continue
        ;;
      --version | --to | --from) [ $# -gt 1 ] && [ -n "$2" ] || fail "$1 needs a value." ;;
    esac
    case $1 in
      --version) version=${2#v} && shift ;;
      --to) folder=${2%/} && shift ;;
      --from) url=${2%/} && shift ;;
      --uninstall) action=uninstall ;;
      --help | -h) help && exit 0 ;;
      *) fail "\"$1\" is no option; see --help." ;;
    esac
    shift
  done
  case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
  $action
}

main "$@"
