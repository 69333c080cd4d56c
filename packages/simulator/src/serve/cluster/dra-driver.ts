import { profileOf } from '@septet/domain'

import type { GpuSpec, NodeSpec } from '../../model/fleet.ts'
import { cut, migBoard } from '../../model/hardware.ts'
import { listIn, textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { putStatus, unitsNow, type Demo } from './cluster.ts'
import { refreshNode } from './node-devices.ts'
import { putObject } from './put-object.ts'

const DRIVER = 'gpu.nvidia.com'
const CLAIM = kindNamed('ResourceClaim')
const SLICE = kindNamed('ResourceSlice')

/** Where an instance stands: GPU, profile and first memory slice, as the name of its device tells. */
type Placed = { readonly node: NodeSpec; readonly gpu: GpuSpec; readonly profile: string; readonly start: number }

/**
 * NVIDIA's DRA driver on some nodes: it publishes their GPUs and makes an instance when a claim is allocated. What nobody holds
 * there is cut down to one instance, as if one claim stood. A claim gets its device at once, as if its pod were scheduled.
 */
export function putDra(cluster: Demo, names: readonly string[]): void {
  for (const name of names) {
    const node = cluster.world.node(name)
    if (node === undefined) throw new Error(`the demo has no node ${name}`)
    for (const gpu of node.gpus) keepFirst(cluster, node, gpu)
    refreshNode(cluster, name)
    putSlice(cluster, node)
  }
}

function keepFirst(cluster: Demo, node: NodeSpec, gpu: GpuSpec): void {
  const own = unitsNow(cluster, node.name).filter((unit) => unit.gpu === gpu && unit.instance !== undefined)
  const isHeld = own.some((unit) => cluster.world.holderAt(unit, cluster.now()) !== undefined)
  const [first] = own.flatMap(({ instance }) => instance ?? [])
  if (isHeld || first === undefined) return
  cluster.world.relayout(gpu, node, { layout: [first], at: cluster.now() })
}

const wholeDevice = (node: NodeSpec, { index, uuid }: GpuSpec): JsonObject => ({
  name: `gpu-${index}`,
  attributes: {
    type: { string: 'gpu' },
    uuid: { string: uuid },
    productName: { string: node.hardware.modelName },
  },
})

/** Somebody made or changed a claim: one that has no device yet gets the first place that there is. */
export function draClaimWritten(cluster: Demo, claim: JsonObject): void {
  if (listIn(claim, 'status', 'allocation', 'devices', 'results').length > 0) return
  const [request] = listIn(claim, 'spec', 'devices', 'requests')
  const [selector] = listIn(request, 'exactly', 'selectors')
  const profile = /\.profile == '([^']+)'/u.exec(textIn(selector, 'cel', 'expression'))?.[1]
  const key = keyOf(textIn(claim, 'metadata', 'namespace'), textIn(claim, 'metadata', 'name'))
  const isServed = cluster.store.get(kindNamed('DeviceClass'), textIn(request, 'exactly', 'deviceClassName'))
  if (profile === undefined || isServed === undefined) return
  cluster.agenda.at(cluster.now(), () => {
    const place = freePlace(cluster, profile)
    if (place === undefined) return
    make(cluster, place)
    const device = deviceName(place)
    const results = [{ driver: DRIVER, pool: place.node.name, device, request: textIn(request, 'name') }]
    putStatus(cluster, { kind: CLAIM, key }, { allocation: { devices: { results } } })
  })
}

function freePlace(cluster: Demo, profile: string): Placed | undefined {
  for (const name of draNodes(cluster)) {
    const node = cluster.world.node(name)
    for (const gpu of node?.gpus ?? []) {
      if (node === undefined || !isEmptyMig(cluster, node, gpu)) continue
      const taken = layoutOf(cluster, node, gpu).flatMap(({ placement: { start, size } }) =>
        Array.from({ length: size }, (_, slice) => start + slice),
      )
      const known = profileOf(migBoard(node.hardware), profile)
      const start = known?.starts.find((at) => !taken.some((slice) => slice >= at && slice < at + known.size))
      if (start !== undefined) return { node, gpu, profile, start }
    }
  }
  return undefined
}

const draNodes = (cluster: Demo): readonly string[] =>
  cluster.store.list(SLICE).map((entry) => textIn(entry.read(), 'spec', 'nodeName'))

/** The simulator cuts a GPU as a whole, so it makes instances only where nobody holds one. */
const isEmptyMig = (cluster: Demo, node: NodeSpec, gpu: GpuSpec): boolean => {
  const own = unitsNow(cluster, node.name).filter((unit) => unit.gpu === gpu)
  return own.every((unit) => unit.instance !== undefined && cluster.world.holderAt(unit, cluster.now()) === undefined)
}

const layoutOf = (cluster: Demo, node: NodeSpec, gpu: GpuSpec) =>
  unitsNow(cluster, node.name).flatMap((unit) => (unit.gpu === gpu ? (unit.instance ?? []) : []))

function make(cluster: Demo, { node, gpu, profile, start }: Placed): void {
  const wanted = [
    ...layoutOf(cluster, node, gpu).map((each) => [each.profile, each.placement.start] as const),
    [profile, start] as const,
  ]
  cluster.world.relayout(gpu, node, { layout: cut(migBoard(node.hardware), wanted), at: cluster.now() })
  refreshNode(cluster, node.name)
}

/** `gpu-7-mig-1g10gb-19-4`. */
function deviceName({ node, gpu, profile, start }: Placed): string {
  const id = profileOf(migBoard(node.hardware), profile)?.giProfileId ?? 0
  return `gpu-${gpu.index}-mig-${profile.replaceAll('.', '').replace('+', '-')}-${id}-${start}`
}

function putSlice(cluster: Demo, node: NodeSpec): void {
  const name = `${node.name}-${DRIVER}`
  const spec = {
    driver: DRIVER,
    nodeName: node.name,
    pool: { name: node.name, generation: 1, resourceSliceCount: 1 },
    devices: node.gpus.map((gpu) => wholeDevice(node, gpu)),
  }
  putObject(cluster, SLICE.kind, [{ name, createdAt: Date.UTC(2025, 1, 3, 8) }, { spec }])
}
