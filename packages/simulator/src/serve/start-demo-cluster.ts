import { chmod, writeFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scale } from '../model/fleet.ts'
import { createWorld } from '../model/world.ts'
import { createCluster } from './cluster/create-cluster.ts'
import type { JournalEntry } from './cluster/journal.ts'
import { beginFault, endFault } from './cluster/faults/begin-fault.ts'
import type { Fault, FaultWish } from './cluster/faults/fault-list.ts'
import { createActor, createReader, type KubeCaller } from './callers.ts'
import type { RbacRule } from './kube/rbac.ts'
import type { KubeStore } from './kube/store.ts'
import { openTokenAuthority } from './kube/token-authority.ts'
import { createRequestLog, type RecordedRequest } from './request-log.ts'
import { cutWatches, serve, type Served } from './http.ts'
import { listen } from './listener.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { selfSigned } from './certificate.ts'

/** What clients know a demo cluster by: the tokens of who reads and who acts, and its certificate with key. */
type Identity = {
  readonly token: string
  readonly actorToken: string
  readonly certificate: string
  readonly key: string
}

const Token = z.string().min(16)
// Who acts came later than who reads: a folder of before has one token.
const Kept = z.object({ token: Token, actorToken: Token.optional(), certificate: z.string(), key: z.string() })

/**
 * The identity kept in a folder, or a new one. It stays the same over restarts, so that whoever read the kubeconfig
 * before still gets in. Throws when the folder cannot be written.
 */
async function keptIdentity(folder: string, now: number): Promise<Identity> {
  const path = join(folder, 'demo.identity.json')
  await mkdir(folder, { recursive: true })
  const known = Kept.safeParse(await readJson(path))
  if (known.success && known.data.actorToken !== undefined) return { ...known.data, actorToken: known.data.actorToken }
  const before = known.success ? known.data : { token: newToken(), ...selfSigned(now) }
  const made = { ...before, actorToken: newToken() }
  await writeFile(path, JSON.stringify(made), { mode: 0o600 })
  return made
}

const newToken = (): string => `demo.${randomBytes(24).toString('hex')}`

/** Undefined when there is no such file, or no JSON in it: then it is made again. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

export type DemoOptions = {
  /** The same seed gives the same cluster. */
  readonly seed: number
  readonly scale: Scale
  /** How much faster than real time the demo's clock runs; 1 by default. */
  readonly speed?: number
  /** Port on loopback; 0, the default, takes a free one. */
  readonly port?: number
  /** Folder for `demo.kubeconfig` and `demo-actor.kubeconfig`. */
  readonly dataDir: string
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly clock?: () => number
  /** How often the cluster moves on by itself, in real milliseconds; 500 by default. */
  readonly turnMs?: number
  /** How often watches get bookmarks, in real milliseconds; a minute by default. */
  readonly bookmarkMs?: number
  /** How long mig-manager takes for a change of layout, milliseconds of the demo's clock; six seconds by default. */
  readonly migMs?: number
  /** Nodes that a DRA driver serves; none by default. */
  readonly dra?: readonly string[]
  /** Which of so many nodes that would do the scheduler takes for a pod; the first by default. */
  readonly choose?: (nodes: number) => number
  /** Plurals of resources that who reads may not touch: they answer 403. */
  readonly forbidden?: readonly string[]
  /** What who acts may do; everything without it. */
  readonly actorRules?: readonly RbacRule[]
}

export type DemoCluster = {
  /** Plain HTTP; the kubeconfig names the same port over HTTPS, because kubectl sends tokens over TLS only. */
  readonly apiUrl: string
  readonly kubeconfigPath: string
  readonly token: string
  /** For who acts: another user of the same cluster. */
  readonly actorKubeconfigPath: string
  readonly actorToken: string
  readonly exporterTargetsUrl: string
  readonly prometheusUrl: string
  /** `POST` makes something go wrong, `GET` tells what can and what does, `DELETE …/ID` ends it; with either token. */
  readonly faultsUrl: string
  /** What happened to pods and mig-managers. */
  readonly journalUrl: string
  readonly faults: {
    /** Throws where a kind needs to be told more, or names a node that is not there. */
    add(wish: FaultWish): Fault
    /** False when there is no such fault any more. */
    remove(id: string): boolean
    active(): readonly Fault[]
  }
  journal(): readonly JournalEntry[]
  /** Distinct API requests so far, with who made them and how often. */
  requests(): readonly RecordedRequest[]
  /** Replaces what who acts may do, from the next request on; undefined: everything. */
  grantActor(rules: readonly RbacRule[] | undefined): void
  /**
   * Makes the cluster as it is after a start now, without journal, faults and requests of before. Anyone who watches
   * goes on and is told what differs.
   */
  restore(): void
  /** Ends every connection. The kubeconfigs stay; the next start writes them again. */
  close(): Promise<void>
}

