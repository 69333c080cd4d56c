import type { Inventory } from '@septet/domain'
import type { DemoCluster } from '@septet/simulator'

import { OWN_NAMESPACES } from './drawn-jobs.ts'

/** A pod as the referee submits it. */
type MadePod = {
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: object
}

/** What the referee does to the demo cluster. */
export type RefereeApi = {
  call(method: string, path: string, body?: object): Promise<Read>
  /** False where a quota refuses it. */
  makePod(pod: MadePod): Promise<boolean>
  nodeOf(namespace: string, name: string): Promise<string | undefined>
  removePod(namespace: string, name: string): Promise<void>
  /** Resolves once what was read is what the API shows: pods, what they take of their nodes, nodes' rules, and quotas. */
  readonly allRead: (read: () => Inventory | undefined) => Promise<Inventory>
  /** The same where nothing has changed since but the pods that the referee made and took away. */
  readonly ownRead: (read: () => Inventory | undefined) => Promise<Inventory>
}

type Quantities = Readonly<Record<string, string>>
/** An object of the API, as far as the referee looks at it. */
type Read = {
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly labels?: Quantities }
  readonly spec?: {
    readonly nodeName?: string
    readonly taints?: readonly unknown[]
    readonly unschedulable?: boolean
    readonly containers?: ReadonlyArray<{
      readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities }
    }>
  }
  readonly status?: { readonly phase?: string; readonly used?: Quantities }
  readonly items?: readonly Read[]
  readonly message?: string
}

export function refereeApi({ apiUrl, token }: DemoCluster): RefereeApi {
  const send = async (method: string, path: string, body?: object): Promise<{ code: number; read: Read }> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object as the demo's API shows it
    return { code: answer.status, read: (await answer.json()) as Read }
  }
  const call = async (method: string, path: string, body?: object): Promise<Read> => {
    const { code, read } = await send(method, path, body)
    if (code >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`)
    return read
  }
  // Pods that the referee made, as it last saw them.
  const own = new Map<string, string>()
  return {
    call,
    async makePod({ namespace, name, labels, spec }) {
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels }, spec }
      const { code, read } = await send('POST', podsOf(namespace), pod)
      if (code >= 400 && !(code === 403 && /quota|PriorityClass/u.test(read.message ?? '')))
        throw new Error(JSON.stringify(read))
      if (code < 400 && asksForGpus(read)) own.set(`${namespace}/${name}`, '')
      return code < 400
    },
    async nodeOf(namespace, name) {
      const node = (await call('GET', `${podsOf(namespace)}/${name}`)).spec?.nodeName
      if (node !== undefined) own.set(`${namespace}/${name}`, node)
      return node
    },
    async removePod(namespace, name) {
      own.delete(`${namespace}/${name}`)
      await call('DELETE', `${podsOf(namespace)}/${name}?gracePeriodSeconds=0`)
    },
    async ownRead(read) {
      const quotas = (await call('GET', '/api/v1/resourcequotas')).items ?? []
      const namespaces = new Set<string>(OWN_NAMESPACES)
      const shown = JSON.stringify([[...own].map(([id, node]) => `${id}@${node}`).toSorted(), quotaLines(quotas)])
      for (;;) {
        const inventory = read()
        const pods = inventory?.pods.filter(({ namespace }) => namespaces.has(namespace)) ?? []
        if (inventory !== undefined && JSON.stringify([linesOfPods(pods), linesOfQuotas(inventory)]) === shown)
          return inventory
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    async allRead(read) {
      const lists = ['/api/v1/pods', '/api/v1/nodes', '/api/v1/resourcequotas'].map((path) => call('GET', path))
      const [pods, nodes, quotas] = (await Promise.all(lists)).map(({ items = [] }) => items)
      const shown = JSON.stringify([podLines(pods ?? []), nodeLines(nodes ?? [], pods ?? []), quotaLines(quotas ?? [])])
      for (;;) {
        const inventory = read()
        if (inventory !== undefined && linesOf(inventory) === shown) return inventory
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
  }
}

const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`

const isLiving = ({ status }: Read): boolean => !['Succeeded', 'Failed'].includes(status?.phase ?? '')
const asksForGpus = ({ spec }: Read): boolean =>
  (spec?.containers ?? []).some(({ resources }) =>
    Object.keys({ ...resources?.limits }).some((name) => name.startsWith('nvidia.com/')),
  )

const podLines = (pods: readonly Read[]): readonly string[] =>
  pods
    .filter((pod) => isLiving(pod) && asksForGpus(pod))
    .map(({ metadata, spec }) => `${metadata?.namespace}/${metadata?.name}@${spec?.nodeName ?? ''}`)
    .toSorted()

/** Nodes that offer GPUs, what pods without GPUs take of their CPU, and how many rules they have. */
function nodeLines(nodes: readonly Read[], pods: readonly Read[]): readonly string[] {
  const others = Map.groupBy(
    pods.filter((pod) => isLiving(pod) && !asksForGpus(pod)),
    ({ spec }) => spec?.nodeName,
  )
  return nodes
    .map(({ metadata, spec }) => {
      const cpu = (others.get(metadata?.name) ?? []).reduce((sum, pod) => sum + milliOf(pod), 0)
      return `${metadata?.name} ${cpu} ${spec?.taints?.length ?? 0} ${spec?.unschedulable !== true}`
    })
    .toSorted()
}

const milliOf = ({ spec }: Read): number =>
  (spec?.containers ?? []).reduce((sum, { resources }) => {
    const text = resources?.requests?.['cpu'] ?? '0'
    return sum + (text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000)
  }, 0)

const quotaLines = (quotas: readonly Read[]): readonly string[] =>
  quotas
    .map(({ metadata, status }) => `${metadata?.namespace}/${metadata?.name} ${status?.used?.['pods'] ?? ''}`)
    .toSorted()

const linesOf = (inventory: Inventory): string =>
  JSON.stringify([linesOfPods(inventory.pods), linesOfNodes(inventory), linesOfQuotas(inventory)])

const linesOfPods = (pods: Inventory['pods']): readonly string[] =>
  pods.map(({ namespace, name, node }) => `${namespace}/${name}@${node ?? ''}`).toSorted()

const linesOfNodes = ({ nodes }: Inventory): readonly string[] =>
  nodes.map(({ name, room, schedulable }) => `${name} ${room.cpuUsed} ${room.taints.length} ${schedulable}`).toSorted()

function linesOfQuotas({ quotas }: Inventory): readonly string[] {
  const own = quotas.filter(({ queue }) => queue === undefined)
  const names = [...new Set(own.map(({ id }) => id.split('/').slice(0, 2).join('/')))]
  return names.map((name) => `${name} ${own.find(({ id }) => id === `${name}/pods`)?.used ?? ''}`).toSorted()
}
