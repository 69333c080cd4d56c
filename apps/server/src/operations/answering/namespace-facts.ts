import { allocationsOf, namespaceOf, tellsOfOthers, type Problem } from '@septet/domain'
import { planFiles } from '@septet/plan-files'
import type {
  ClusterFacts,
  ClusterPicture,
  ClusterSize,
  CountedTokens,
  Namespaces,
  WorkloadDetail,
} from '../../facts.ts'

/**
 * What is known of a cluster to a caller who is limited to some namespaces. It is cut down here, before any answer is
 * made of it, so that an operation cannot tell what it has never seen.
 */
export function factsOfNamespaces(facts: ClusterFacts, wanted: readonly string[]): ClusterFacts {
  // An empty name is what nobody holds is kept under.
  const namespaces = [...new Set(wanted)].filter((name) => name !== '').toSorted()
  const picture = (): ClusterPicture | undefined => pictureOf(facts.picture(), namespaces)
  return {
    record: facts.record,
    edition: facts.edition,
    connection() {
      const { problems, ...state } = facts.connection()
      return { ...state, problems: problemsFor(problems, picture()) }
    },
    picture,
    size: () => sizeOf(facts.size(), picture()),
    samples() {
      const gpus = new Set(picture()?.nodes.flatMap((node) => node.gpus.map(({ id }) => id)))
      return new Map([...facts.samples()].filter(([, { gpu }]) => gpus.has(gpu)))
    },
    idle() {
      const theirs = new Set(picture()?.allocations.map(({ partition }) => partition))
      return new Set([...facts.idle()].filter((partition) => theirs.has(partition)))
    },
    targets() {
      const nodes = nodeNames(picture())
      return facts.targets().filter(({ node }) => node !== undefined && nodes.has(node))
    },
    problems: () => problemsFor(facts.problems(), picture()),
    asOf: () => facts.asOf(),
    history: () => facts.history(),
    acting: () => facts.acting(),
    // Its sentences may name anything.
    health: () => undefined,
    // It is for the API server, which asks for everyone.
    admission: () => undefined,
    analysis: (range) => facts.analysis(range, namespaces),
    // A plan speaks of whoever is in its way, so it is never asked for on behalf of some namespaces.
    plan: async () => undefined,
    // Their recommendations have few steps, and the files must not tell how others' GPUs are cut.
    async files(plan) {
      const snapshot = picture()
      return snapshot && planFiles({ plan, snapshot })
    },
    // So do the guardrails.
    outlook: async () => undefined,
    // Anyone who is told of an alert is chosen by its channel, not by who looks.
    judge: async () => [],
    start: ({ jobs }, waiting) => facts.start({ jobs, namespaces }, waiting),
    tokens: async (window) => tokensFor(await facts.tokens(window), namespaces),
    workload: async (id) => (namespaces.includes(namespaceOf(id)) ? workloadFor(await facts.workload(id)) : undefined),
  }
}

/** What their pods counted. A failure may name anything in its words, so it is told in our own. */
function tokensFor(counted: CountedTokens, namespaces: Namespaces): CountedTokens {
  if (counted.kind === 'unread')
    return { kind: 'unread', because: 'Token counters of this cluster could not be read. An admin can see why.' }
  const { rows, workloads, ...served } = counted.served
  return {
    ...counted,
    served: {
      ...served,
      rows: rows.filter(({ namespace }) => namespaces.includes(namespace)),
      workloads: workloads.filter(({ workload }) => namespaces.includes(namespaceOf(workload))),
    },
  }
}

/** Without what is told of other nodes and of the queues that they share with others. */
function workloadFor(detail: WorkloadDetail | undefined): WorkloadDetail | undefined {
  if (detail === undefined) return undefined
  const ways = detail.wait?.ways.filter(({ kind }) => kind === 'quota' || kind === 'volume') ?? []
  return { ...detail, wait: detail.wait && { verdict: undefined, because: [], unknown: [], ways } }
}

/** Pictures that were cut down already: several answers of one page look at the same one. */
const pictures = new WeakMap<ClusterPicture, Map<string, ClusterPicture>>()

function pictureOf(whole: ClusterPicture | undefined, namespaces: Namespaces): ClusterPicture | undefined {
  if (whole === undefined) return undefined
  const known = pictures.get(whole) ?? new Map<string, ClusterPicture>()
  pictures.set(whole, known)
  const key = JSON.stringify(namespaces)
  const picture = known.get(key) ?? cutDown(whole, new Set(namespaces))
  known.set(key, picture)
  return picture
}

/** The GPUs on which they hold something, all of each, and of their holders only those that are theirs. */
function cutDown({ nodes, allocations, workloads }: ClusterPicture, namespaces: ReadonlySet<string>): ClusterPicture {
  const theirs = allocationsOf(allocations, namespaces)
  const held = new Set(theirs.map(({ partition }) => partition))
  const shown = nodes.flatMap((node) => {
    const gpus = node.gpus.filter(({ partitions }) => partitions.some(({ id }) => held.has(id)))
    return gpus.length === 0 ? [] : { ...node, gpus }
  })
  const drawn = new Set(shown.flatMap(({ gpus }) => gpus.flatMap(({ partitions }) => partitions.map(({ id }) => id))))
  const others = allocations.map(({ partition }) => partition).filter((id) => drawn.has(id) && !held.has(id))
  return {
    nodes: shown,
    allocations: theirs,
    workloads: workloads.filter(({ namespace }) => namespaces.has(namespace)),
    heldByOthers: new Set(others),
  }
}

const nodeNames = (picture: ClusterPicture | undefined): ReadonlySet<string> =>
  new Set(picture?.nodes.map(({ name }) => name))

function sizeOf(whole: ClusterSize | undefined, picture: ClusterPicture | undefined): ClusterSize | undefined {
  if (whole === undefined || picture === undefined) return undefined
  const gpus = picture.nodes.reduce((sum, node) => sum + node.gpus.length, 0)
  const devices = new Set(picture.allocations.map(({ partition }) => partition)).size
  return { serverVersion: whole.serverVersion, nodes: picture.nodes.length, gpus, devices }
}

/**
 * Problems of the nodes and GPUs that they are on, word for word. One of another node is not told; one of the cluster may
 * name anything in its words, so it is told in our own.
 */
function problemsFor(problems: readonly Problem[], picture: ClusterPicture | undefined): Problem[] {
  const theirs = new Set(
    picture?.nodes.flatMap(({ name, gpus }) => [`node/${name}`, ...gpus.map(({ id }) => `gpu/${id}`)]),
  )
  const ofTheirs = problems.filter((problem) => theirs.has(problem.object) && !tellsOfOthers(problem))
  const hasOfCluster = problems.some(({ object }) => !theirs.has(object) && !IS_OF_ONE_PLACE.test(object))
  return hasOfCluster ? [...ofTheirs, OF_CLUSTER] : ofTheirs
}

const IS_OF_ONE_PLACE = /^(?:node|gpu|target)\//u

const OF_CLUSTER: Problem = {
  code: 'cluster-problem',
  message:
    'Septet has a problem reading this cluster, so figures may be old or incomplete. An admin can see the details.',
  object: 'cluster',
}
