#!/usr/bin/env bash
# Installs a build into an empty folder and uses what is there, as a package's user would: install_test.sh BUILD
set -euo pipefail
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() { echo "install_test: $*" >&2; exit 1; }

cmake --build "$build" --target understudy understudy-media words >/dev/null
cmake --install "$build" --prefix "$prefix" >/dev/null
for file in bin/understudy bin/understudy-media share/man/man1/understudy.1 share/bash-completion/completions/understudy \
    share/zsh/site-functions/_understudy share/fish/vendor_completions.d/understudy.fish \
    share/doc/understudy/docs/cli.md share/doc/understudy/docs/openapi.json share/doc/understudy/README.md; do
    [ -s "$prefix/$file" ] || fail "$file is missing or empty"
done
(cd "$prefix/share/doc/understudy" && grep -roE '\]\([^):#]+' --include='*.md' .) | while IFS=: read -r page link; do
    [ -f "$prefix/share/doc/understudy/$(dirname "$page")/${link#](}" ] || fail "$page links to ${link#](}, which is not installed"
done
"$prefix/bin/understudy" --version | grep -q . || fail "the installed binary does not run"
# Beside it, whatever the working folder.
worker=$(cd / && "$prefix/bin/understudy" config show --data-dir "$prefix/data" --json | jq -r '.settings[] | select(.key == "Jellyfin:Media:WorkerPath") | .value')
[ "$worker" = "$prefix/bin/understudy-media" ] || fail "it looks for its worker at '$worker'"
warnings=$(groff -man -ww -Tutf8 "$prefix/share/man/man1/understudy.1" 2>&1 >/dev/null)
[ -z "$warnings" ] || fail "the manual: $warnings"
bash -n "$prefix/share/bash-completion/completions/understudy"
