import type { OutputOf, costBreakdown } from '@septet/contract'
import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import {
  COST_PARTS,
  daysTouching,
  HOUR_MS,
  instant,
  rangeText,
  spanOfRange,
  WASTED_PARTS,
  type CalendarRange,
  type Window,
} from '@septet/domain'
import { money } from '@septet/domain/words'
import { runTool, TOOLS } from '@septet/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { CSV_FILES } from '../../report/report-csv.ts'
import { parseCsv } from '../../report/parse-csv.fixture.ts'
import { ADMIN } from '../answering/admin-caller.fixture.ts'
import { askAs } from '../answering/answering.ts'
import { CHANGES, NOW, openSixWeeks, type Septet } from './six-weeks.fixture.ts'

const CUTS = ['namespace', 'tenant', 'model', 'pool', 'node'] as const
/** Half a cent is what the reader would see; amounts are kept to the millionth, and thousands of them are added up here. */
const CLOSE = 0.0005
/** All that is stored. */
const EVERYTHING: Window = { from: instant(Date.UTC(2026, 9, 1)), to: instant(NOW - (NOW % 60_000)) }

let septet: Septet
let ask: ReturnType<typeof askAs>

type Group = OutputOf<typeof costBreakdown>['groups'][number]
type Parts = Group['gpuHours']

/** Every amount of an answer by what it is of: dollars and GPU-hours, part by part. */
type Amounts = ReadonlyMap<string, number>

const PARTS = [...COST_PARTS, 'capacity', 'unmeasured'] as const
/** Of what nobody held, a caller of some namespaces is told nothing. */
const NOBODYS = / (?:unallocated|stranded|broken|unrequested|unobserved)$/u

const partsOf = (of: string, parts: Parts | null): [string, number][] =>
  parts === null
    ? []
    : PARTS.flatMap((part): [string, number][] => {
        const amount = parts[part]
        return amount === null ? [] : [[`${of} ${part}`, amount]]
      })

/** All that a range says of cost, cut in every way. */
async function amountsOf(range: string, caller = ask): Promise<Amounts> {
  const answers = await Promise.all(CUTS.map((by) => caller('costBreakdown', { range, by })))
  const ofTotal = partsOf('all $', answers[0]?.total?.usd ?? null)
  const ofGroups = answers.flatMap(({ by, groups }) =>
    groups.flatMap(({ id, usd, gpuHours }) => [
      ...partsOf(`${by} ${id} $`, usd),
      ...partsOf(`${by} ${id} h`, gpuHours),
    ]),
  )
  return new Map([...ofTotal, ...ofGroups])
}

const ofWindow = (window: Window): Promise<Amounts> => amountsOf(rangeText({ kind: 'custom', window }))

function sumOf(all: readonly Amounts[]): Amounts {
  const sums = new Map<string, number>()
  for (const [key, amount] of all.flatMap((each) => [...each])) sums.set(key, (sums.get(key) ?? 0) + amount)
  return sums
}

/** Where two differ the most, and by how much. */
function gap(a: Amounts, b: Amounts): { readonly at: string; readonly by: number } {
  const keys = [...new Set([...a.keys(), ...b.keys()])]
  const gaps = keys.map((at) => ({ at, by: Math.abs((a.get(at) ?? 0) - (b.get(at) ?? 0)) }))
  return gaps.toSorted((one, other) => other.by - one.by)[0] ?? { at: 'nothing', by: Infinity }
}

async function inTurn<Of, Answer>(all: readonly Of[], answerOf: (one: Of) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const one of all) answers.push(await answerOf(one))
  return answers
}

/** The rows of a file by the names of its columns. */
function columnsOf(csv: string): Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = parseCsv(csv)
  return rows.map((row) => Object.fromEntries(names.map((name, order) => [name, row[order] ?? ''])))
}

const upToNow = ({ from, to }: Window): Window => ({ from, to: instant(Math.min(to, NOW)) })
const hoursOf = ({ from, to }: Window): Window[] =>
  Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, hour) => ({
    from: instant(from + hour * HOUR_MS),
    to: instant(Math.min(to, from + (hour + 1) * HOUR_MS)),
  }))
const daysOf = (window: Window, zone: string): Window[] =>
  daysTouching(zone, window)
    .map((day) => upToNow(day.window))
    .filter(({ from, to }) => from < to)
const spanOf = (name: CalendarRange, zone: string): Window =>
  upToNow(spanOfRange({ kind: 'calendar', name, zone }, NOW))

/** What was compared in this run: face and range, zone, and the largest difference in dollars or GPU-hours. */
const compared: string[] = []

