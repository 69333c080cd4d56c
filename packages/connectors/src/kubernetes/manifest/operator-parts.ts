import type { JobParts, PodPart } from './pod-part.ts'
import { countIn, isTrue, itemsIn, objectIn, textIn, type Raw } from './raw.ts'

/** Kinds whose operator makes the specification of pods, so that a manifest holds its parts only and no patch is proposed. */
const made = { gang: false, suspend: undefined, isMade: true } as const

/** Pods with a specification that is put together from what the manifest says of them. */
type Outline = Pick<PodPart, 'count' | 'spec'> & Partial<Pick<PodPart, 'metadata'>>
const part = (name: string, outline: Outline): PodPart => ({
  part: name,
  countPath: undefined,
  metadata: {},
  metadataPath: '/metadata',
  path: '/spec',
  ...outline,
})

/** Where pods may run, of the fields of a pod that several kinds take over. */
const placing = (raw: unknown): Raw =>
  Object.fromEntries(
    ['nodeSelector', 'tolerations', 'affinity', 'schedulerName', 'priorityClassName', 'volumes']
      .filter((key) => key in objectIn(raw))
      .map((key) => [key, objectIn(raw)[key]]),
  )

/** Kubeflow Trainer: its nodes are pods of a JobSet that a runtime outlines. */
export function trainJob(raw: Raw): JobParts {
  const nodes = countIn(raw, 'spec', 'trainer', 'numNodes')
  const runtime = textIn(raw, 'spec', 'runtimeRef', 'name')
  const resources = objectIn(raw, 'spec', 'trainer', 'resourcesPerNode')
  const asksHere = Object.keys({ ...objectIn(resources, 'limits'), ...objectIn(resources, 'requests') }).length > 0
  const open = asksHere
    ? `what the runtime ${runtime} adds to its pods is not read`
    : `what its pods ask for is written in the runtime ${runtime}, which is not read`
  return {
    ...made,
    gang: true,
    suspend: isTrue(raw, 'spec', 'suspend') ? '/spec/suspend' : undefined,
    parts: [part('node', { count: nodes ?? 1, spec: { containers: [{ name: 'node', resources }] } })],
    unknown: [
      open,
      ...(nodes === undefined ? [`how many nodes it has is written in the runtime ${runtime}, which is not read`] : []),
    ],
  }
}

/** Argo: a pod for each step that runs a container, when its turn comes. */
export function workflow(raw: Raw, at: readonly string[]): JobParts {
  const spec = objectIn(raw, ...at)
  const templates = itemsIn(spec, 'templates').map((each) => ({
    ...objectIn(spec, 'templateDefaults'),
    ...objectIn(each),
  }))
  const running = templates.filter((each) => 'container' in each || 'script' in each || 'containerSet' in each)
  const parts = running.map((each) => {
    const own = ['container', 'script'].flatMap((key) => (key in each ? [each[key]] : []))
    const containers = [...own, ...itemsIn(each, 'containerSet', 'containers'), ...itemsIn(each, 'sidecars')]
    const tolerations = [...itemsIn(spec, 'tolerations'), ...itemsIn(each, 'tolerations')]
    const pod = {
      ...placing(spec),
      ...placing(each),
      tolerations,
      containers,
      initContainers: itemsIn(each, 'initContainers'),
    }
    return part(textIn(each, 'name'), { count: 1, spec: pod, metadata: objectIn(each, 'metadata') })
  })
  const isAlone = templates.length === 1 && parts.length === 1
  const isPatched = [spec, ...templates].some((each) => textIn(each, 'podSpecPatch') !== '')
  return {
    ...made,
    suspend: isTrue(raw, ...at, 'suspend') ? `/${[...at, 'suspend'].join('/')}` : undefined,
    parts,
    unknown: [
      ...(isAlone ? [] : ['its steps decide when each pod is made, and how often']),
      ...(isPatched ? ['what its podSpecPatch changes is not judged'] : []),
      ...('workflowTemplateRef' in spec ? ['its steps are written in a WorkflowTemplate, which is not read'] : []),
    ],
  }
}

/** Spark: a driver, and executors that it asks for. */
export function sparkApplication(raw: Raw): JobParts {
  const parts = (['driver', 'executor'] as const).map((name) => {
    const own = objectIn(raw, 'spec', name)
    const count = name === 'driver' ? 1 : (countIn(own, 'instances') ?? 1)
    const [gpu, gpus] = [textIn(own, 'gpu', 'name'), countIn(own, 'gpu', 'quantity') ?? 0]
    const cpu = textIn(own, 'coreRequest') || String(countIn(own, 'cores') ?? 1)
    const resources = { requests: { cpu }, limits: gpus === 0 ? {} : { [gpu]: String(gpus) } }
    const pod = { ...placing(objectIn(raw, 'spec')), ...placing(own), containers: [{ name, resources }] }
    const metadata = { labels: objectIn(own, 'labels'), annotations: objectIn(own, 'annotations') }
    return part(name, { count, spec: pod, metadata })
  })
  const isOpen = isTrue(raw, 'spec', 'dynamicAllocation', 'enabled')
  return {
    ...made,
    parts,
    unknown: [
      'how much memory Spark asks for beside what is written is not judged',
      ...(isOpen ? ['Spark decides how many executors it asks for'] : []),
    ],
  }
}

/** NVIDIA Dynamo: the workers of a graph, by service. */
export function dynamoGraph(raw: Raw): JobParts {
  const services = Object.entries(objectIn(raw, 'spec', 'services'))
  const found = services.map(([name, service]) => {
    const nodes = countIn(service, 'multinode', 'nodeCount') ?? 1
    const extra = objectIn(service, 'extraPodSpec')
    const main = { ...objectIn(extra, 'mainContainer'), ...resourcesOf(service) }
    const containers = [main, ...itemsIn(extra, 'containers')]
    const metadata = { labels: objectIn(service, 'labels'), annotations: objectIn(service, 'annotations') }
    const count = (countIn(service, 'replicas') ?? 1) * nodes
    return { nodes, part: part(name, { count, spec: { ...extra, containers }, metadata }) }
  })
  return {
    ...made,
    parts: found.map((each) => each.part),
    unknown: found.some(({ nodes }) => nodes > 1)
      ? ['Dynamo lets another scheduler start its nodes together, by rules that Septet does not know']
      : [],
  }
}

/** `gpu` stands for a resource, which is NVIDIA's unless it says another; a request of it alone is its limit too. */
function resourcesOf(service: unknown): Raw {
  const amountsIn = (list: 'limits' | 'requests'): Raw => {
    const { gpu, gpuType, custom, ...amounts } = objectIn(service, 'resources', list)
    const device = typeof gpuType === 'string' && gpuType !== '' ? gpuType : 'nvidia.com/gpu'
    return { ...amounts, ...objectIn(custom), ...(gpu === undefined ? {} : { [device]: gpu }) }
  }
  const [limits, requests] = [amountsIn('limits'), amountsIn('requests')]
  const devices = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes('/')))
  const isSaid = Object.keys({ ...limits, ...requests }).length > 0
  return isSaid ? { resources: { limits: { ...devices, ...limits }, requests } } : {}
}
