import { commentText, shellWord } from './plan-files-quote.ts'

type ScriptPart = { readonly number: number; readonly title: string; readonly commands: readonly string[] }

export type Script = {
  readonly title: string
  /** From the script's directory to that of `PLAN.md`. */
  readonly root: '.' | '..'
  /** What to do about what is done when it stops half-way, one sentence. */
  readonly otherwise: string
  readonly head: readonly string[]
  readonly parts: readonly ScriptPart[]
}

/**
 * A POSIX shell script that does the parts in order. It ends at the first that fails and says which that was; what is
 * done already is left alone when it runs again.
 */
export const scriptText = ({ title, root, otherwise, head, parts }: Script): string =>
  [
    '#!/bin/sh',
    `# ${commentText(title)}`,
    '# You may stop after any step, and run this again: what is done already is left alone.',
    'set -eu',
    `cd "$(dirname "$0")"${root === '.' ? '' : '/..'}`,
    '',
    ...prelude(otherwise),
    ...FUNCTIONS.filter(({ name }) => isUsed(name, [...head, ...parts.flatMap(({ commands }) => commands)])).flatMap(
      ({ text }) => ['', ...text.trim().split('\n')],
    ),
    ...(head.length === 0 ? [] : ['', ...head]),
    ...parts.flatMap(({ number, title: what, commands }) => [
      '',
      `step ${shellWord(`${number} of ${parts.length}: ${commentText(what)}`)}`,
      ...commands,
    ]),
    '',
  ].join('\n')

const prelude = (otherwise: string): readonly string[] =>
  `
at='before the first step'
step() { at="step $1"; echo "$1"; }
stop() { echo "$1" >&2; exit 1; }
ended() {
  code=$?
  [ "$code" -ne 0 ] || return 0
  echo "Stopped at $at. Every step before it is done, none after it. ${otherwise}" >&2
}
trap ended EXIT
trap 'exit 130' INT TERM
`
    .trim()
    .split('\n')

type ShellFunction = {
  /** Also the first word of the commands that call it. */
  readonly name: string
  readonly text: string
}

const isUsed = (name: string, commands: readonly string[]): boolean =>
  commands.some((command) => command.startsWith(`${name} `))

/**
 * What the steps call. Every question about the cluster is a plain assignment, so that a kubectl that fails ends the
 * script instead of being taken for an empty answer. Waits count turns of two seconds.
 */
const FUNCTIONS: readonly ShellFunction[] = [
  {
    name: 'evict',
    text: `
# evict NAMESPACE NAME UID FILE: that very pod. One of the same name that its controller made since stays.
evict() {
  uid=$(kubectl get pod "$2" -n "$1" --ignore-not-found -o 'jsonpath={.metadata.uid}')
  if [ "$uid" != "$3" ]; then echo "$1/$2 of the plan is gone already."; return 0; fi
  kubectl create --raw "/api/v1/namespaces/$1/pods/$2/eviction" -f "$4" ||
    stop "$1/$2 was not evicted. If the answer is 429, a disruption budget holds: run this again once its pods are healthy. Do not delete the pod instead."
  turns=300
  while [ "$uid" = "$3" ]; do
    [ "$turns" -gt 0 ] || stop "$1/$2 was evicted and still runs after ten minutes. Look at its finalizers and its node."
    turns=$((turns - 1))
    sleep 2
    uid=$(kubectl get pod "$2" -n "$1" --ignore-not-found -o 'jsonpath={.metadata.uid}')
  done
}`,
  },
  {
    name: 'cut',
    text: `
# cut NODE CONFIGURATION: has mig-manager cut the GPUs of one node, and waits until it says how that ended.
cut() {
  wish=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\\.com/mig\\.config}')
  state=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\\.com/mig\\.config\\.state}')
  if [ "$wish $state" = "$2 success" ]; then echo "$1 is cut already."; return 0; fi
  if [ "$wish $state" = "$2 failed" ]; then
    stop "mig-manager failed to cut $1 before and does not try again by itself. Read its log on $1, free the GPUs, and delete its pod on $1; then run this again."
  fi
  if [ "$wish" != "$2" ]; then
    # The last result is removed first, so that it is not taken for the new one.
    kubectl label node "$1" nvidia.com/mig.config.state-
    kubectl label node "$1" --overwrite "nvidia.com/mig.config=$2"
    state=
  fi
  turns=600
  while [ "$state" != success ]; do
    [ "$state" != failed ] ||
      stop "mig-manager failed to cut $1. Its GPUs are as they were or partly cut, and $1 stays cordoned. A process that still holds a GPU is the usual reason: read the log of mig-manager on $1."
    [ "$turns" -gt 0 ] || stop "mig-manager has not cut $1 after twenty minutes; its state is '$state'. Read its log on $1."
    turns=$((turns - 1))
    sleep 2
    state=$(kubectl get node "$1" -o 'jsonpath={.metadata.labels.nvidia\\.com/mig\\.config\\.state}')
  done
}`,
  },
  {
    name: 'scale',
    text: `
# scale OBJECT NAMESPACE FROM TO
scale() {
  replicas=$(kubectl get "$1" -n "$2" -o 'jsonpath={.spec.replicas}')
  if [ "$replicas" = "$4" ]; then echo "$1 has $4 replicas already."; return 0; fi
  kubectl scale "$1" -n "$2" "--current-replicas=$3" "--replicas=$4"
}`,
  },
  {
    name: 'patch_once',
    text: `
# patch_once OBJECT NAMESPACE FILE WHAT WANTED: a JSON patch, unless WHAT (a jsonpath) is WANTED already.
patch_once() {
  now=$(kubectl get "$1" -n "$2" -o "jsonpath=$4")
  if [ "$now" = "$5" ]; then echo "$1 asks for that already."; return 0; fi
  kubectl patch "$1" -n "$2" --type json --patch-file "$3"
}`,
  },
  {
    name: 'remove',
    text: `
# remove NODE: drains what asks for no GPU within its disruption budgets, then takes the node out of the cluster.
remove() {
  name=$(kubectl get node "$1" --ignore-not-found -o name)
  if [ -z "$name" ]; then echo "$1 is gone already."; return 0; fi
  kubectl drain "$1" --ignore-daemonsets --delete-emptydir-data --timeout=10m
  # Take the machine away where it was made (lower the pool by one, or delete its NodeClaim); then it does not come back.
  kubectl delete node "$1"
}`,
  },
]
