import { resolve } from 'node:path'

import type { PlanGoal, PlanWish } from '@septet/contract'

import { serverToAsk, type ServerToAsk } from '../served/server-to-ask.ts'
import { numberOf, oneOf, parseOptions, urlOf, UsageError } from '../options/command-options.ts'

export type PlanOptions = {
  readonly source:
    | OwnSource
    | { readonly kind: 'server'; readonly whom: ServerToAsk; readonly cluster: string | undefined }
  readonly wish: PlanWish
  readonly out: string | undefined
  readonly force: boolean
  readonly saveSnapshot: string | undefined
  readonly explain: string | undefined
  readonly format: 'text' | 'json'
}

/** Where a plan is made here, of a state that is read here. */
export type OwnSource = PlanSource | { readonly kind: 'snapshot'; readonly file: string }

export type PlanSource = {
  /** Of the demo cluster more is known than the kubeconfig's place. */
  readonly kind: 'cluster' | 'demo'
  readonly kubeconfig: string
  readonly context: string | undefined
  readonly prometheusUrl: string | undefined
}

const GOALS = ['fit', 'cost', 'free-node', 'room-for'] as const
const ACTUATORS = ['mig-manager', 'dra'] as const

export const PLAN_HELP = `septet plan --cluster NAME|--snapshot FILE|--server URL [--goal fit|cost|free-node|room-for] [--out DIR]

Plans which GPUs to repartition and which pods to move where, and proves how close the plan is to the best possible.
Prints a table and writes a directory that you can review and apply by hand. Read-only; the cluster is not changed.

Source of the cluster's state:
  --cluster NAME         a context of the kubeconfig; "demo" is the demo cluster that npm start runs
  --kubeconfig FILE      default: KUBECONFIG; with --cluster demo, the demo's own
  --prometheus URL       an API that holds dcgm-exporter's metrics: it says who holds which device. Without it holders are
                         inferred from requests
  --snapshot FILE        read a snapshot from --save-snapshot instead of a cluster
  --server URL           ask a Septet server, which knows prices and who holds what; --cluster is one of its clusters then
  --save-snapshot FILE   save the state, to plan on it again later

Goal:
  --goal fit             start as much waiting work as possible (default)
  --goal cost            the same, then use as few GPUs as possible
  --goal free-node       empty a node so you can remove it: the cheapest to empty, or --node NAME, or one in --pool NAME
  --goal room-for        make room for one more --profile 3g.40gb, on --node NAME if given
  --actuator NAME        change only GPUs that mig-manager or a DRA driver (dra) cuts; each node's own when left out
  --max-displaced 10     evict at most this many pods
  --may-wait             pods may be evicted without room reserved for them; they wait in the queue

Output:
  --out DIR              writes PLAN.md, commands.sh, mig-parted files, evictions, patches, plan.json and undo/
  --force                write into a non-empty directory, replacing the files of an older plan
  --operator-namespace N namespace of the GPU Operator (default: gpu-operator)
  --explain NAME         why a pod (namespace/name) or queued work (namespace/Kind/name) waits, where a pod runs, or what
                         fits on a GPU, instead of a plan; with the patch of a Kueue ClusterQueue that lets work in
  --json                 print JSON instead of a table

To have GPUs free at a given time, see septet plan appointment --help.

A bearer token for Prometheus is read from SEPTET_PROMETHEUS_TOKEN. If several clusters share it, name the series of this
one in SEPTET_PROMETHEUS_MATCHERS, like cluster="prod".`

export type PlanEnvironment = Readonly<Record<string, string | undefined>>

/** Reads the options of `septet plan`. Throws a `UsageError`. */
export function readPlanOptions(args: readonly string[], environment: PlanEnvironment): PlanOptions {
  const values = parseOptions(args, OPTIONS)
  const { 'operator-namespace': operatorNamespace } = values
  if (values.server !== undefined && (values.explain ?? values['save-snapshot']) !== undefined)
    throw new UsageError('--explain and --save-snapshot read a cluster here; leave out --server.')
  return {
    source: anySource(values, environment),
    wish: {
      goal: goalOf(values),
      maxDisplaced: displacedOf(values['max-displaced']),
      mayWait: values['may-wait'],
      ...(values.actuator !== undefined && { actuator: oneOf('--actuator', values.actuator, ACTUATORS) }),
      ...(operatorNamespace !== undefined && { operatorNamespace }),
    },
    out: nonEmpty('--out', values.out),
    force: values.force,
    saveSnapshot: nonEmpty('--save-snapshot', values['save-snapshot']),
    explain: nonEmpty('--explain', values.explain),
    format: values.json ? 'json' : 'text',
  }
}