/** Which of these pairs are not the same, and by how much; what is of nothing is not the same as anything. */
function differing(zone: string, pairs: Readonly<Record<string, readonly [Amounts, Amounts]>>): string[] {
  return Object.entries(pairs).flatMap(([what, [a, b]]) => {
    const { at, by } = gap(a, b)
    compared.push(`${what.padEnd(44)} ${zone.padEnd(20)} ${String(b.size).padStart(4)} amounts  ${by.toFixed(9)}`)
    const isOfNothing = ![...b.values()].some((amount) => amount > 1)
    return by < CLOSE && !isOfNothing ? [] : [`${what}: ${isOfNothing ? 'nothing' : at} by ${by}`]
  })
}

const only = (amount: number | null | undefined): Amounts => new Map([['$', amount ?? NaN]])
/** One amount of many, under the name by which two faces are compared. */
const one = (amounts: Amounts, at: string): Amounts => only(amounts.get(at))

const ofTotal = (amounts: Amounts): Amounts => new Map([...amounts].filter(([key]) => key.startsWith('all $')))
const ofLab = (amounts: Amounts): Amounts =>
  new Map([...amounts].filter(([key]) => key.startsWith('namespace named:lab ') && !NOBODYS.test(key)))
const sum = (amounts: readonly (number | null | undefined)[]): number =>
  amounts.reduce<number>((all, amount) => all + (amount ?? 0), 0)
const asLab = (): typeof ask => askAs(septet.answers, { ...ADMIN, role: 'viewer', namespaces: ['lab'] })

