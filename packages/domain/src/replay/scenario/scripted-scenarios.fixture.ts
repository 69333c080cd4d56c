import { SECONDS_PER_HOUR } from '../../units.ts'
import { runScenario } from './run-scenario.ts'
import type {
  Scenario,
  ScenarioGroup,
  ScenarioOutcome,
  ScenarioShape,
  ScenarioSource,
  ScenarioWay,
} from './scenario.ts'

export const A100 = 'A100-SXM4-80GB'

export const group = (own: Partial<ScenarioGroup> = {}): ScenarioGroup => ({
  model: A100,
  pool: 'a',
  nodes: 1,
  gpusPerNode: 4,
  price: 2,
  cuts: [],
  ...own,
})
export const mig = (profile: string, model = A100): ScenarioShape => ({ model, size: { kind: 'mig', profile } })
export const whole = (gpus: number, model = A100): ScenarioShape => ({ model, size: { kind: 'whole', gpus } })

export type Job = {
  readonly at: number
  readonly stays: number | null
  readonly shape: number
  readonly work?: number | null
  readonly tenant?: number
}
export const source = (own: {
  readonly groups?: readonly ScenarioGroup[]
  readonly shapes: readonly ScenarioShape[]
  readonly jobs: readonly Job[]
  readonly hours?: number
  readonly kind?: ScenarioSource['kind']
}): ScenarioSource => ({
  cluster: 'lab',
  kind: own.kind ?? 'week',
  from: 0,
  to: (own.hours ?? 10) * SECONDS_PER_HOUR * 1000,
  groups: own.groups ?? [group()],
  shapes: own.shapes,
  jobs: {
    at: own.jobs.map(({ at }) => at),
    stays: own.jobs.map(({ stays }) => stays),
    shape: own.jobs.map(({ shape }) => shape),
    fit: own.jobs.map(({ shape }) => shape),
    tenant: own.jobs.map(({ tenant = 0 }) => tenant),
    work: own.jobs.map(({ work = null }) => work),
  },
  notes: [],
})
export const scenario = (own: Partial<Scenario> = {}): Scenario => ({
  from: 'week',
  changes: [],
  boards: 'same',
  sizes: 'held',
  ...own,
})

export function ended<Result>(run: Generator<unknown, Result>): Result {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value
}
export const computed = (from: ScenarioSource, wanted: Partial<Scenario> = {}) =>
  ended(runScenario(from, scenario(wanted)))

export function outcomeOf(way: ScenarioWay, from: ScenarioSource, wanted: Partial<Scenario> = {}): ScenarioOutcome {
  const found = computed(from, wanted).outcomes.find((outcome) => outcome.way === way)
  if (found === undefined) throw new Error(`no outcome of ${way}`)
  return found
}

/** What the drawn pods ask for, on the fleet below. */
export const SHAPES = [
  mig('1g.10gb'),
  mig('2g.20gb'),
  mig('3g.40gb'),
  whole(1),
  whole(3),
  { model: 'T4', size: { kind: 'share', milli: 250 } },
  { model: A100, size: { kind: 'share', milli: 125 } },
] satisfies ScenarioShape[]
const CUTS = [
  { gpus: 2, profiles: ['3g.40gb', '2g.20gb', '1g.10gb', '1g.10gb'], replicas: 1 },
  { gpus: 1, profiles: [], replicas: 8 },
]
export const GROUPS = [group({ nodes: 2, cuts: CUTS }), group({ model: 'T4', pool: 't', gpusPerNode: 2, price: 0.5 })]
