import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Kubernetes object as JSON. */
export type Raw = {
  metadata: { name: string; namespace?: string; uid?: string; [more: string]: unknown }
  [more: string]: unknown
}
export type Call = { method: string; path: string; query: URLSearchParams; authorization: string | undefined }
/** What the server does instead of answering as it should. */
export type Misbehavior =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { status?: number; text: string }
  | 'hang'
  | 'cut'

type Watcher = { resource: string; namespace: string | undefined; response: ServerResponse }
type Target = { group: string; namespace: string | undefined; resource: string; name: string | undefined }
type Logged = { version: number; resource: string; type: string; object: Raw }

/** A small Kubernetes API server that does what a test tells it, over real HTTP on a loopback port. */
export class ScriptedApiServer {
  readonly calls: Call[] = []
  /** Called for each request; what it returns is done instead. */
  misbehave: (call: Call) => Misbehavior | undefined = () => undefined
  /** `list pods`, `get replicasets`: answered 403, and denied in access reviews. */
  readonly denied = new Set<string>()
  version = 100
  gitVersion = 'v1.34.1'
  /** Watches from before this version get an ERROR event with code 410. */
  oldest = 0
  readonly #objects = new Map<string, Map<string, Raw>>()
  readonly #groups = new Map<string, Set<string>>()
  readonly #log: Logged[] = []
  readonly #watchers = new Set<Watcher>()
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  /** `resources` by group version: `{ '': ['nodes'], 'apps/v1': ['replicasets'] }`. */
  constructor(resources: Record<string, string[]> = DEFAULT_RESOURCES) {
    for (const [groupVersion, names] of Object.entries(resources)) this.serve(groupVersion, names)
  }

  serve(groupVersion: string, names: string[]): void {
    this.#groups.set(groupVersion, new Set(names))
    for (const name of names) if (!this.#objects.has(name)) this.#objects.set(name, new Map())
  }

  served(groupVersion: string): ReadonlySet<string> | undefined {
    return this.#groups.get(groupVersion)
  }

  unserve(groupVersion: string): void {
    this.#groups.delete(groupVersion)
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get watching(): string[] {
    return [...this.#watchers].map(({ resource }) => resource)
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => this.#answer(request, response))
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve) => {
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  /** Goes away, cutting every connection; `start` brings it back on the same port. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.cut()
    await new Promise<void>((resolve) => {
      if (server === undefined) resolve()
      else server.close(() => resolve())
    })
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#watchers.clear()
  }

  put(resource: string, object: Raw): void {
    const objects = this.#objects.get(resource) ?? new Map<string, Raw>()
    this.#objects.set(resource, objects)
    const key = keyOf(object)
    const type = objects.has(key) ? 'MODIFIED' : 'ADDED'
    this.version += 1
    const stored = {
      ...object,
      metadata: { uid: `uid-${key}`, ...object.metadata, resourceVersion: String(this.version) },
    }
    objects.set(key, stored)
    this.#emit({ version: this.version, resource, type, object: stored })
  }

  remove(resource: string, key: string): void {
    const object = this.#objects.get(resource)?.get(key)
    if (object === undefined) return
    this.#objects.get(resource)?.delete(key)
    this.version += 1
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.version) } }
    this.#emit({ version: this.version, resource, type: 'DELETED', object: last })
  }

  /** Puts objects without telling any watch: as many as a large cluster has, quickly. */
  seed(resource: string, objects: Iterable<Raw>): void {
    const kept = this.#objects.get(resource) ?? new Map<string, Raw>()
    this.#objects.set(resource, kept)
    for (const object of objects) {
      kept.set(keyOf(object), {
        ...object,
        metadata: { uid: `uid-${keyOf(object)}`, ...object.metadata, resourceVersion: '1' },
      })
    }
  }

  /** Sends text as it is to every watch of a resource. */
  send(resource: string, text: string): void {
    for (const watcher of this.#watchers) if (watcher.resource === resource) watcher.response.write(text)
  }

  /** Forgets the past, as etcd does on compaction, and ends every watch. */
  compact(): void {
    this.version += 10
    this.oldest = this.version
    for (const watcher of this.#watchers) watcher.response.end()
    this.#watchers.clear()
  }

  #emit(event: Logged): void {
    this.#log.push(event)
    for (const watcher of this.#watchers) if (concerns(watcher, event)) watcher.response.write(lineOf(event))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url)
    const call = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
    }
    this.calls.push(call)
    const misbehavior = this.misbehave(call)
    if (misbehavior === undefined) this.#route(call, request, response)
    else if (misbehavior === 'cut') request.socket.destroy()
    else if (misbehavior !== 'hang') answerAsTold(misbehavior, response)
  }

  #route(call: Call, request: IncomingMessage, response: ServerResponse): void {
    if (call.path === '/version') json(response, { gitVersion: this.gitVersion })
    else if (call.path === '/apis') json(response, this.#groupList())
    else if (call.path.endsWith('/selfsubjectaccessreviews')) this.#review(request, response)
    else this.#resource(call, response)
  }

  #resource(call: Call, response: ServerResponse): void {
    const [, group = '', namespace, resource, name] = PATH.exec(call.path) ?? []
    const served = this.#groups.get(group)
    if (resource === undefined && served !== undefined) {
      return json(response, { kind: 'APIResourceList', resources: [...served].map((each) => ({ name: each })) })
    }
    if (resource === undefined || served?.has(resource) !== true) {
      return json(response, status(404, 'the server could not find the requested resource'), { code: 404 })
    }
    this.#verb(call, response, { group, namespace, resource, name })
  }

  #verb(call: Call, response: ServerResponse, target: Target): void {
    const { group, namespace, resource, name } = target
    const listing = call.query.has('watch') ? 'watch' : 'list'
    const verb = name === undefined ? listing : 'get'
    if (this.denied.has(`${verb} ${resource}`)) {
      return json(response, forbidden(verb, resource, group), { code: 403 })
    }
    if (name !== undefined)
      return this.#get(response, resource, namespace === undefined ? name : `${namespace}/${name}`)
    return listing === 'watch' ? this.#watch(call, response, target) : this.#list(call, response, target)
  }

  #groupList(): unknown {
    const groups = Map.groupBy(
      [...this.#groups.keys()].filter((key) => key !== ''),
      (key) => key.split('/')[0] ?? '',
    )
    return {
      kind: 'APIGroupList',
      groups: [...groups].map(([name, versions]) => ({
        name,
        versions: versions.map((groupVersion) => ({ groupVersion, version: groupVersion.split('/')[1] })),
      })),
    }
  }

  #get(response: ServerResponse, resource: string, key: string): void {
    const object = this.#objects.get(resource)?.get(key)
    if (object === undefined) json(response, status(404, `${resource} "${key}" not found`), { code: 404 })
    else json(response, object)
  }

  #list(call: Call, response: ServerResponse, from: { resource: string; namespace: string | undefined }): void {
    const all = [...(this.#objects.get(from.resource)?.values() ?? [])].filter(
      ({ metadata }) => from.namespace === undefined || metadata.namespace === from.namespace,
    )
    const start = Number(call.query.get('continue') ?? 0)
    const end = start + Number(call.query.get('limit') ?? all.length)
    const metadata = { resourceVersion: String(this.version), ...(end < all.length ? { continue: String(end) } : {}) }
    json(response, { kind: 'List', apiVersion: 'v1', metadata, items: all.slice(start, end) })
  }

  #watch(call: Call, response: ServerResponse, from: { resource: string; namespace: string | undefined }): void {
    const since = Number(call.query.get('resourceVersion'))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    if (since < this.oldest) {
      response.end(`${JSON.stringify({ type: 'ERROR', object: status(410, `too old resource version: ${since}`) })}\n`)
      return
    }
    const watcher = { resource: from.resource, namespace: from.namespace, response }
    for (const event of this.#log) if (event.version > since && concerns(watcher, event)) response.write(lineOf(event))
    this.#watchers.add(watcher)
    response.on('close', () => this.#watchers.delete(watcher))
  }

  #review(request: IncomingMessage, response: ServerResponse): void {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const review = JSON.parse(body) as { spec: { resourceAttributes: { verb: string; resource: string } } }
      const { verb, resource } = review.spec.resourceAttributes
      json(response, { ...review, status: { allowed: !this.denied.has(`${verb} ${resource}`) } }, { code: 201 })
    })
  }
}

