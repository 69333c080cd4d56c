import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

/** What somebody saw who looked all the time. */
export type Seen = {
  /** The longest stretch without an answer, seconds: to the viewer, and to a probe. */
  readonly withoutAnswer: number
  readonly withoutProbe: number
  /** Seconds from the fault until the answer said what is to be told of it, or anything new; undefined: it never did. */
  readonly saidAfter: number | undefined
  /** What it said then. */
  readonly said: string
  /** Figures that were known and then shown as 0. */
  readonly zeros: readonly string[]
  /** How often each other status than 200 was answered. */
  readonly refusals: Readonly<Record<number, number>>
}

type Watched = {
  readonly url: () => string
  readonly headers: Readonly<Record<string, string>>
  readonly cluster: string
  /** Whose budget is written. */
  readonly keptIn: string
  /** What is to be told; anything new where it is left out. */
  readonly told: RegExp | undefined
}

const EVERY_MS = 100
const WRITE_EVERY_MS = 1000
const PATIENCE_MS = 5000

/** What was written: a number that goes up, the newest that was acknowledged, and how often one was. */
export type Written = { next: number; acknowledged: number; times: number }

/** Where it is written: a budget. */
export const KEPT_IN = 'kept'

/** Looks, probes and writes until it is stopped. */
export function watchAnswers(watched: Watched, written: Written): { stop(began: number): Promise<Seen> } {
  const stopping = new AbortController()
  const [answers, probes] = [[performance.now()], [performance.now()]]
  const refusals: Record<number, number> = {}
  const wrong: { readonly at: number; readonly told: string }[] = []
  const zeros = new ZeroWatch()
  /** What is told of the cluster before anything is done to it: some of the demo's exporters are broken on purpose. */
  let usual: string | undefined
  const look = async (): Promise<void> => {
    const answer = await ask(watched, `/api/v1/summary?cluster=${watched.cluster}`)
    if (answer === undefined) return
    if (answer.status !== 200) refusals[answer.status] = (refusals[answer.status] ?? 0) + 1
    else answers.push(performance.now())
    const told = toldIn(answer.body)
    usual ??= told
    if (watched.told?.test(told) ?? told !== usual) wrong.push({ at: performance.now(), told })
    zeros.look(answer.body)
  }
  const probe = async (): Promise<void> => {
    if ((await ask(watched, '/healthz'))?.status === 200) probes.push(performance.now())
  }
  const write = async (): Promise<void> => {
    const number = written.next
    written.next += 1
    const budget = { cluster: watched.keptIn, scope: 'cluster', usdPerMonth: number, thresholds: [100], zone: 'UTC' }
    if ((await ask(watched, `/api/v1/budgets/${KEPT_IN}`, budget))?.status !== 200) return
    written.acknowledged = number
    written.times += 1
  }
  const loops = [repeated(look, EVERY_MS), repeated(probe, EVERY_MS), repeated(write, WRITE_EVERY_MS)]
  async function repeated(turn: () => Promise<void>, everyMs: number): Promise<void> {
    while (!stopping.signal.aborted) await Promise.all([turn(), sleep(everyMs)])
  }
  return {
    async stop(began) {
      stopping.abort()
      await Promise.all(loops)
      const said = wrong.find(({ at }) => at >= began)
      return {
        withoutAnswer: longestGap(answers),
        withoutProbe: longestGap(probes),
        saidAfter: said === undefined ? undefined : (said.at - began) / 1000,
        said: said?.told ?? '',
        zeros: [...zeros.seen],
        refusals,
      }
    },
  }
}

const ShareSchema = z.object({ value: z.number().nullable() })
const SummarySchema = z.object({
  status: z.object({ kind: z.string(), problems: z.array(z.object({ code: z.string() })) }),
  capacity: z.object({ gpus: z.number() }),
  workloads: z.object({ running: z.number() }),
  utilization: z.object({ busy: ShareSchema, allocated: ShareSchema }),
  cost: z.object({ capacity: ShareSchema }),
})

/** Which problems an answer tells of; a refusal tells of one. */
export function toldIn(body: unknown): string {
  const { status } = SummarySchema.safeParse(body).data ?? {}
  return status === undefined ? 'refused' : [status.kind, ...status.problems.map(({ code }) => code)].join(' ')
}

/** Which figures were shown as 0 after they were known. */
class ZeroWatch {
  readonly seen = new Set<string>()
  readonly #known = new Set<string>()

  look(body: unknown): void {
    for (const [name, value] of figuresIn(body)) {
      if (value === 0 && this.#known.has(name)) this.seen.add(name)
      if (value !== null && value > 0) this.#known.add(name)
    }
  }
}

function figuresIn(body: unknown): readonly (readonly [string, number | null])[] {
  const { data } = SummarySchema.safeParse(body)
  if (data === undefined) return []
  const { capacity, workloads, utilization, cost } = data
  return [
    ['GPUs', capacity.gpus],
    ['running workloads', workloads.running],
    ['busy', utilization.busy.value],
    ['allocated', utilization.allocated.value],
    ['cost of capacity', cost.capacity.value],
  ]
}

const longestGap = (times: readonly number[]): number =>
  Math.max(...[...times, performance.now()].slice(1).map((at, order) => at - (times[order] ?? at))) / 1000

async function ask({ url, headers }: Watched, path: string, body?: object) {
  try {
    const answer = await fetch(`${url()}${path}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'PUT', body: JSON.stringify(body) }),
    })
    const read: unknown = await answer.json()
    return { status: answer.status, body: read }
  } catch {
    return undefined
  }
}
