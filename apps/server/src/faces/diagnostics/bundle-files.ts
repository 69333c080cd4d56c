import { instant, type Store } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import type { ClusterFacts, Facts } from '../../facts.ts'
import { isRecord } from '../../is-record.ts'
import { statusOf } from '../../operations/clusters/status.ts'
import { statusNow, type ThisServer } from '../../operations/settings/status-lines.ts'
import { knownNames } from './known-names.ts'
import { maskText, type Masking } from './mask-text.ts'

export type BundleParts = {
  readonly facts: Facts
  readonly store: Pick<Store, 'describe' | 'tables'>
  readonly thisServer: ThisServer
  readonly now: () => number
  /** The text of `/metrics`. */
  readonly metrics: () => Promise<string>
  /** The last lines of the log, oldest first. */
  readonly log: () => readonly string[]
  /** Each setting with its value where that is harmless, and else whether it is set. */
  readonly settings: Readonly<Record<string, string>>
  /** Values that are shown nowhere. */
  readonly secrets: readonly string[]
}

export type BundleFile = { readonly path: string; readonly text: string }

/** What somebody needs to tell what is wrong with a Septet, as files; nothing in them is a secret. */
export async function bundleFiles(parts: BundleParts, { names }: { readonly names: boolean }): Promise<BundleFile[]> {
  const { facts, thisServer, store, settings, now } = parts
  const aliases = knownNames(facts, thisServer.server.name)
  const masking = {
    aliases,
    keepNames: names,
    secrets: parts.secrets.filter((secret) => secret.length >= LEAST_SECRET),
  }
  const mask = (text: string): string => maskText(text, masking)
  const clusters = facts.clusters()
  return [
    { path: 'README.txt', text: README },
    json('version.json', versionOf(thisServer, mask)),
    json('settings.json', settings),
    json('status.json', statusFile(parts, mask)),
    json(
      'clusters.json',
      clusters.map((cluster) => clusterFile(cluster, mask)),
    ),
    json('database.json', await databaseFile(store, mask)),
    { path: 'metrics.txt', text: maskMetrics(await parts.metrics(), masking) },
    {
      path: 'log.ndjson',
      text: parts
        .log()
        .map((line) => `${maskLine(line, mask)}\n`)
        .join(''),
    },
    json('made.json', { at: new Date(now()).toISOString(), names: names ? 'kept' : 'masked' }),
  ]
}

const json = (path: string, value: unknown): BundleFile => ({
  path,
  text: `${JSON.stringify(value, undefined, 2)}\n`,
})

/** A shorter value is hidden where it is a setting, and not looked for elsewhere: it would be found in every word. */
const LEAST_SECRET = 6

const README = `What a Septet server tells of itself, made by "septet diagnostics" or Settings, Status.

settings.json holds values of harmless settings only. In all texts everything is hidden that is not a plain word, a small
number, a time or a known name. Names of clusters, nodes, namespaces and work are replaced by aliases unless they were
asked for; an alias means the same in all files. Look through the files before you send them.
`

const versionOf = ({ version, server, startedAt }: ThisServer, mask: (text: string) => string) => ({
  version,
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  server: mask(server.name),
  role: server.role,
  startedAt: new Date(startedAt).toISOString(),
  memory: process.memoryUsage(),
})

function statusFile({ facts, thisServer, now }: BundleParts, mask: (text: string) => string) {
  return statusNow(facts.clusters(), thisServer, instant(now())).lines.map((line) => ({
    ...line,
    cluster: line.cluster === null ? null : mask(line.cluster),
    because: line.because === null ? null : mask(line.because),
  }))
}

function clusterFile(cluster: ClusterFacts, mask: (text: string) => string) {
  const { kind, lastContact } = cluster.connection()
  const history = cluster.history()
  return {
    cluster: mask(cluster.record.id),
    kind: cluster.record.kind,
    connection: kind,
    lastContact: lastContact ?? null,
    asOf: cluster.asOf() ?? null,
    acting: cluster.acting().kind,
    ...sizesOf(cluster),
    history: history === undefined ? null : { done: history.done, of: history.of },
    unwrittenRows: cluster.health()?.unwrittenRows ?? null,
    problems: statusOf(cluster).problems.map(({ code, message, object }) => ({
      code,
      object: mask(object),
      message: mask(message),
    })),
  }
}

function sizesOf(cluster: ClusterFacts) {
  const { nodes = [], workloads = [], allocations = [] } = cluster.picture() ?? {}
  const { serverVersion = '', ...size } = cluster.size() ?? {}
  const states = Map.groupBy(cluster.targets(), (target) => target.kind)
  return {
    kubernetes: VERSION.test(serverVersion) ? serverVersion : null,
    size: { ...size, nodes: nodes.length, workloads: workloads.length, allocations: allocations.length },
    targets: Object.fromEntries([...states].map(([state, targets]) => [state, targets.length])),
  }
}

const VERSION = /^v?\d{1,3}\.\d{1,3}(?:\.\d{1,3})?(?:[-+][a-z0-9.]{1,24})?$/u

/** A database that is away is no reason to send nothing: that it is away is what the bundle tells then. */
async function databaseFile(store: BundleParts['store'], mask: (text: string) => string) {
  try {
    const [{ version, bytes }, { tables, migrations }] = await Promise.all([store.describe(), store.tables()])
    return { version: mask(version ?? ''), bytes, migrations, tables }
  } catch (error) {
    return { failed: mask(errorText(error)) }
  }
}

/** Facts of a line as they are: numbers, and texts without what is not allowed. */
function maskLine(line: string, mask: (text: string) => string): string {
  const facts = parsed(line)
  if (facts === undefined) return JSON.stringify({ msg: mask(line) })
  const shown = Object.entries(facts).map(([name, value]) => {
    const harmless = typeof value === 'number' || typeof value === 'boolean'
    return [name, harmless ? value : mask(typeof value === 'string' ? value : JSON.stringify(value))]
  })
  return JSON.stringify(Object.fromEntries(shown))
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const facts: unknown = JSON.parse(line)
    return isRecord(facts) ? facts : undefined
  } catch {
    return undefined
  }
}

/** Labels whose values come from the program and not from a cluster. */
const OWN_LABELS = new Set([
  'loop',
  'source',
  'stage',
  'method',
  'route',
  'status',
  'kind',
  'severity',
  'le',
  'quantile',
  'type',
  'space',
  'version',
  'major',
  'minor',
  'patch',
])

function maskMetrics(text: string, masking: Masking): string {
  return text.replaceAll(/(?<=[{,])(\w+)="((?:[^"\\]|\\.)*)"/gu, (whole, label: string, value: string) =>
    OWN_LABELS.has(label) ? whole : `${label}="${maskText(value, masking)}"`,
  )
}
