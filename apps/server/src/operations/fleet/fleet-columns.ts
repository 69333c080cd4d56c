import { createHash } from 'node:crypto'

import {
  BlockSchema,
  GpuViewSchema,
  type BlockView,
  type FleetFrame,
  type FleetNow,
  type GpuView,
} from '@septet/contract'

/** A node with its GPUs as slice bars. */
export type FleetNodeRow = {
  readonly name: string
  readonly pool: string
  readonly ready: boolean
  readonly gpus: readonly GpuView[]
}

export type FleetColumns = { readonly revision: string; readonly frame: FleetFrame; readonly now: FleetNow }

/** The slice bars of a fleet in columns; `tenantOf` names whom a holder (`namespace/Kind/name`) belongs to. */
export function fleetColumns(
  nodes: readonly FleetNodeRow[],
  tenantOf: (holder: string) => string | undefined,
): FleetColumns {
  const gpus = nodes.flatMap((node) => node.gpus)
  const blocks = gpus.flatMap((gpu) => gpu.blocks)
  const frame = frameOf(nodes, gpus, blocks)
  return { revision: revisionOf(frame), frame, now: nowOf({ nodes, gpus, blocks }, tenantOf) }
}

function frameOf(
  nodes: readonly FleetNodeRow[],
  gpus: readonly GpuView[],
  blocks: readonly BlockView[],
): FleetColumns['frame'] {
  const models = namesOnce()
  const pools = namesOnce()
  const profiles = namesOnce()
  const columns = {
    nodes: { name: nodes.map(({ name }) => name), pool: nodes.map(({ pool }) => pools.position(pool)) },
    gpus: {
      id: gpus.map(({ id }) => id),
      node: nodes.flatMap((node, position) => node.gpus.map(() => position)),
      index: gpus.map(({ index }) => index),
      model: gpus.map(({ model }) => models.position(model)),
      mode: gpus.map(({ mode }) => MODES.indexOf(mode)),
      slots: gpus.map(({ slots }) => slots),
      blocks: gpus.map((gpu) => gpu.blocks.length),
    },
    blocks: {
      start: blocks.map(({ start }) => start),
      size: blocks.map(({ size }) => size),
      profile: blocks.map(({ profile }) => profiles.position(profile)),
      placement: blocks.map(({ placement }) => PLACEMENTS.indexOf(placement)),
    },
  }
  return { models: models.names, pools: pools.names, profiles: profiles.names, ...columns }
}

type Shown = {
  readonly nodes: readonly FleetNodeRow[]
  readonly gpus: readonly GpuView[]
  readonly blocks: readonly BlockView[]
}

function nowOf({ nodes, gpus, blocks }: Shown, tenantOf: (holder: string) => string | undefined): FleetColumns['now'] {
  const holders = namesOnce()
  const tenants = namesOnce()
  const reasons = namesOnce()
  const columns = {
    kind: blocks.map(({ kind }) => KINDS.indexOf(kind)),
    busy: blocks.map(({ busy }) => (busy === null ? -1 : Math.round(busy * 1000))),
    holder: blocks.map(({ holder }) => holders.position(holder)),
    reason: blocks.map(({ because }) => reasons.position(because)),
  }
  return {
    holders: holders.names,
    holderTenant: holders.names.map((holder) => tenants.position(tenantOf(holder) ?? null)),
    tenants: tenants.names,
    reasons: reasons.names,
    notReady: nodes.flatMap(({ ready }, position) => (ready ? [] : [position])),
    faults: gpus.flatMap(({ fault }, gpu) => (fault === null ? [] : [{ ...fault, gpu }])),
    blocks: columns,
  }
}

const MODES = GpuViewSchema.shape.mode.options
const KINDS = BlockSchema.shape.kind.options
const PLACEMENTS = BlockSchema.shape.placement.options

/** Collects names, each once, and tells their positions; -1 for none. */
function namesOnce(): { readonly names: string[]; position(name: string | null): number } {
  const names: string[] = []
  const positions = new Map<string, number>()
  return {
    names,
    position(name) {
      if (name === null) return -1
      const known = positions.get(name)
      if (known !== undefined) return known
      positions.set(name, names.length)
      return names.push(name) - 1
    },
  }
}

const revisionOf = (frame: FleetFrame): string =>
  createHash('sha1').update(JSON.stringify(frame)).digest('base64url').slice(0, 16)
