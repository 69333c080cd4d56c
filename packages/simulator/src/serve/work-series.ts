import { addTicks, noSums, TICK_MS } from '../model/activity.ts'
import { draw } from '../model/hash.ts'
import type { Unit } from '../model/slots.ts'
import { containerOf, servedModelOf } from '../model/tenants.ts'
import type { World } from '../model/world.ts'
import type { Series } from './series.ts'

const PROMPT = 'vllm:prompt_tokens_total'
/** What the demo's model servers count, as vLLM names it. */
export const WORK_METRICS = ['vllm:generation_tokens_total', PROMPT]

const METRIC = `(${WORK_METRICS.join('|')})`
const OF_PODS = new RegExp(
  `^sum\\(increase\\(${METRIC}\\{namespace="([^"]+)",pod=~"([^"]*)"\\}\\[(\\d+)s\\]\\)\\)$`,
  'u',
)
const BY_POD = new RegExp(
  `^sum by \\(namespace, pod, model_name, model\\) \\(increase\\(${METRIC}\\[(\\d+)ms\\]\\)\\)$`,
  'u',
)

const SERVER = containerOf('inference')
const TOKENS_PER_BUSY_SECOND = 1200
/** A server reads so many tokens for each that it writes. */
const PROMPT_PER_GENERATED = [2, 7] as const

type Times = { readonly start: number; readonly end: number; readonly step: number }
type Asked = {
  readonly metric: string
  readonly rangeMs: number
  /** Undefined: all of them, each a series. */
  readonly pods: { readonly namespace: string; readonly isAsked: (pod: string) => boolean } | undefined
}

/**
 * Answers how many tokens pods counted in the stretch before each instant; undefined for any other query. A server that works
 * makes tokens, however large the partition it works on: they are the demand that it meets.
 */
export function workSeries(world: World, query: string, times: Times): readonly Series[] | undefined {
  const asked = parse(query.trim())
  if (asked === undefined) return undefined
  const window = { from: times.start - asked.rangeMs, to: times.end }
  const served = unitsOf(world, asked.pods?.namespace, window).flatMap((unit) =>
    world.segments(unit, window).filter(({ holder }) => holder.container === SERVER && isAsked(asked, holder)),
  )
  const key = (holder: (typeof served)[number]['holder']): string =>
    asked.pods === undefined ? `${holder.namespace}/${holder.pod}` : ''
  return [...Map.groupBy(served, ({ holder }) => key(holder))].flatMap(([, own]) => {
    const values = valuesOf(own, asked, times)
    const [holder] = own.map((segment) => segment.holder)
    if (values.length === 0 || holder === undefined) return []
    const { namespace, pod } = holder
    return [{ metric: asked.pods === undefined ? { namespace, pod, model_name: servedModelOf(pod) } : {}, values }]
  })
}

function parse(query: string): Asked | undefined {
  const [, metric = '', namespace, pods = '', seconds] = OF_PODS.exec(query) ?? []
  if (namespace !== undefined) {
    const pattern = new RegExp(`^(?:${pods.replaceAll('\\\\', '\\')})$`, 'u')
    return { metric, rangeMs: Number(seconds) * 1000, pods: { namespace, isAsked: (pod) => pattern.test(pod) } }
  }
  const [, of, milliseconds] = BY_POD.exec(query) ?? []
  return of === undefined ? undefined : { metric: of, rangeMs: Number(milliseconds), pods: undefined }
}

const isAsked = ({ pods }: Asked, holder: { readonly namespace: string; readonly pod: string }): boolean =>
  pods === undefined || (holder.namespace === pods.namespace && pods.isAsked(holder.pod))

function valuesOf(
  served: ReturnType<World['segments']>,
  { metric, rangeMs }: Asked,
  { start, end, step }: Times,
): [number, string][] {
  const values: [number, string][] = []
  for (let at = start; at <= end; at += step) {
    const parts = served.flatMap(({ from, to, activity }) => {
      const span = { from: Math.max(from, at - rangeMs), to: Math.min(to, at) }
      if (span.to <= span.from) return []
      const sums = noSums()
      const ticks = { from: Math.ceil(span.from / TICK_MS), to: Math.ceil(span.to / TICK_MS) }
      addTicks(sums, activity, { ...ticks, peaks: false })
      const [fewest, most] = PROMPT_PER_GENERATED
      const each = metric === PROMPT ? fewest + (most - fewest) * draw(activity.seed, 12) : 1
      return [sums.busy * (TICK_MS / 1000) * TOKENS_PER_BUSY_SECOND * each]
    })
    if (parts.length > 0) values.push([at / 1000, String(Math.round(parts.reduce((sum, part) => sum + part, 0)))])
  }
  return values
}

/** One unit of each pod that may be asked for: a server's tokens are its pod's, not its GPUs'. */
function unitsOf(world: World, namespace: string | undefined, window: { from: number; to: number }): readonly Unit[] {
  const isOf = (of: { readonly namespace: string }): boolean => namespace === undefined || of.namespace === namespace
  const seated = world.slots
    .filter(({ role }) => role === 'inference')
    .flatMap((slot) =>
      world.occupancies(slot, window).some(isOf) ? slot.seats.flatMap(({ units: [first] }) => first ?? []) : [],
    )
  const placed = world.nodes.flatMap(({ name }) =>
    world.unitsOf(name).filter((unit) => unit.placed.some(({ holder }) => isOf(holder))),
  )
  return [...new Set([...seated, ...placed])]
}
