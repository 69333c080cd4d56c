import { commentText, shellWord } from './plan-files-quote.ts'
import { OPERATOR_FUNCTIONS, type ShellFunction } from './plan-files-operator.ts'

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
    ...usedBy([...head, ...parts.flatMap(({ commands }) => commands)]).flatMap(({ text }) => [
      '',
      ...text.trim().split('\n'),
    ]),
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

/** The functions that these commands call, and those that these call, in the order of the list. */
function usedBy(commands: readonly string[]): readonly ShellFunction[] {
  const used = new Set<ShellFunction>()
  const mark = (lines: readonly string[]): void => {
    for (const each of FUNCTIONS) {
      if (used.has(each) || !lines.some((line) => line.trim().split(' ')[0] === each.name)) continue
      used.add(each)
      mark(each.text.split('\n'))
    }
  }
  mark(commands)
  return FUNCTIONS.filter((each) => used.has(each))
}

/**
 * What the steps call. Every question about the cluster is a plain assignment, so that a kubectl that fails ends the
 * script instead of being taken for an empty answer. Waits count turns of two seconds.
 */
const FUNCTIONS: readonly ShellFunction[] = [
  {
    name: 'not_before',
    text: `
# not_before SECONDS WHEN: ends here, without a failure, until that time.
not_before() {
  [ "$(date +%s)" -lt "$1" ] || return 0
  echo "That is due at $2. Run this again then."
  exit 0
}`,
  },
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
    name: 'landed',
    text: `
# landed NAMESPACE WORKLOAD PODS: waits until so many pods of the workload run on a node again.
landed() {
  turns=300
  while :; do
    pods=$(kubectl get pods -n "$1" -o 'jsonpath={range .items[*]}{.metadata.name} {.status.phase} {.metadata.deletionTimestamp}{"\\n"}{end}')
    running=$(printf '%s\\n' "$pods" | awk -v name="$2" '($1 == name || index($1, name "-") == 1) && $2 == "Running" && $3 == "" { n++ } END { print n + 0 }')
    [ "$running" -lt "$3" ] || return 0
    [ "$turns" -gt 0 ] || stop "$1/$2 has $running of $3 pods running after ten minutes. What is cordoned stays so: see why its pods wait, then run this again."
    turns=$((turns - 1))
    sleep 2
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
# patch_once OBJECT NAMESPACE FILE WHAT WANTED [LIST KEY NAME]: a JSON patch, unless WHAT (a jsonpath) is WANTED already.
# Both name place 0 of LIST; the place where KEY is NAME is filled in.
patch_once() {
  place=0
  if [ "$#" -gt 5 ]; then
    names=$(kubectl get "$1" -n "$2" -o "jsonpath={.spec.$6[*].$7}")
    for name in $names; do [ "$name" != "$8" ] || break; place=$((place + 1)); done
  fi
  now=$(kubectl get "$1" -n "$2" -o "jsonpath=$(printf '%s' "$4" | sed "s/\\[0\\]/[$place]/")")
  if [ "$now" = "$5" ]; then echo "$1 asks for that already."; return 0; fi
  if [ "$place" = 0 ]; then kubectl patch "$1" -n "$2" --type json --patch-file "$3"; return 0; fi
  kubectl patch "$1" -n "$2" --type json -p "$(sed "s#/$6/0/#/$6/$place/#" "$3")"
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
  ...OPERATOR_FUNCTIONS,
]
