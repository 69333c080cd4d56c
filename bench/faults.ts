import { setTimeout as sleep } from 'node:timers/promises'

import type { Benchmark, Figure } from './benchmark.ts'
import { FAR_FAULTS, openFarHouse } from './faults/far-house.ts'
import { CLUSTER, PATIENCE_MS, untilWell, type Fault, type House } from './faults/house.ts'
import { NEAR_FAULTS, openNearHouse } from './faults/near-house.ts'
import { KEPT_IN, watchAnswers, type Seen } from './faults/watch-answers.ts'
import { randomFrom } from './random-from.ts'

const SEED = 20_261_130
const ROUNDS = 2

/** A Septet that is hit again and again, in an order that a seed draws; what whoever looks at it sees, and what is lost. */
export const benchmark: Benchmark = {
  name: 'faults',
  description:
    'A real Septet with its own PostgreSQL watches the demo cluster, another process, while one thing after the other is killed, paused, cut or filled up, in an order drawn by a seed; then another does that finds its PostgreSQL, the API server and the metrics engine by name, the latter two over TLS, and reads a second cluster through an agent, while names, certificates, the clock, memory and the agent fail. Every 100 ms a viewer asks for the summary and a probe for /healthz; every second a budget is set to a higher number, and after each fault it must hold the last one that was acknowledged, or a higher one. --input names the faults that are wanted, by a regular expression, once each.',
  onDemand: true,
  run: async ({ input }) => {
    const wanted = { names: new RegExp(input ?? '', 'u'), rounds: input === undefined ? ROUNDS : 1 }
    const seen = [
      ...(await struckIn(openNearHouse, NEAR_FAULTS, wanted)),
      ...(await struckIn(openFarHouse, FAR_FAULTS, wanted)),
    ]
    return [...[...new Set(seen.map(({ name }) => name))].flatMap((name) => figuresOf(name, seen)), ...overall(seen)]
  },
}

type Wanted = { readonly names: RegExp; readonly rounds: number }

async function struckIn<Of extends House>(
  open: () => Promise<Of>,
  faults: Readonly<Record<string, Fault<Of>>>,
  { names, rounds }: Wanted,
): Promise<readonly Struck[]> {
  const all = Object.entries(faults).filter(([name]) => names.test(name))
  if (all.length === 0) return []
  const house = await open()
  try {
    const seen: Struck[] = []
    for (const [name, fault] of drawnOrder(all, rounds)) seen.push({ name, ...(await strike(house, fault)) })
    return seen
  } finally {
    await house.close()
  }
}

function drawnOrder<One>(all: readonly One[], rounds: number): readonly One[] {
  const random = randomFrom(SEED)
  return Array.from({ length: rounds }, () =>
    all
      .map((one) => ({ one, at: random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ one }) => one),
  ).flat()
}

type Struck = Seen & {
  readonly name: string
  readonly isLost: boolean
  readonly lasted: number
  readonly recovered: number
  /** Undefined where the summary has nothing to tell. */
  readonly told: RegExp | undefined
}

const QUIET_MS = 3000

async function strike<Of extends House>(house: Of, fault: Fault<Of>): Promise<Omit<Struck, 'name'>> {
  const { cluster = CLUSTER, told, seconds } = fault
  const watched = { url: () => house.septet.url, headers: house.headers, cluster, keptIn: CLUSTER, told }
  const watching = watchAnswers(watched, house.written)
  await sleep(QUIET_MS)
  const began = performance.now()
  await fault.begin(house)
  await sleep(seconds * 1000)
  await fault.end?.(house)
  const ended = performance.now()
  const recovered = await untilWell(house, Date.now(), fault)
  const seen = await watching.stop(began)
  return { lasted: (ended - began) / 1000, recovered, isLost: await isLost(house), told, ...seen }
}

function figuresOf(name: string, all: readonly Struck[]): readonly Figure[] {
  const struck = all.filter((each) => each.name === name)
  const worst = (of: (each: Struck) => number): number => Math.max(...struck.map(of))
  const statuses = [...new Set(struck.flatMap(({ refusals }) => Object.keys(refusals)))].toSorted()
  const said = struck.map(({ saidAfter }) => saidAfter)
  return [
    {
      name: `${name}: well again after it, slowest of ${struck.length}`,
      figure: worst(({ recovered }) => recovered),
      unit: 's',
      aim: '≤ 30 s',
      note: [
        `lasted ${Math.round(worst(({ lasted }) => lasted))} s`,
        `longest without an answer ${worst(({ withoutAnswer }) => withoutAnswer).toFixed(1)} s`,
        `without /healthz ${worst(({ withoutProbe }) => withoutProbe).toFixed(1)} s`,
        said.every((each) => each === undefined)
          ? 'never said that something is wrong'
          : `said so after ${worst(({ saidAfter }) => saidAfter ?? Infinity).toFixed(1)} s (${struck.at(-1)?.said})`,
        statuses.length === 0 ? 'no refusals' : `refused with ${statuses.join(' and ')}`,
      ].join('; '),
    },
  ]
}

/** Whether the budget holds less than what was acknowledged last. Throws where it cannot be read for so long. */
async function isLost({ septet, headers, written }: House): Promise<boolean> {
  const signal = AbortSignal.timeout(6 * PATIENCE_MS)
  const answer = await fetch(`${septet.url}/api/v1/budgets?cluster=${CLUSTER}&zone=UTC`, { headers, signal })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the contract says it answers
  const { budgets } = (await answer.json()) as {
    readonly budgets: readonly { readonly id: string; readonly usdPerMonth: number }[]
  }
  const kept = budgets.find(({ id }) => id === KEPT_IN)?.usdPerMonth ?? 0
  return kept < written.acknowledged
}

/** From so many seconds on it is too late. */
const TOLD_WITHIN = 30

function overall(all: readonly Struck[]): readonly Figure[] {
  const of = `of ${all.length}`
  const untold = all.filter(({ told, saidAfter }) => told !== undefined && !((saidAfter ?? Infinity) <= TOLD_WITHIN))
  const zeros = all.filter((each) => each.zeros.length > 0)
  const lost = all.filter((each) => each.isLost)
  const named = (struck: readonly Struck[]): string => [of, ...struck.map(({ name }) => name)].join('; ')
  const figure = (name: string, struck: readonly Struck[]): Figure => ({
    name,
    figure: struck.length,
    unit: 'faults',
    aim: '0',
    note: named(struck),
  })
  return [
    figure(`faults of which nothing was told within ${TOLD_WITHIN} s`, untold),
    figure('faults in which a known figure was shown as 0', zeros),
    figure('faults after which an acknowledged write was lost', lost),
  ]
}
