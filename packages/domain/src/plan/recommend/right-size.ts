import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { Workload, WorkloadClass } from '../../cluster/workload.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { compareText, ratio, seconds } from '../../units.ts'
import { learnOverrun } from '../right-size/learn-overrun.ts'
import type { OverrunModel } from '../right-size/overrun-model.ts'
import { rightSizeFor, type SizeAdvice } from '../right-size/right-size-for.ts'
import { rightSizeOptions, type RightSizeLevel } from '../right-size/right-size-options.ts'
import { historyOfRows, type UsageHistory } from '../right-size/usage-history.ts'
import { queryOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Overruns are forecast for a day ahead. */
const HORIZON = seconds(86_400)

/** How much headroom work gets by what it is: people wait for inference, nobody for a notebook. */
const LEVEL_OF = {
  inference: 'high-availability',
  training: 'production',
  analytics: 'production',
  notebook: 'development',
  unknown: 'production',
} satisfies Record<WorkloadClass, RightSizeLevel>

/** Workloads whose own past shows that a smaller profile holds them, within an accepted chance of overrun. */
export function rightSize(context: RecommendContext): readonly Proposal[] {
  const histories = historiesOf(context.rows)
  const model = context.overrun ?? learnOverrun(histories, HORIZON)
  return histories.flatMap((history) => {
    const workload = context.workloads.get(history.id)
    return workload === undefined ? [] : (proposalFor(workload, { context, history, model }) ?? [])
  })
}

/** What the past of a fleet's workloads teaches about later peaks; worth keeping, as it changes by the day. */
export const learnFleetOverrun = (rows: readonly UsageRow[]): OverrunModel => learnOverrun(historiesOf(rows), HORIZON)

const historiesOf = (rows: readonly UsageRow[]): readonly UsageHistory[] =>
  [
    ...Map.groupBy(
      rows.filter(({ kind }) => kind === 'held'),
      ({ workload }) => workload,
    ),
  ]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([id, own]) => historyOfRows(id, own))

type Study = { readonly context: RecommendContext; readonly history: UsageHistory; readonly model: OverrunModel }
type Smaller = Extract<SizeAdvice, { readonly kind: 'fits-smaller' }>

function proposalFor(workload: Workload, study: Study): Proposal | undefined {
  const seat = seatOf(workload, study.context)
  const board = boardFor(seat?.part.model ?? '')
  if (seat === undefined || board === undefined) return undefined
  const { history, model } = study
  const level = LEVEL_OF[workload.class]
  const advice = rightSizeFor({ history, board, held: seat.part.profile, model }, rightSizeOptions[level])
  return advice.kind === 'fits-smaller'
    ? proposalOf(workload, { advice, seat, level, context: study.context })
    : undefined
}

type Seat = { readonly part: GpuPart; readonly pods: number }

/**
 * What each pod of the workload holds, where all hold the same one device and ask for nothing else. MIG devices cannot
 * reach one another, so work on several GPUs is not sized.
 */
function seatOf({ id }: Workload, { held, podsOf }: RecommendContext): Seat | undefined {
  const parts = held.get(id) ?? []
  const pods = podsOf.get(id) ?? []
  const [part] = parts
  if (part === undefined || parts.length !== pods.length) return undefined
  const alike = parts.every(
    ({ model, profile, share }) => model === part.model && profile === part.profile && share === part.share,
  )
  const single = pods.every(({ requests }) => requests.length === 1 && requests[0]?.count === 1)
  return alike && single ? { part, pods: pods.length } : undefined
}

type Sized = {
  readonly advice: Smaller
  readonly seat: Seat
  readonly level: RightSizeLevel
  readonly context: RecommendContext
}

function proposalOf(workload: Workload, { advice, seat, level, context }: Sized): Proposal {
  const { profile, share, overrun, confidence, evidence } = advice
  const { part, pods } = seat
  const name = `${workload.namespace}/${workload.name}`
  const resource = resourceOfProfile(profile.name)
  const free = context.parts.filter(
    ({ kind, profile: cut, model }) => kind === 'free' && cut === profile.name && model === part.model,
  ).length
  const held = part.profile === '' ? 'whole GPU' : part.profile
  const chance = ratio(1 - (1 - overrun.memory) * (1 - (overrun.compute ?? 0)))
  return {
    kind: 'right-size',
    object: `workload/${workload.id}`,
    title: `Give ${name} a ${profile.name} instead of a ${held}`,
    message: `${peakWords(advice)} ${roomWords({ pods, free, profile: profile.name })}`,
    rule: { name: `right-size/${level}`, version: 1 },
    evidence: {
      query: queryOf(workload.id, 'DCGM_FI_DEV_FB_USED'),
      window: evidence.window,
      samples: evidence.samples,
      coverage: evidence.coverage,
      figures: {
        pods,
        'memory peak, MiB': Math.round(evidence.memoryPeak ?? 0),
        'memory of the profile, MiB': profile.memory ?? 'not known',
        'sustained compute peak, % of a GPU': Math.round((evidence.computePeak ?? 0) * 100),
        'compute of the profile, % of a GPU': Math.round(share * 100),
        'chance of running out of memory in a day, %': percent(overrun.memory),
        ...(overrun.compute === undefined
          ? {}
          : { 'chance of too little compute in a day, %': percent(overrun.compute) }),
        behavior: evidence.activity,
        'free instances now': free,
      },
    },
    wishes: [{ kind: 'resize', workload: workload.id, to: [{ resource, count: 1 }] }],
    gain: {
      gpus: pods * (part.share - share),
      pool: part.pool,
      model: part.model,
      shown: { kind: 'number', effect: 'capacity-freed' },
    },
    overrun: chance,
    confidence,
  }
}

function peakWords({ evidence, profile }: Smaller): string {
  const memory = `${gib(evidence.memoryPeak ?? 0)} of ${gib(profile.memory ?? 0)} GiB`
  return `At its peak it used ${memory} that a ${profile.name} has, and ${Math.round((evidence.computePeak ?? 0) * 100)} % of a GPU's compute.`
}

function roomWords({
  pods,
  free,
  profile,
}: {
  readonly pods: number
  readonly free: number
  readonly profile: string
}): string {
  if (free >= pods) return `${free} ${profile} are free now.`
  const none = free === 0 ? `No ${profile} is` : `Only ${free} of the ${pods} it needs are`
  return `${none} free now: cut some first, or its pods wait.`
}

const gib = (mib: number): string => (mib / 1024).toFixed(1)
const percent = (value: number): number => Math.round(value * 1000) / 10