export const DEFAULT_RESOURCES = {
  '': ['nodes', 'pods', 'configmaps', 'resourcequotas', 'events', 'namespaces'],
  'apps/v1': ['replicasets', 'deployments', 'statefulsets'],
  'batch/v1': ['jobs'],
  'policy/v1': ['poddisruptionbudgets'],
  'scheduling.k8s.io/v1': ['priorityclasses'],
}
export const DRA = { 'resource.k8s.io/v1': ['resourceslices', 'resourceclaims', 'deviceclasses'] }
export const KUEUE = {
  'kueue.x-k8s.io/v1beta2': ['workloads', 'clusterqueues', 'localqueues', 'resourceflavors', 'cohorts'],
}
export const VOLCANO = { 'scheduling.volcano.sh/v1beta1': ['queues', 'podgroups'] }
export const KAI = { 'scheduling.run.ai/v2': ['queues'] }

/** A folder with a kubeconfig for a server; `remove` takes both away. */
export function writeKubeconfig(
  server: string,
  user: object = { token: 'secret' },
): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'septet-kubeconfig-'))
  const path = join(folder, 'config')
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      clusters: [{ name: 'test', cluster: { server } }],
      users: [{ name: 'test', user }],
    }),
  )
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const keyOf = ({ metadata }: Raw): string =>
  metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`

const lineOf = ({ type, object }: Logged): string => `${JSON.stringify({ type, object })}\n`

const concerns = (watcher: Pick<Watcher, 'resource' | 'namespace'>, event: Logged): boolean =>
  watcher.resource === event.resource &&
  (watcher.namespace === undefined || watcher.namespace === event.object.metadata.namespace)

const status = (code: number, message: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  code,
})

const forbidden = (verb: string, resource: string, group: string): object => ({
  ...status(
    403,
    `${resource} is forbidden: User "viewer" cannot ${verb} resource "${resource}" in API group "${group}" at the cluster scope`,
  ),
  reason: 'Forbidden',
})

const PATH = /^\/(?:api\/v1|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/]+))?(?:\/([^/]+))?(?:\/([^/]+))?$/

function json(
  response: ServerResponse,
  body: unknown,
  { code = 200, headers = {} }: { code?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function answerAsTold(told: Exclude<Misbehavior, string>, response: ServerResponse): void {
  if ('text' in told) response.writeHead(told.status ?? 200).end(told.text)
  else json(response, told.body ?? status(told.status, 'as told'), { code: told.status, headers: told.headers ?? {} })
}
