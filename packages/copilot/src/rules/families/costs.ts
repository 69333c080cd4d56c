import type { OPERATIONS, OutputOf } from '@septet/contract'
import { cents, listed, plural } from '@septet/domain/words'

import { table, type Family, type SlotName } from '../family.ts'
import { byNamespaceInstead } from './without-tenants.ts'
import { figure, heldUnknown, now, over, path, quoted } from '../phrases.ts'

const GROUPS = ['namespace', 'tenant', 'model', 'pool', 'node'] as const
type Group = (typeof GROUPS)[number]
const LEADS = Object.fromEntries(GROUPS.map((group) => [group, `cost-by-${group}`]))
const amount = (usd: number | undefined): string => (usd === undefined ? 'no price known' : cents(usd))

const by = (group: Group, ...more: readonly string[]): Family => ({
  id: `cost-by-${group}`,
  about: `cost by ${group}`,
  asks: [`What do GPUs cost by ${group}?`, `Which ${group} spends most?`, ...more],
  takes: ['range', 'count'],
  leads: LEADS,
  answer: async (slots, reading, at) => {
    const range = slots.range ?? '24h'
    const { is, cite } = await reading.from('costBreakdown', { range, by: group }, path('/cost', { range, by: group }))
    const unknown = heldUnknown(is)
    if (unknown !== undefined) {
      return {
        said: [[`${over(slots, is.asOf)}, what GPUs cost by ${group} is unknown: ${unknown}`, cite]],
        pages: [['See the cost', path('/cost', { range, by: group })]],
        unknown: true,
      }
    }
    const sorted = is.groups.toSorted(costlyFirst)
    const named = sorted.filter(({ kind }) => kind === 'named')
    const [first] = named
    if (group === 'tenant' && first === undefined && sorted.length > 0)
      return byNamespaceInstead({ reading, cite }, 'cost', await by('namespace').answer(slots, reading, at))
    return {
      said: [
        first === undefined
          ? [`${over(slots, is.asOf)}, no ${group} held a GPU.`, cite]
          : [
              `${over(slots, is.asOf)}, ${quoted(first.key)} cost the most of ${plural(named.length, group)}: ${amount(first.usd?.capacity)}.`,
              cite,
            ],
        [`Total: ${is.total === null ? 'unknown' : amount(is.total.usd?.capacity)}.`, cite],
      ],
      blocks: [costTable(group, sorted, slots.count)],
      pages: [['See the cost', path('/cost', { range, by: group })]],
      further: ['What will this month cost?', 'Who idles most?'],
    }
  },
})

type CostGroup = OutputOf<typeof OPERATIONS.costBreakdown>['groups'][number]

const costlyFirst = (a: CostGroup, b: CostGroup): number =>
  (b.usd?.capacity ?? 0) - (a.usd?.capacity ?? 0) || b.gpuHours.capacity - a.gpuHours.capacity

const costTable = (group: Group, sorted: readonly CostGroup[], most = '10') =>
  table(
    `Cost by ${group}`,
    [group, '#Cost', '#Idle', '#GPU-hours'],
    sorted.slice(0, Number(most)).map(({ key, kind, usd, gpuHours }) => ({
      cells: [
        kind === 'named' ? key : NO_NAME[kind],
        amount(usd?.capacity),
        amount(usd?.idleHeld),
        gpuHours.capacity.toFixed(1),
      ],
    })),
    sorted.length,
  )

const NO_NAME = { none: '(none)', unknown: '(unknown)', free: '(unallocated)' } as const

/** What one of them cost. */
const ofOne = (group: Group & SlotName): Family => ({
  id: `cost-of-${group}`,
  about: `cost of one ${group}`,
  asks: [`What does ${group} {${group}} cost?`, `How much did {${group}} spend last week?`],
  takes: ['range'],
  answer: async (slots, reading) => {
    const range = slots.range ?? '24h'
    const name = slots[group] ?? ''
    const { is, cite } = await reading.from('costBreakdown', { range, by: group }, path('/cost', { range, by: group }))
    const found = is.groups.find(({ key, kind }) => kind === 'named' && key === name)
    const unknown = heldUnknown(is)
    if (unknown !== undefined) {
      return {
        said: [[`${over(slots, is.asOf)}, what ${group} ${quoted(name)} cost is unknown: ${unknown}`, cite]],
        pages: [['See the cost', path('/cost', { range, by: group })]],
        unknown: true,
      }
    }
    const said =
      found === undefined
        ? `${quoted(name)} held no GPUs, so it cost nothing.`
        : `${group} ${quoted(name)} cost ${amount(found.usd?.capacity)}: ${amount(found.usd?.used)} used, ${amount(found.usd?.idleHeld)} held and idle.`
    return {
      said: [[`${over(slots, is.asOf)}, ${said}`, cite]],
      pages: [['See the cost', path('/cost', { range, by: group, within: found?.id })]],
      further: [`What do GPUs cost by ${group}?`, 'What will this month cost?'],
    }
  },
})

