import { HOUR_MS } from '@septet/domain'
import { addTicks, noSums, TICK_MS } from '../model/activity.ts'
import type { Unit } from '../model/slots.ts'
import type { World } from '../model/world.ts'

/** What the demo's model servers count, as vLLM names it. */
export const WORK_METRICS = ['vllm:generation_tokens_total']

const QUERY = /^sum\(increase\(vllm:generation_tokens_total\{namespace="([^"]+)",pod=~"([^"]*)"\}\[3600s\]\)\)$/u
/** The container of a service's pods; see `containerOf`. */
const SERVER = 'server'
const TOKENS_PER_BUSY_SECOND = 1200

type Times = { readonly start: number; readonly end: number; readonly step: number }

/**
 * Answers how many tokens pods generated in the hour before each instant; undefined for any other query. A server that works
 * makes tokens, however large the partition it works on: they are the demand that it meets.
 */
export function workSeries(world: World, query: string, times: Times): readonly [number, string][] | undefined {
  const [, namespace = '', pods = ''] = QUERY.exec(query.trim()) ?? []
  if (namespace === '') return undefined
  const isAsked = new RegExp(`^(?:${pods.replaceAll('\\\\', '\\')})$`, 'u')
  const window = { from: times.start - HOUR_MS, to: times.end }
  const served = unitsOf(world, namespace, window).flatMap((unit) =>
    world
      .segments(unit, window)
      .filter(
        ({ holder }) => holder.container === SERVER && holder.namespace === namespace && isAsked.test(holder.pod),
      ),
  )
  const values: [number, string][] = []
  for (let at = times.start; at <= times.end; at += times.step) {
    const parts = served.flatMap(({ from, to, activity }) => {
      const span = { from: Math.max(from, at - HOUR_MS), to: Math.min(to, at) }
      if (span.to <= span.from) return []
      const sums = noSums()
      addTicks(sums, activity, {
        from: Math.ceil(span.from / TICK_MS),
        to: Math.ceil(span.to / TICK_MS),
        peaks: false,
      })
      return [sums.busy * (TICK_MS / 1000) * TOKENS_PER_BUSY_SECOND]
    })
    if (parts.length > 0) values.push([at / 1000, String(Math.round(parts.reduce((sum, part) => sum + part, 0)))])
  }
  return values
}

/** One unit of each pod that may be asked for: a server's tokens are its pod's, not its GPUs'. */
function unitsOf(world: World, namespace: string, window: { from: number; to: number }): readonly Unit[] {
  const seated = world.slots
    .filter(({ role }) => role === 'inference')
    .flatMap((slot) =>
      world.occupancies(slot, window).some((one) => one.namespace === namespace)
        ? slot.seats.flatMap(({ units: [first] }) => first ?? [])
        : [],
    )
  const placed = world.nodes.flatMap(({ name }) =>
    world.unitsOf(name).filter((unit) => unit.placed.some(({ holder }) => holder.namespace === namespace)),
  )
  return [...new Set([...seated, ...placed])]
}
