import { readManifest } from '@septet/connectors'
import { WHOLE_GPU_RESOURCE, type AskedJob, type ClusterSnapshot } from '@septet/domain'
import { draw, withRequests } from '@septet/domain/testing'

/** Nodes with eight GPUs each. */
export const NODES = 1250

/** Four of five whole GPUs are held; every fifth node is cut. */
export const mixedFleet = (random: () => number): ClusterSnapshot =>
  counted((node, at) => {
    if (node % 5 > 0) return `${H100}  [${random() < 0.8 ? `a/p${at}` : '-'}]`
    return `${A100}  ${CUTS[Math.floor(random() * CUTS.length)] ?? ''}`.replaceAll(/a\/(\w)/gu, `a/$1${at}`)
  })

/** Every device is held but one instance in a hundred, so that one more pod takes a move, or has no way at all. */
export const fullFleet = (random: () => number): ClusterSnapshot =>
  counted((node, at) =>
    node % 2 > 0
      ? `${H100}  [a/p${at}]`
      : `${A100}  [3g.40gb a/x${at}] [3g.40gb ${random() < 0.01 ? '-' : `a/y${at}`}]`,
  )

const H100 = 'H100-80GB-HBM3  cpu=96 memory=900'
const A100 = 'A100-SXM4-80GB  cpu=96 memory=900'
const CUTS = ['[3g.40gb a/x] [3g.40gb a/y]', '[7g.80gb a/z]', '[3g.40gb -] [2g.20gb a/v] [1g.10gb -]']

/** A drawn fleet whose nodes offer what they are cut into. */
function counted(gpu: (node: number, at: number) => string): ClusterSnapshot {
  const lines = Array.from({ length: NODES * 8 }, (_, at) => {
    const node = Math.floor(at / 8)
    return `n${node}  ${gpu(node, at)}`
  })
  const drawn = withRequests(draw`${lines.join('\n')}`)
  return {
    ...drawn,
    nodes: drawn.nodes.map((node) => ({
      ...node,
      room: { ...node.room, cpuUsed: 1000 },
      allocatable: Object.fromEntries(
        Object.entries(
          Object.groupBy(
            node.gpus.flatMap(({ partitions }) => partitions),
            (each) => (each.kind === 'mig' ? `nvidia.com/mig-${each.profile}` : WHOLE_GPU_RESOURCE),
          ),
        ).map(([name, all = []]) => [name, all.length]),
      ),
    })),
  }
}

/** A Deployment for whole GPUs or MIG devices. */
export function drawnDeployment(random: () => number, most: number): readonly AskedJob[] {
  const resource =
    random() < 0.5
      ? WHOLE_GPU_RESOURCE
      : `nvidia.com/mig-${['1g.10gb', '3g.40gb', '7g.80gb'][Math.floor(random() * 3)] ?? ''}`
  const count = resource === WHOLE_GPU_RESOURCE && most > 1 ? 1 + Math.floor(random() * 8) : 1
  const template = {
    spec: { containers: [{ name: 'a', resources: { requests: { cpu: '4' }, limits: { [resource]: String(count) } } }] },
  }
  const job = {
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: 1 + Math.floor(random() * most), template },
  }
  const read = readManifest(JSON.stringify(job), 'a')
  return read.kind === 'read' ? read.jobs : []
}