/** What GPUs cost, cost by whom, and what they will have cost. */
export const COSTS: readonly Family[] = [
  by('namespace', 'Cost breakdown by namespace', 'Spend per namespace'),
  by('tenant', 'Cost breakdown by team'),
  by('model', 'Cost split by model'),
  by('pool'),
  by('node'),
  ofOne('namespace'),
  ofOne('tenant'),
  ofOne('model'),
  ofOne('pool'),
  ofOne('node'),
  {
    id: 'forecast',
    about: 'what this month will cost',
    asks: ['What will this month cost?', 'What is the cost forecast?', 'Forecast', 'Projected spend'],
    takes: ['range'],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('budgetsList', {}, '/cost')
      const outlook = is.outlook
      if (outlook === null) return { said: [['No forecast is made of sample data.', cite]], unknown: true }
      const { forecast, month, spent } = outlook
      return {
        said: [
          [
            forecast.kind === 'unknown'
              ? `No forecast for ${month}: ${forecast.because}`
              : `${month} is expected to cost ${cents(forecast.usd)}${forecast.low === forecast.high ? '' : ` (80% interval: ${cents(forecast.low)} to ${cents(forecast.high)})`}.`,
            cite,
          ],
          [
            `${now(is.asOf)}, ${spent === null ? 'spending this month is unknown' : `${cents(spent)} has been spent this month`}.`,
            cite,
          ],
        ],
        pages: [['See the cost', '/cost']],
        further: ['Where do our budgets stand?', 'What do GPUs cost by namespace?'],
      }
    },
  },
  {
    id: 'budgets',
    about: 'where budgets stand',
    asks: [
      'Where do our budgets stand?',
      'Are we over budget?',
      'Budget',
      'How much of the budget is spent?',
      'Will we be over budget by the forecast?',
      'How much budget is left?',
    ],
    takes: ['namespace', 'tenant'],
    covers: ['month'],
    answer: async ({ namespace, tenant }, reading) => {
      const { is, cite } = await reading.from('budgetsList', {}, '/cost')
      const name = namespace ?? tenant
      const budgets = is.budgets.filter((one) => name === undefined || one.name === name)
      const overspent = budgets.filter(({ share }) => share !== null && share >= 1)
      const said =
        budgets.length === 0
          ? `no budget is set${name === undefined ? '' : ` for ${quoted(name)}`}.`
          : `there ${budgets.length === 1 ? 'is' : 'are'} ${plural(budgets.length, 'budget')}; ${overspent.length === 0 ? 'none is used up' : `${listed(overspent.map(({ id }) => quoted(id)))} ${overspent.length === 1 ? 'is' : 'are'} used up`}.`
      return {
        said: [[`${now(is.asOf)}, ${said}`, cite]],
        blocks: [
          table(
            'Budgets of this month',
            ['Budget', '#A month', '#Spent', 'Thresholds reached'],
            budgets.map(({ id, usdPerMonth, spent, reached }) => ({
              cells: [
                id,
                cents(usdPerMonth),
                spent === null ? 'Unknown' : cents(spent),
                reached.map((one) => `${one}%`).join(', ') || 'none',
              ],
            })),
          ),
        ],
        pages: [['See the budgets', '/cost']],
        further: ['What will this month cost?', 'What do GPUs cost by namespace?'],
      }
    },
  },
  {
    id: 'cost-of-workload',
    about: 'cost of one workload',
    asks: ['What does {workload} cost?', 'How much did {workload} spend this week?', 'What does idle {workload} cost?'],
    takes: ['range'],
    answer: async (slots, reading) => {
      const id = slots.workload ?? ''
      const range = slots.range ?? '24h'
      const at = path('/workloads', { range, workload: id })
      const { is, cite } = await reading.from('workloadsGet', { id, range }, at)
      const { cost, idleCost } = is.workload
      return {
        said: [
          [
            `${over(slots, is.asOf)}, ${quoted(id)} cost ${figure(cost)}; of that, while idle: ${figure(idleCost)}.`,
            cite,
          ],
        ],
        pages: [['See the workload', at]],
        further: [`Which size does ${id} need?`, `How busy is ${id}?`],
      }
    },
  },
]
