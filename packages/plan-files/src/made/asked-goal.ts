import { Refusal, type PlanGoal } from '@septet/contract'
import {
  boardFor,
  instant,
  isFeasible,
  profileOf,
  seconds,
  SECONDS_PER_HOUR,
  type AppointmentAsk,
  type Board,
  type FleetGoal,
  type Gpu,
  type GpuNode,
  type GpuTarget,
  type Layout,
} from '@septet/domain'

type AskedOf<Kind extends PlanGoal['kind']> = Extract<PlanGoal, { readonly kind: Kind }>

/** A goal as faces ask for it, in the planner's terms. Throws a `Refusal` for a layout that these nodes cannot have. */
export function askedGoal(goal: PlanGoal, nodes: readonly GpuNode[]): FleetGoal {
  if (goal.kind === 'layout') {
    const gpus = new Map(nodes.flatMap((node) => node.gpus.map((gpu) => [gpu.id, gpu])))
    return { kind: 'layout', targets: goal.targets.map((target) => targetOf(target, gpus.get(target.gpu))) }
  }
  if (goal.kind === 'appointment') return { kind: 'appointment', ask: appointmentAsk(goal) }
  return told(goal)
}

export const appointmentAsk = ({
  at,
  hours,
  longestHours,
  gpus,
  perNode,
  except,
  ...where
}: Omit<AskedOf<'appointment'>, 'kind'>): AppointmentAsk => ({
  gpus,
  perNode,
  except,
  at: instant(Date.parse(at)),
  length: lengthOf(hours),
  ...told({ profile: where.profile, model: where.model, pool: where.pool, namespace: where.namespace }),
  ...(longestHours !== undefined && { longest: lengthOf(longestHours) }),
})

const lengthOf = (hours: number) => seconds(Math.round(hours * SECONDS_PER_HOUR))

type Told<Given> = { [Key in keyof Given]: Exclude<Given[Key], undefined> }

/** Without what is left open. */
const told = <Given extends object>(given: Given): Told<Given> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined is not there any more
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Told<Given>

type Target = AskedOf<'layout'>['targets'][number]

/** A wished layout at real sizes, or a refusal that says which of its wishes the board does not allow. */
function targetOf({ gpu: id, mig, instances }: Target, gpu: Gpu | undefined): GpuTarget {
  if (gpu === undefined) {
    throw new Refusal(
      'not-found',
      `There is no GPU "${id}" in this cluster now.`,
      'List the partitions to see its GPUs.',
    )
  }
  const board = gpu.model === undefined ? undefined : boardFor(gpu.model)
  const layout = board === undefined ? [] : layoutOn(board, instances)
  const flaw = flawOf({ mig, instances, board, layout })
  if (flaw === undefined) return { gpu: id, migEnabled: mig, layout }
  throw new Refusal('invalid-input', `GPU ${id}: ${flaw}.`, 'Change that layout; the others can stay.')
}

const layoutOn = (board: Board, instances: Target['instances']): Layout =>
  instances.map(({ profile, start }) => ({
    profile,
    placement: { start, size: profileOf(board, profile)?.size ?? 0 },
  }))

type Wished = Pick<Target, 'mig' | 'instances'> & { readonly board: Board | undefined; readonly layout: Layout }

function flawOf({ mig, instances, board, layout }: Wished): string | undefined {
  if (!mig) return instances.length > 0 ? 'instances need MIG mode' : undefined
  if (board === undefined) return 'which MIG layouts its GPU model supports is unknown'
  const verdict = isFeasible(board, layout)
  return verdict.kind === 'feasible' ? undefined : verdict.because
}
