import type { costTokens, FiguresOf, InputOf } from '@septet/contract'
import {
  compareText,
  sumTokens,
  tenantOf,
  tokenCost,
  toMillionths,
  type ClusterAnalysis,
  type ServedRow,
  type ServedTokens,
  type SettingStore,
  type Store,
  type TokenAmounts,
  type TokenGroup,
} from '@septet/domain'

import type { ClusterFacts, CountedTokens } from '../../facts.ts'
import { readTenants } from '../../tenants.ts'
import { subjectLabels } from '../../usage/budget-states.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { notesOf } from '../answering/range-notes.ts'
import { needAnalysis } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

type TokenCost = FiguresOf<typeof costTokens>
type Input = InputOf<typeof costTokens>

/** What tokens cost on the GPUs that served them. */
export const tokenCostAnswers = ({ store }: { readonly store: Pick<Store, 'settings'> }): AnswersOf<'costTokens'> => ({
  async costTokens(facts, input) {
    const { analysis, answered: head, unread } = await needAnalysis(facts, input.range)
    // Where usage is not known, what was held is not either: tokens of that time would look free.
    const counted: CountedTokens =
      analysis.observed === undefined
        ? { kind: 'unread', because: unread ?? 'Nothing was seen in this window.' }
        : await facts.tokens(analysis.observed)
    const answered = { ...head, by: input.by, split: input.split }
    const notes = notesOf({ ...analysis, unread }, input)
    if (counted.kind === 'unread') {
      const nothing = { groups: [], total: null, withoutWorkload: null, readAt: null }
      return { ...answered, ...nothing, uncounted: uncountedOf(analysis, []), unread: counted.because, notes }
    }
    const { served, readAt } = counted
    const how = {
      served,
      workloads: analysis.workloads,
      unpriced: unpricedIn(analysis),
      split: input.split === 'tokens',
    }
    const [total] = tokenCost(how, () => '')
    return {
      ...answered,
      groups: tokenCost(how, await keyBy(facts, input, store.settings)).map((group) => ({
        key: group.key,
        kind: group.key === '' ? 'none' : 'named',
        ...figuresView(group),
      })),
      total: total === undefined ? null : figuresView(total),
      withoutWorkload: withoutWorkload(served),
      uncounted: uncountedOf(
        analysis,
        served.workloads.map(({ workload }) => workload),
      ),
      unread: null,
      readAt: isoOf(readAt),
      notes: [
        ...notes,
        ...served.refused.map(
          (name) =>
            `The metrics engine would not add up ${name}, so those tokens are unknown. Ask for a shorter range.`,
        ),
      ],
    }
  },
})

async function keyBy(facts: ClusterFacts, { by }: Input, settings: SettingStore): Promise<(row: ServedRow) => string> {
  if (by !== 'tenant') return (row) => row[by]
  const [labelsOf, rules] = await Promise.all([subjectLabels(settings, facts), readTenants(settings)])
  return ({ namespace, workload }) => tenantOf({ namespace, labels: labelsOf(workload) }, rules) ?? ''
}

const unpricedIn = ({ cost }: ClusterAnalysis): ReadonlySet<string> =>
  new Set(cost.cells.flatMap(({ workload, tally }) => (tally.unpricedSeconds > 0 ? workload : [])))

const amountsView = ({ prompt, generation, total }: TokenAmounts) => ({
  prompt: prompt ?? null,
  generation: generation ?? null,
  total: total ?? null,
})

const costView = ({ hours, usd }: TokenGroup['allocated']) => ({ gpuHours: hours ?? null, usd: usd ?? null })

const figuresView = (group: TokenGroup): NonNullable<TokenCost['total']> => ({
  workloads: group.workloads.length,
  models: [...group.models],
  engines: [...group.engines],
  tokens: amountsView(group.tokens),
  allocated: costView(group.allocated),
  busy: costView(group.busy),
  idle: costView(group.idle),
  rated: group.rated,
  usdPerMillion: {
    allocated: amountsView(group.perMillion.allocated),
    busy: amountsView(group.perMillion.busy),
  },
  counted: group.counted,
  because: [...group.because],
})

const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted(compareText)

function withoutWorkload({ rows }: ServedTokens): TokenCost['withoutWorkload'] {
  const own = rows.filter(({ workload }) => workload === '')
  if (own.length === 0) return null
  return {
    tokens: amountsView(sumTokens(own)),
    namespaces: distinct(own.map(({ namespace }) => namespace)).filter((name) => name !== ''),
    engines: distinct(own.flatMap(({ engines }) => engines)),
  }
}

const MOST_EXAMPLES = 5

function uncountedOf({ workloads }: ClusterAnalysis, counted: readonly string[]): TokenCost['uncounted'] {
  const known = new Set(counted)
  const own = workloads.filter(({ id, class: kind, hours }) => kind === 'inference' && hours > 0 && !known.has(id))
  const priced = own.flatMap(({ cost }) => cost ?? [])
  return {
    workloads: own.length,
    examples: own.slice(0, MOST_EXAMPLES).map(({ id }) => id),
    gpuHours: own.reduce((sum, { hours }) => sum + hours, 0),
    usd: priced.length === 0 ? null : toMillionths(priced.reduce((sum, cost) => sum + cost, 0)),
  }
}
