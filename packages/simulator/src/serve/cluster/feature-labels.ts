import { boardFor, productOf, profileOf, type MigProfile } from '@septet/domain'
import type { SlotSharing, Unit } from '../../model/slots.ts'
import type { NodeSpec } from '../../model/fleet.ts'

type Labels = Record<string, string>

/** The labels that GPU feature discovery writes for a node whose GPUs are cut into these units. */
export function featureLabels(node: NodeSpec, units: readonly Unit[]): Labels {
  const { hardware, driver } = node
  const [major = '', minor = '', revision = ''] = driver.split('.')
  const migCapable = boardFor(hardware.modelName) !== undefined
  return {
    'nvidia.com/gpu.present': 'true',
    'nvidia.com/gpu.machine': hardware.machine,
    'nvidia.com/gpu.family': hardware.family,
    'nvidia.com/gpu.mode': 'compute',
    'nvidia.com/gpu.compute.major': String(hardware.compute[0]),
    'nvidia.com/gpu.compute.minor': String(hardware.compute[1]),
    'nvidia.com/cuda.driver-version.full': driver,
    'nvidia.com/cuda.driver-version.major': major,
    'nvidia.com/cuda.driver-version.minor': minor,
    'nvidia.com/cuda.driver-version.revision': revision,
    'nvidia.com/cuda.runtime-version.full': '13.0',
    'nvidia.com/cuda.runtime-version.major': '13',
    'nvidia.com/cuda.runtime-version.minor': '0',
    'nvidia.com/gfd.timestamp': String(Math.floor(node.createdAt / 1000)),
    'nvidia.com/mig.capable': String(migCapable),
    'nvidia.com/mig.strategy': strategyOf(node, migCapable),
    // Said of nodes that are shared so, not of those that could be.
    'nvidia.com/mps.capable': String(units[0]?.sharing?.kind === 'mps'),
    ...inventory(node, units),
  }
}

const strategyOf = (node: NodeSpec, capable: boolean): string =>
  node.offer.kind === 'single' ? 'single' : capable ? 'mixed' : 'none'

function inventory(node: NodeSpec, units: readonly Unit[]): Labels {
  const cut = units.filter((unit) => unit.instance !== undefined)
  if (cut.length === 0) return wholeLabels(node, units[0]?.sharing)
  return node.offer.kind === 'single' ? singleLabels(node, cut, units) : mixedLabels(node, cut, units)
}

const countLabels = (
  product: string,
  of: { count: number; memory: number; replicas: number; sharing: string },
): Labels => ({
  'nvidia.com/gpu.product': product,
  'nvidia.com/gpu.count': String(of.count),
  'nvidia.com/gpu.memory': String(of.memory),
  'nvidia.com/gpu.replicas': String(of.replicas),
  'nvidia.com/gpu.sharing-strategy': of.sharing,
})

function wholeLabels({ hardware, gpus }: NodeSpec, sharing: SlotSharing | undefined): Labels {
  return countLabels(`${productOf(hardware.modelName)}${sharing === undefined ? '' : '-SHARED'}`, {
    count: gpus.length,
    memory: hardware.memoryMib,
    replicas: sharing?.replicas ?? 1,
    sharing: sharing?.kind ?? 'none',
  })
}

function singleLabels(node: NodeSpec, cut: readonly Unit[], units: readonly Unit[]): Labels {
  const product = productOf(node.hardware.modelName)
  const profiles = new Set(cut.map((unit) => unit.instance?.profile))
  const perGpu = new Set(node.gpus.map((gpu) => cut.filter((unit) => unit.gpu === gpu).length))
  const [first] = cut
  const profile = first === undefined ? undefined : profileOn(node, first)
  // One strategy for the whole node asks for one geometry on all of its GPUs.
  if (profiles.size !== 1 || perGpu.size !== 1 || cut.length !== units.length || profile === undefined) {
    return countLabels(`${product}-MIG-INVALID`, { count: 0, memory: 0, replicas: 0, sharing: 'none' })
  }
  return {
    ...countLabels(`${product}-MIG-${profile.name}`, {
      count: cut.length,
      memory: first?.memoryMib ?? 0,
      replicas: 1,
      sharing: 'none',
    }),
    ...sizeLabels('nvidia.com/gpu', profile),
  }
}

function mixedLabels(node: NodeSpec, cut: readonly Unit[], units: readonly Unit[]): Labels {
  const { hardware } = node
  const product = productOf(hardware.modelName)
  const whole = countLabels(product, {
    count: node.gpus.length,
    memory: hardware.memoryMib,
    replicas: cut.length === units.length ? 0 : 1,
    sharing: 'none',
  })
  const byProfile = Map.groupBy(cut, (unit) => unit.instance?.profile ?? '')
  return [...byProfile].reduce<Labels>((labels, [name, all]) => {
    const prefix = `nvidia.com/mig-${name.replaceAll('+', '.')}`
    const [first] = all
    const profile = first === undefined ? undefined : profileOn(node, first)
    return {
      ...labels,
      [`${prefix}.product`]: `${product}-MIG-${name}`,
      [`${prefix}.count`]: String(all.length),
      [`${prefix}.replicas`]: '1',
      [`${prefix}.sharing-strategy`]: 'none',
      [`${prefix}.memory`]: String(first?.memoryMib ?? 0),
      ...(profile === undefined ? {} : sizeLabels(prefix, profile)),
    }
  }, whole)
}

const sizeLabels = (prefix: string, profile: MigProfile): Labels => ({
  ...(profile.multiprocessors === undefined ? {} : { [`${prefix}.multiprocessors`]: String(profile.multiprocessors) }),
  [`${prefix}.slices.gi`]: String(profile.computeSlices),
  [`${prefix}.slices.ci`]: String(profile.computeSlices),
  [`${prefix}.engines.copy`]: String(profile.computeSlices),
  [`${prefix}.engines.decoder`]: String(Math.floor(profile.computeSlices / 2)),
  [`${prefix}.engines.encoder`]: '0',
  [`${prefix}.engines.jpeg`]: profile.computeSlices === 7 ? '1' : '0',
  [`${prefix}.engines.ofa`]: profile.computeSlices === 7 ? '1' : '0',
})

function profileOn(node: NodeSpec, unit: Unit): MigProfile | undefined {
  const board = boardFor(node.hardware.modelName)
  return board === undefined || unit.instance === undefined ? undefined : profileOf(board, unit.instance.profile)
}
