import { geometryOf, type Layout, type PlacedInstance } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import type { StateOption } from './gpu-states.ts'
import type { GpuNow, InstanceNow, PlannedMove, Reconfiguration, MoveRoom } from './reconfigure-problem.ts'
import type { ReconfigureModel } from './reconfigure-program.ts'

type Found = Extract<Reconfiguration, { kind: 'found' }>

/** Turns counts (GPUs of a state → option) into GPUs with layouts, pods with rooms, and rooms for new demand. */
export function concreteAnswer(
  model: ReconfigureModel,
  { values, bounds, unproven }: Pick<Found, 'bounds' | 'unproven'> & { readonly values: readonly number[] },
): Reconfiguration {
  const chosen = chosenOptions(model, values)
  const demand = model.rooms.flatMap((room, index) =>
    Array.from({ length: values[model.choices.length + index] ?? 0 }, () => room),
  )
  revertIdleChanges(chosen, demand)
  const slots = freeSlots(chosen)
  const displaced = chosen.flatMap((each) => lostInstances(each).map((instance) => ({ gpu: each.gpu, instance })))
  const moves: PlannedMove[] = []
  for (const { gpu, instance } of displaced) {
    const slot = takeSlot(slots, gpu.supplyClass, instance.profile)
    if (slot === undefined) return { kind: 'unknown', because: `no room is left for ${instance.pod}` }
    const to = { gpu: slot.gpu, profile: instance.profile }
    moves.push({ pod: instance.pod ?? '', from: instance.partition, to, instance: slot.instance })
  }
  const rooms: MoveRoom[] = []
  for (const { demand: id, supplyClass, profile } of demand) {
    const slot = takeSlot(slots, supplyClass, profile)
    if (slot === undefined) return { kind: 'unknown', because: `no room is left for ${id}` }
    rooms.push({ demand: id, gpu: slot.gpu, instance: slot.instance })
  }
  const layouts = finalLayouts(chosen, slots)
  const targets = chosen
    .filter((each) => changes(each.gpu, layouts.get(each.gpu.gpu) ?? []))
    .map(({ gpu }) => ({ gpu: gpu.gpu, migEnabled: true, layout: layouts.get(gpu.gpu) ?? [] }))
  const busy = new Set([...moves.map(({ to }) => to.gpu), ...rooms.map(({ gpu }) => gpu)])
  for (const each of chosen) if (heldOf(each.gpu).length > lostInstances(each).length) busy.add(each.gpu.gpu)
  return { kind: 'found', targets, moves, rooms, displaced: moves.length, gpus: busy.size, bounds, unproven }
}

type Chosen = { readonly gpu: GpuNow; option: StateOption }

function chosenOptions({ choices }: ReconfigureModel, values: readonly number[]): Chosen[] {
  const taken = new Map<GpuNow[] | readonly GpuNow[], number>()
  const chosen: Chosen[] = []
  for (const [index, { state, option }] of choices.entries()) {
    const from = taken.get(state.gpus) ?? 0
    const to = from + (values[index] ?? 0)
    chosen.push(...state.gpus.slice(from, to).map((gpu) => ({ gpu, option })))
    taken.set(state.gpus, to)
  }
  return chosen.toSorted((a, b) => compareText(a.gpu.gpu, b.gpu.gpu))
}

/** A GPU cut again by mig-manager for nobody stays as it is. */
function revertIdleChanges(chosen: Chosen[], demand: readonly { supplyClass: string; profile: string }[]): void {
  const spare = new Map<string, number>()
  const add = (supplyClass: string, layout: Layout, sign: number): void => {
    for (const { profile } of layout) {
      const key = `${supplyClass}\n${profile}`
      spare.set(key, (spare.get(key) ?? 0) + sign)
    }
  }
  for (const { gpu, option } of chosen) {
    if (option.used === 1) add(gpu.supplyClass, option.layout, 1)
    add(gpu.supplyClass, heldOf(gpu), -1)
  }
  for (const { supplyClass, profile } of demand) add(supplyClass, [{ profile, placement: { start: 0, size: 0 } }], -1)
  for (const each of chosen) {
    const { gpu, option } = each
    if (gpu.actuator === 'dra' || option.used === 0 || !changes(gpu, option.layout)) continue
    const now = gpu.instances.map(bare)
    add(gpu.supplyClass, option.layout, -1)
    add(gpu.supplyClass, now, 1)
    if ([...spare.values()].every((count) => count >= 0)) {
      each.option = { layout: now, geometry: geometryOf(now), displaced: 0, used: 1 }
    } else {
      add(gpu.supplyClass, now, -1)
      add(gpu.supplyClass, option.layout, 1)
    }
  }
}

