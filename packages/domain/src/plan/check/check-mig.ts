import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { holdersOf, unplacedPods, type Fleet } from '../../fleet/fleet.ts'
import { boardOf, cutOf, isSameCut, isServedByDra, whyNoCuts } from '../../fleet/gpu-state.ts'
import { profileOf, otherSpellings, type Board } from '../../gpu/board.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { boardFor, spelledOn } from '../../gpu/known-boards.ts'
import { geometryOf, type Geometry } from '../../gpu/layout.ts'
import { migSupport } from '../../gpu/mig-support.ts'
import { baseProfile, resourceOfProfile } from '../../gpu/profile-name.ts'
import { entryFor, namesOf, type MigEntry } from '../documents/mig-entry.ts'
import { strategyMisfit, whyNoBoard } from '../guardrail/fits-board.ts'
import { nodeFit, type NodeFit } from './config-check.ts'

type Cut = { readonly migEnabled: boolean; readonly geometry: Geometry }

/** What a mig-parted configuration would do on a node; undefined where it says nothing of the node's GPUs. */
export function migFit(entries: readonly MigEntry[], node: GpuNode, fleet: Fleet): NodeFit | undefined {
  if (node.gpus.length > 0 && node.gpus.every((gpu) => entryFor(entries, gpu) === undefined)) return undefined
  const closed = whyNodeUnknown(node)
  // That holds for every configuration, so it is no reason to tell each of a hundred.
  if (closed !== undefined) return nodeFit('unknown', [closed], { foreign: true })
  const flaws = node.gpus.flatMap((gpu) => flawOf(gpu, entryFor(entries, gpu), node) ?? [])
  if (flaws.length === 0) return cutFit(entries, node, fleet)
  const misfits = flaws.filter(({ kind }) => kind !== 'unknown')
  const told = [...new Set((misfits.length > 0 ? misfits : flaws).map(({ words }) => words))]
  const foreign = misfits.every(({ kind }) => kind === 'foreign')
  return misfits.length > 0 ? nodeFit('misfit', told, { foreign }) : nodeFit('unknown', told)
}

/** Why nothing can be told of a node whatever it would become. */
export function whyNodeUnknown(node: GpuNode): string | undefined {
  if (isServedByDra(node)) return 'a DRA driver serves its GPUs, so this is not what decides there'
  if (node.gpus.length === 0) return 'its GPUs are not seen'
  return node.ready ? undefined : 'the node is not ready'
}

type Flaw = { readonly kind: 'misfit' | 'foreign' | 'unknown'; readonly words: string }

/** What keeps a GPU from becoming what its entry says, or from being judged. */
function flawOf(gpu: Gpu, entry: MigEntry | undefined, node: GpuNode): Flaw | undefined {
  if (entry === undefined || !entry.migEnabled) return undefined
  const board = boardOf(gpu)
  if (board === undefined) return boardlessFlaw(gpu, entry.geometry)
  const names = namesOf(entry.geometry)
  const divided = names.find((name) => baseProfile(name) !== name)
  if (divided !== undefined && profileOf(board, baseProfile(divided)) !== undefined)
    return { kind: 'unknown', words: 'it divides GPU instances into compute instances, of which no table is published' }
  const verdict = arrange(board, names)
  if (verdict.kind === 'feasible') return undefined
  const strange = names.find((name) => profileOf(board, name) === undefined)
  if (strange === undefined) return { kind: 'misfit', words: verdict.because }
  return spellingFlaw(gpu, strange, node) ?? { kind: 'foreign', words: verdict.because }
}

/** Of a board without placements its menu is known at best. */
function boardlessFlaw(gpu: Gpu, geometry: Geometry): Flaw {
  const words = whyNoBoard(gpu)
  const support = gpu.model === undefined ? undefined : migSupport(gpu.model)
  if (support?.kind === 'none') return { kind: 'foreign', words }
  const menu = support?.kind === 'ask-node' ? support.menu : undefined
  const strange = menu && Object.keys(geometry).find((name) => !menu.profiles.some((profile) => profile.name === name))
  return strange === undefined
    ? { kind: 'unknown', words }
    : { kind: 'foreign', words: `${gpu.model} has no profile ${strange}` }
}

/** Where another driver of the same board has the name: whether this one does is known once it has shown a name of its own. */
function spellingFlaw(gpu: Gpu, name: string, { gpus, allocatable }: GpuNode): Flaw | undefined {
  const full = gpu.model === undefined ? undefined : boardFor(gpu.model)
  const spelled = full && spelledOn(full, gpu.olderNames === true, name)
  if (full === undefined || spelled === undefined) return undefined
  return gpu.olderNames === true || hasShownNames(full, { gpus, allocatable })
    ? { kind: 'misfit', words: `this driver's name for ${name} is ${spelled}: write that` }
    : {
        kind: 'unknown',
        words: `drivers call the same profile ${name} or ${spelled}, and which one this driver takes is unknown: run nvidia-smi mig -lgip there`,
      }
}

const hasShownNames = (full: Board, { gpus, allocatable }: Pick<GpuNode, 'gpus' | 'allocatable'>): boolean =>
  full.profiles.some(
    ({ name }) =>
      otherSpellings(full, name).length > 0 &&
      (resourceOfProfile(name) in allocatable ||
        gpus.some(({ partitions }) => partitions.some((each) => each.kind === 'mig' && each.profile === name))),
  )

/** A node whose GPUs can each become what they should: as a whole, and with who uses them now. */
function cutFit(entries: readonly MigEntry[], node: GpuNode, fleet: Fleet): NodeFit {
  const changes = node.gpus.map((gpu) => ({ gpu, from: cutNow(gpu), to: entryFor(entries, gpu) }))
  const because = strategyMisfit(
    node,
    changes.flatMap(({ from, to = from }) => (to === undefined ? [] : { to })),
  )
  if (because !== undefined) return nodeFit('misfit', [`it ${because}`])
  const changing = changes.filter(
    ({ gpu, from, to }) => to !== undefined && (from === undefined || !isSameCut(gpu, from, to)),
  )
  if (changing.length === 0) return nodeFit('already')
  const closed = changing.some(({ from }) => from === undefined) ? 'how a GPU is cut now is unknown' : whyNoCuts(node)
  if (closed !== undefined) return nodeFit('unknown', [closed])
  return useFit(
    changing.map(({ gpu }) => gpu),
    node,
    fleet,
  )
}

/** How a GPU is cut. */
export function cutNow(gpu: Gpu): Cut | undefined {
  const cut = cutOf(gpu)
  return cut && { migEnabled: cut.migEnabled, geometry: geometryOf(cut.layout) }
}

/** mig-manager evicts nobody, and cannot change a GPU that is in use. */
export function useFit(gpus: readonly Gpu[], { name }: GpuNode, fleet: Fleet): NodeFit {
  const unplaced = unplacedPods(fleet, name).map(({ id }) => id)
  const pods = [...new Set([...gpus.flatMap((gpu) => holdersOf(fleet, gpu)), ...unplaced])]
  const unrequested = gpus.some(({ unrequestedSince }) => unrequestedSince !== undefined)
  const because = [
    ...(pods.length > 0 ? ['pods use GPUs that change; they are not evicted, so stop them first'] : []),
    ...(unplaced.length > 0 ? ['which GPU some of them hold is unknown'] : []),
    ...(unrequested ? ['something uses a GPU that changes, and no pod is known to hold it'] : []),
  ]
  return nodeFit(because.length === 0 ? 'fits' : 'in-use', because, { pods })
}