const MIG_MS = 6_000

/** Starts the demo cluster on loopback. Throws when the port is taken or the folder cannot be written. */
export async function startDemoCluster(options: DemoOptions): Promise<DemoCluster> {
  const clock = fastClock(options)
  const begin = (into?: KubeStore) => {
    const world = createWorld({ seed: options.seed, scale: options.scale })
    const { dra, choose } = options
    return { world, ...createCluster(world, { clock, migMs: options.migMs ?? MIG_MS, dra, choose, into }) }
  }
  const identity = await keptIdentity(options.dataDir, Date.now())
  const { token, actorToken, certificate } = identity
  const actor = createActor(options.actorRules)
  let address = ''
  const served: Served = {
    ...begin(),
    callers: new Map<string, KubeCaller>([
      [token, createReader(options.forbidden ?? [])],
      [actorToken, actor],
    ]),
    tokens: openTokenAuthority(clock),
    requests: createRequestLog(),
    bookmarkMs: options.bookmarkMs ?? 60_000,
    pages: new Map(),
    watches: new Map(),
    cutWatches: (resource) => cutWatches(served.watches, resource),
    address: () => address,
  }
  const listener = await listen(options.port ?? 0, {
    certificate: identity,
    answer: (request, response) => void serve(served, request, response),
  })
  address = `127.0.0.1:${listener.port}`
  const write = (file: string, user: string, secret: string): Promise<string> =>
    writeKubeconfig(join(options.dataDir, file), { address, certificate, user, token: secret })
  const turns = setInterval(() => served.advance(), options.turnMs ?? 500)
  turns.unref()
  return {
    ...addressesAt(`http://${address}`),
    kubeconfigPath: await write('demo.kubeconfig', 'septet-demo', token),
    token,
    actorKubeconfigPath: await write('demo-actor.kubeconfig', 'septet-demo-actor', actorToken),
    actorToken,
    faults: {
      add: (wish) => beginFault(served, wish),
      remove: (id) => endFault(served, id),
      active: () => served.cluster.faults.active(),
    },
    journal: () => served.cluster.journal.all(),
    requests: () => served.requests.all(),
    grantActor: (rules) => actor.grant(rules),
    restore: () => {
      Object.assign(served, begin(served.cluster.store), { requests: createRequestLog(), pages: new Map() })
      actor.grant(options.actorRules)
    },
    close: async () => {
      clearInterval(turns)
      await listener.close()
    },
  }
}

const addressesAt = (apiUrl: string) => ({
  apiUrl,
  exporterTargetsUrl: `${apiUrl}/exporter/targets`,
  prometheusUrl: `${apiUrl}/prometheus`,
  faultsUrl: `${apiUrl}/demo/faults`,
  journalUrl: `${apiUrl}/demo/journal`,
})

/** A clock that began at the real time and runs `speed` times as fast. */
function fastClock({ clock = Date.now, speed = 1 }: DemoOptions): () => number {
  const began = clock()
  return () => began + (clock() - began) * speed
}

type Access = { readonly address: string; readonly certificate: string; readonly user: string; readonly token: string }

async function writeKubeconfig(path: string, of: Access): Promise<string> {
  const text = `apiVersion: v1
kind: Config
clusters:
  - name: septet-demo
    cluster:
      server: https://${of.address}
      certificate-authority-data: ${Buffer.from(of.certificate).toString('base64')}
contexts:
  - name: septet-demo
    context:
      cluster: septet-demo
      user: ${of.user}
current-context: septet-demo
users:
  - name: ${of.user}
    user:
      token: ${of.token}
`
  await writeFile(path, text, { mode: 0o600 })
  // An older file keeps its mode when it is written again.
  await chmod(path, 0o600)
  return path
}
