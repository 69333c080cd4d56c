#!/usr/bin/env bash
# Builds the API server of Debian's source package `kubernetes` into the folder that is named: about six minutes of
# processor time the first time, nothing where it is there. It is Kubernetes 1.20: dry run, preconditions, managed fields,
# watches and paging are the machinery of today's servers; evictions by policy/v1 and DRA came later.
set -euo pipefail
into=$1
mkdir -p "$into"
# Who asks at the same time waits for the one that builds.
exec 9>"$into/lock"
flock 9
[ -x "$into/kube-apiserver" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq
as_root apt-get install -y -qq --no-install-recommends \
  golang-go etcd-server dpkg-dev rsync golang-github-modern-go-reflect2-dev >/dev/null

# The sources of the system's own mirror, in lists of their own.
mkdir -p "$work/lists/partial" "$work/sources"
for list in /etc/apt/sources.list.d/*.sources; do
  sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/sources/$(basename "$list")"
done
apt=(-o "Dir::State::Lists=$work/lists" -o "Dir::Etc::SourceParts=$work/sources" -o Dir::Etc::SourceList=/dev/null)
as_root apt-get "${apt[@]}" update -qq
mkdir -p "$work/go/src/k8s.io" "$work/home"
(cd "$work" && apt-get "${apt[@]}" source -qq --download-only kubernetes && dpkg-source --no-check -x ./*.dsc source >/dev/null)
ln -s "$work/source" "$work/go/src/k8s.io/kubernetes"
cd "$work/go/src/k8s.io/kubernetes"

# The one that it brings reads maps as Go did before 1.18, and ends the server.
rm -rf vendor/github.com/modern-go/reflect2
cp -rL /usr/share/gocode/src/github.com/modern-go/reflect2 vendor/github.com/modern-go/

export HOME="$work/home" GOPATH="$work/go" GOCACHE="$work/cache" GO111MODULE=off CGO_ENABLED=0
make generated_files >/dev/null 2>"$work/generated" || { cat "$work/generated" >&2; exit 1; }
flags=()
for package in client-go/pkg/version component-base/version; do
  for fact in gitVersion=v1.20.2 gitMajor=1 gitMinor=20; do flags+=(-X "k8s.io/kubernetes/vendor/k8s.io/$package.$fact"); done
done
go build -ldflags "${flags[*]}" -o "$work/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
mv "$work/kube-apiserver" "$into/"