export const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

export const displacedOf = (value: string): number =>
  numberOf('--max-displaced', value, { least: 0, most: 1000, whole: true })

export const SOURCE_OPTIONS = { cluster: text, context: text, kubeconfig: text, prometheus: text, snapshot: text }

/** What plans of every kind are told. */
export const SHARED_OPTIONS = {
  ...SOURCE_OPTIONS,
  server: text,
  'max-displaced': { ...text, default: '10' },
  out: text,
  force: flag,
  json: flag,
}

const OPTIONS = {
  ...SHARED_OPTIONS,
  'save-snapshot': text,
  goal: { ...text, default: 'fit' },
  node: text,
  pool: text,
  profile: text,
  actuator: text,
  'may-wait': flag,
  'operator-namespace': text,
  explain: text,
}

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>
type SourceValues = Pick<Values, keyof typeof SOURCE_OPTIONS>

/** Where the plan is made: by a server, or here. Throws a `UsageError`. */
export function anySource(
  { server, ...values }: SourceValues & { readonly server?: string | undefined },
  environment: PlanEnvironment,
): PlanOptions['source'] {
  if (server === undefined) return planSource(values, environment)
  const { context, kubeconfig, prometheus, snapshot, cluster } = values
  if ([context, kubeconfig, prometheus, snapshot].some((value) => value !== undefined))
    throw new UsageError('With --server, only --cluster selects the cluster.')
  return { kind: 'server', whom: serverToAsk(server, environment), cluster }
}

/** Where the cluster's state comes from. Throws a `UsageError`. */
function planSource(values: SourceValues, environment: PlanEnvironment): OwnSource {
  const { snapshot, cluster, context, kubeconfig, prometheus } = values
  if (snapshot === undefined) return clusterSource(values, environment)
  if ([cluster, context, kubeconfig, prometheus].some((value) => value !== undefined))
    throw new UsageError('Name either a cluster or a --snapshot FILE, not both.')
  return { kind: 'snapshot', file: nonEmpty('--snapshot', snapshot) ?? '' }
}

function clusterSource(
  { cluster, context, kubeconfig, prometheus }: SourceValues,
  environment: PlanEnvironment,
): PlanSource {
  const name = cluster ?? context
  if (context !== undefined && name !== context)
    throw new UsageError('--cluster and --context mean the same: name one.')
  const prometheusUrl = urlOf('--prometheus', prometheus)
  if (cluster === 'demo' && kubeconfig === undefined) {
    const folder = environment['SEPTET_DATA_DIR'] ?? '.septet'
    return { kind: 'demo', kubeconfig: resolve(folder, 'demo.kubeconfig'), context: 'septet-demo', prometheusUrl }
  }
  const file = kubeconfig ?? environment['KUBECONFIG']
  if (file !== undefined && file !== '') return { kind: 'cluster', kubeconfig: file, context: name, prometheusUrl }
  throw new UsageError('Name the cluster: --cluster demo, or --kubeconfig FILE, or --snapshot FILE.')
}

/** Which of the options about a place each goal knows. */
const PLACES = { fit: [], cost: [], 'free-node': ['node', 'pool'], 'room-for': ['node', 'profile'] } as const

function goalOf(values: Values): PlanGoal {
  const kind = oneOf('--goal', values.goal, GOALS)
  const known: readonly string[] = PLACES[kind]
  const strange = (['node', 'pool', 'profile'] as const).find(
    (name) => values[name] !== undefined && !known.includes(name),
  )
  if (strange !== undefined) throw new UsageError(`--${strange} cannot be used with --goal ${kind}.`)
  const node = values.node === undefined ? {} : { node: values.node }
  if (kind === 'free-node') return { kind, ...node, ...(values.pool === undefined ? {} : { pool: values.pool }) }
  if (kind !== 'room-for') return { kind }
  if (values.profile === undefined) throw new UsageError('Specify what to make room for: --profile 3g.40gb.')
  return { kind, profile: values.profile, ...node }
}

export function nonEmpty(option: string, value: string | undefined): string | undefined {
  if (value?.trim() === '') throw new UsageError(`${option} is empty.`)
  return value
}