const bare = ({ profile, placement }: PlacedInstance): PlacedInstance => ({ profile, placement })
const heldOf = (gpu: GpuNow): InstanceNow[] => gpu.instances.filter(({ pod }) => pod !== undefined)
const place = ({ profile, placement }: PlacedInstance): string => `${profile}@${placement.start}`

/** Whether the actuator has anything to do: mig-manager compares counts, DRA compares placements. */
function changes({ actuator, instances }: GpuNow, layout: Layout): boolean {
  if (actuator === 'mig-manager') return JSON.stringify(geometryOf(instances)) !== JSON.stringify(geometryOf(layout))
  return instances.map(place).toSorted().join(' ') !== layout.map(place).toSorted().join(' ')
}

function lostInstances({ gpu, option }: Chosen): InstanceNow[] {
  const held = heldOf(gpu)
  if (option.used === 0) return held
  if (gpu.actuator === 'mig-manager') return changes(gpu, option.layout) ? held : []
  const kept = new Set(option.layout.map(place))
  return held.filter((instance) => !kept.has(place(instance)))
}

type Slot = { readonly gpu: string; readonly instance: PlacedInstance }

/** Instances of the new layouts that nobody keeps, by class and profile; those that are there already come first. */
function freeSlots(chosen: readonly Chosen[]): Map<string, Slot[]> {
  const slots: (Slot & { readonly key: string; readonly later: number })[] = chosen.flatMap((each) => {
    const { gpu, option } = each
    if (option.used === 0) return []
    const lost = new Set(lostInstances(each).map(place))
    const kept = new Set(
      heldOf(gpu)
        .map(place)
        .filter((held) => !lost.has(held)),
    )
    // Room on a GPU that stays as it is can be had at once; on others pods must leave first.
    const later = changes(gpu, option.layout) ? heldOf(gpu).length + 1 : 0
    const layout =
      gpu.actuator === 'mig-manager' && !changes(gpu, option.layout) ? gpu.instances.map(bare) : option.layout
    return layout
      .filter((instance) => !kept.has(place(instance)))
      .map((instance) => ({ gpu: gpu.gpu, instance, later, key: `${gpu.supplyClass}\n${instance.profile}` }))
  })
  return Map.groupBy(
    slots.toSorted(
      (a, b) =>
        a.later - b.later || compareText(a.gpu, b.gpu) || a.instance.placement.start - b.instance.placement.start,
    ),
    ({ key }) => key,
  )
}

const takeSlot = (slots: Map<string, Slot[]>, supplyClass: string, profile: string): Slot | undefined =>
  slots.get(`${supplyClass}\n${profile}`)?.shift()

/** DRA makes no instance that nobody wants; what mig-manager cuts, it cuts for everyone who comes. */
function finalLayouts(chosen: readonly Chosen[], unused: ReadonlyMap<string, readonly Slot[]>): Map<string, Layout> {
  const left = new Set([...unused.values()].flat().map(({ gpu, instance }) => `${gpu}\n${place(instance)}`))
  return new Map(
    chosen.map(({ gpu, option }) => {
      const layout =
        gpu.actuator === 'dra' ? option.layout.filter((each) => !left.has(`${gpu.gpu}\n${place(each)}`)) : option.layout
      return [gpu.gpu, layout.toSorted((a, b) => a.placement.start - b.placement.start)] as const
    }),
  )
}
