import { profileOf, type Board } from '../../gpu/board.ts'
import { maximalLayouts } from '../../gpu/enumerate-layouts.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { geometryOf, type Geometry, type Layout } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import type { GpuNow, InstanceNow, ReconfigureProblem } from './reconfigure-problem.ts'

/** GPUs of one class with the same instances, held alike: for planning they are one GPU, so many times. */
export type GpuState = {
  readonly supplyClass: string
  readonly gpus: readonly GpuNow[]
  /** What each of them can become. The first one puts it out of use. */
  readonly options: readonly StateOption[]
}

/** One thing that a GPU can become, and what it costs. */
export type StateOption = {
  /** For mig-manager only its geometry counts: the driver chooses the starts. */
  readonly layout: Layout
  readonly geometry: Geometry
  /** Pods that must leave. */
  readonly displaced: number
  /** 1 when the GPU holds something afterwards. */
  readonly used: 0 | 1
}

/** The states of a fleet, by class and layout. */
export function gpuStates({ gpus, demands }: ReconfigureProblem): GpuState[] {
  const groups = Map.groupBy(gpus, stateKey)
  const wanted = new Map<string, Set<ProfileName>>()
  const want = (supplyClass: string, profile: ProfileName): void => {
    wanted.set(supplyClass, (wanted.get(supplyClass) ?? new Set()).add(profile))
  }
  for (const { supplyClass, instances } of gpus) {
    for (const { profile, pod } of instances) if (pod !== undefined) want(supplyClass, profile)
  }
  for (const { supplyClass, profile } of demands.flatMap(({ fits }) => fits)) want(supplyClass, profile)
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, members]) => {
      const [first] = members
      if (first === undefined) return []
      const options = optionsOf(first, [...(wanted.get(first.supplyClass) ?? [])].toSorted())
      return [
        {
          supplyClass: first.supplyClass,
          gpus: members.toSorted((a, b) => compareText(a.gpu, b.gpu)),
          options,
        },
      ]
    })
}

const stateKey = ({ supplyClass, board, actuator, instances }: GpuNow): string =>
  [
    supplyClass,
    board.key,
    actuator,
    ...instances
      .map(({ profile, placement, pod, movable }) => `${profile}@${placement.start}${holding(pod, movable)}`)
      .toSorted(),
  ].join(' ')

const holding = (pod: string | undefined, movable: boolean): string => (pod === undefined ? '-' : movable ? '+' : '!')

/**
 * What a GPU can become: out of use, as it is, and every undominated geometry of the profiles that matter, each under the
 * placement that keeps most. Undominated ones are enough, because room that nobody takes does no harm.
 */
function optionsOf(gpu: GpuNow, names: readonly ProfileName[]): StateOption[] {
  const held = gpu.instances.filter(({ pod }) => pod !== undefined)
  const vacated: StateOption = {
    layout: gpu.actuator === 'dra' ? [] : gpu.instances.map(bare),
    geometry: {},
    displaced: held.length,
    used: 0,
  }
  const options = gpu.actuator === 'dra' ? optionsPerInstance(gpu, names, held) : optionsWhole(gpu, names, held)
  const fixed = held.some(({ movable }) => !movable)
  return fixed ? [{ ...vacated, displaced: Infinity }, ...options] : [vacated, ...options]
}

/** DRA: an instance stays when the same profile stays at the same start. */
function optionsPerInstance(gpu: GpuNow, names: readonly ProfileName[], held: readonly InstanceNow[]): StateOption[] {
  const best = new Map<string, StateOption>()
  const seats = held.map(({ profile, placement, movable }) => ({ place: `${profile}@${placement.start}`, movable }))
  for (const { layout, geometry, key, places } of undominatedLayouts(gpu.board, names)) {
    const lost = seats.filter(({ place }) => !places.has(place))
    if (lost.some(({ movable }) => !movable)) continue
    const known = best.get(key)
    if (known !== undefined && known.displaced <= lost.length) continue
    best.set(key, { layout, geometry, displaced: lost.length, used: 1 })
  }
  return [...best.values()]
}

/** mig-manager: a GPU whose geometry stays is left alone; any other is emptied and cut again. */
function optionsWhole(gpu: GpuNow, names: readonly ProfileName[], held: readonly InstanceNow[]): StateOption[] {
  const now = gpu.instances.map(bare)
  const stay: StateOption = { layout: now, geometry: geometryOf(now), displaced: 0, used: 1 }
  if (held.some(({ movable }) => !movable)) return [stay]
  const others = new Map<string, StateOption>()
  for (const { layout, geometry, key } of undominatedLayouts(gpu.board, names)) {
    if (key === JSON.stringify(stay.geometry) || others.has(key)) continue
    const arranged =
      inferPlacements(
        gpu.board,
        layout.map(({ profile }) => profile),
      ) ?? layout
    others.set(key, { layout: arranged, geometry, displaced: held.length, used: 1 })
  }
  return [stay, ...others.values()]
}

const bare = ({ profile, placement }: InstanceNow) => ({ profile, placement })

type KnownLayout = {
  readonly layout: Layout
  readonly geometry: Geometry
  /** The geometry as text. */
  readonly key: string
  /** `profile@start` of each instance. */
  readonly places: ReadonlySet<string>
}

const known = new WeakMap<Board, Map<string, readonly KnownLayout[]>>()

function undominatedLayouts(board: Board, names: readonly ProfileName[]): readonly KnownLayout[] {
  const ofBoard = known.get(board) ?? new Map<string, readonly KnownLayout[]>()
  known.set(board, ofBoard)
  const name = names.join(' ')
  const before = ofBoard.get(name)
  if (before !== undefined) return before
  const profiles = [...new Set(names.map((each) => profileOf(board, each)).filter((each) => each !== undefined))]
  const layouts = maximalLayouts(board, profiles).map((layout): KnownLayout => {
    const geometry = geometryOf(layout)
    const places = new Set(layout.map(({ profile, placement }) => `${profile}@${placement.start}`))
    return { layout, geometry, key: JSON.stringify(geometry), places }
  })
  ofBoard.set(name, layouts)
  return layouts
}