/** Every face tells the same of six drawn weeks, by the days and months of these zones. */
export function oneLedgerHolds(zones: readonly string[]): void {
  beforeAll(async () => {
    septet = await openSixWeeks(20_261_118)
    ask = askAs(septet.answers, ADMIN)
  }, 120_000)
  afterAll(async () => {
    if (process.env['SEPTET_PRINT_LEDGER'] !== undefined) process.stdout.write(`${compared.join('\n')}\n`)
    await septet.store.close()
  })

  describe.each(zones)('in %s', (zone) => {
    test.each([
      ['today', NOW],
      ['the day on which a price changes', CHANGES[1]],
      ['the day on which another one did', CHANGES[0]],
    ])('the hours of %s add up to it', async (name, at) => {
      for (const day of daysOf({ from: instant(at), to: instant(at + 1) }, zone)) {
        const hours = sumOf(await inTurn(hoursOf(day), ofWindow))
        expect(differing(zone, { [`hours of ${name}`]: [hours, await ofWindow(day)] })).toEqual([])
      }
      expect.assertions(1)
    })

    test.each(['last-week', 'week', 'month', 'last-month'] as const)('days add up to the %s', async (name) => {
      const range = `${name}@${zone}`
      const whole = await amountsOf(range)
      const days = sumOf(await inTurn(daysOf(spanOf(name, zone), zone), ofWindow))
      const told = await ask('costDays', { range, zone })
      const bars = sumOf(told.days.map(({ usd }) => new Map(partsOf('all $', usd))))
      const pairs = {
        [`days of the ${name}`]: [days, whole],
        [`costDays of the ${name}`]: [bars, ofTotal(whole)],
      } as const
      expect(differing(zone, pairs)).toEqual([])
    })

    test('budgets have spent what the month has cost', async () => {
      const whole = await amountsOf(`month@${zone}`)
      const budget = { cluster: 'drawn', usdPerMonth: 1e6, zone }
      await ask('budgetsPut', { ...budget, id: 'all', scope: 'cluster' })
      await ask('budgetsPut', { ...budget, id: 'web', scope: 'namespace', name: 'web' })
      await ask('budgetsPut', { ...budget, id: 'labs', scope: 'tenant', name: 'Labs' })
      const { outlook, budgets } = await ask('budgetsList', { zone })
      const spent = new Map(budgets.map((each) => [each.id, each.spent]))
      const pairs = {
        'outlook of the month': [only(outlook?.spent), one(whole, 'all $ capacity')],
        'budget of the cluster': [only(spent.get('all')), one(whole, 'all $ capacity')],
        'budget of a namespace': [only(spent.get('web')), one(whole, 'namespace named:web $ capacity')],
        'budget of a tenant': [only(spent.get('labs')), one(whole, 'tenant named:Labs $ capacity')],
      } as const
      expect(differing(zone, pairs)).toEqual([])
    })

    test('the summary, the workloads and the tenants tell the cost of the month', async () => {
      const range = `month@${zone}`
      const whole = await amountsOf(range)
      const { cost } = await ask('summaryGet', { range, zone })
      const summary = new Map(PARTS.map((part) => [`all $ ${part}`, cost[part].value ?? NaN]))
      const lists = await Promise.all(
        (['all', 'ended'] as const).map((status) => ask('workloadsList', { range, status })),
      )
      const rows = lists.flatMap(({ workloads }) => workloads.map((row) => row.cost.value))
      const held = (['used', 'idleHeld', 'oversized'] as const).map((part) => whole.get(`all $ ${part}`))
      const { clusters } = await ask('tenantsExport', { tenant: 'Labs', range, zone })
      const [kept] = clusters
      const pairs = {
        'summary of the month': [summary, ofTotal(whole)],
        'workloads, what was held': [only(sum(rows)), only(sum(held))],
        'export of a tenant': [only(kept?.total?.usd?.capacity), one(whole, 'tenant named:Labs $ capacity')],
        'workloads of a tenant': [
          only(sum(kept?.workloads.map(({ usd }) => usd?.capacity) ?? [])),
          one(whole, 'tenant named:Labs $ capacity'),
        ],
      } as const
      expect(differing(zone, pairs)).toEqual([])
    })

    test('reports and bills in files have the same sums', async () => {
      const range = `month@${zone}`
      const [whole, ofAll] = [await amountsOf(range), await ofWindow(EVERYTHING)]
      const report = await ask('reportGet', { range, lines: 'hour' })
      const all = await ask('reportGet', { range: rangeText({ kind: 'custom', window: EVERYTHING }), lines: 'day' })
      const costs = columnsOf(CSV_FILES.cost(report))
      const cuts = (['all', 'namespace', 'model', 'pool'] as const).map((by) => {
        const amounts = costs.flatMap((row) => (row['cut'] === by ? Number(row['capacity_usd']) : []))
        return [`CSV by ${by}`, [only(sum(amounts)), one(whole, 'all $ capacity')]] as const
      })
      const billed = (file: 'focus' | 'focus-1.0' | 'focus-1.3', of: typeof report): Amounts =>
        only(sum(columnsOf(CSV_FILES[file](of)).map((row) => Number(row['BilledCost']))))
      const bills = (['focus-1.0', 'focus', 'focus-1.3'] as const).flatMap((file) => [
        [`${file} of the month, by the hour`, [billed(file, report), one(whole, 'all $ capacity')]] as const,
        [`${file} of two months, by the day`, [billed(file, all), one(ofAll, 'all $ capacity')]] as const,
      ])
      expect(differing(zone, Object.fromEntries([...cuts, ...bills]))).toEqual([])
    })

    test('a caller limited to namespaces sees of these what an admin sees', async () => {
      const range = `month@${zone}`
      const [whole, theirs] = [await amountsOf(range), await amountsOf(range, asLab())]
      const { days } = await asLab()('costDays', { range, zone })
      const { outlook } = await asLab()('budgetsList', { zone })
      const pairs = {
        'a namespace, as its viewer sees it': [ofLab(theirs), ofLab(whole)],
        'its days': [only(sum(days.map(({ usd }) => usd?.capacity))), one(whole, 'namespace named:lab $ capacity')],
        'its outlook': [only(outlook?.spent), one(whole, 'namespace named:lab $ capacity')],
      } as const
      expect(differing(zone, pairs)).toEqual([])
    })
  })

  test.each([
    ['month', '2026-11'],
    ['last-month', '2026-10'],
  ] as const)('the %s of the chart of months is the one of the breakdown', async (name, month) => {
    const whole = await amountsOf(`${name}@UTC`)
    const pointOf = async (caller: typeof ask) => {
      const { months } = await caller('costMonths', {})
      return months.find((each) => each.month === month)
    }
    const [point, theirs] = [await pointOf(ask), await pointOf(asLab())]
    const waste = sum(WASTED_PARTS.map((part) => whole.get(`all $ ${part}`)))
    const pairs = {
      [`costMonths, ${name}`]: [only(point?.baseline.value), one(whole, 'all $ capacity')],
      [`costMonths, waste of the ${name}`]: [only(point?.savings.estimated.value), only(waste)],
      [`costMonths, ${name} without it`]: [
        only(point?.optimized.value),
        only(sum([whole.get('all $ capacity'), -waste])),
      ],
      [`costMonths, ${name} of namespaces`]: [
        only(theirs?.baseline.value),
        one(whole, 'namespace named:lab $ capacity'),
      ],
    } as const
    expect(differing('UTC', pairs)).toEqual([])
  })

  test('the co-pilot and the tools of agents say what the operation answers', async () => {
    const { total } = await ask('costBreakdown', { range: 'month' })
    const answer = await ask('copilotAsk', { question: COPILOT_QUESTIONS['cost-this-month'] })
    expect(answer.sentences.map(({ text }) => text).join(' ')).toContain(money(total?.usd?.capacity ?? NaN))
    const tools = TOOLS.filter(({ name }) => name === 'cost_breakdown')
    const [told] = await inTurn(tools, (tool) => runTool(tool, { range: 'month' }, { ask, base: '' }))
    expect(told?.['total']).toMatchObject({
      usd: Object.fromEntries(
        partsOf('', total?.usd ?? null).map(([part, usd]) => [part.trim(), expect.closeTo(usd, 2)]),
      ),
    })
  })
}
