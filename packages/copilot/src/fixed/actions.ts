import type { OPERATIONS, OutputOf } from '@septet/contract'
import { monthlyWords, savedWords } from '@septet/contract/saving-words'
import { stateWords } from '@septet/contract/state-words'
import { plural } from '@septet/domain/words'

import { instantWords, now, path, quoted } from './phrases.ts'
import type { FixedReading } from './reading.ts'
import { replyTable, type ReplyOf, type Reply } from './reply.ts'

type Recommendation = OutputOf<typeof OPERATIONS.recommendationsList>['recommendations'][number]
type Wanted = {
  readonly kind?: Recommendation['kind']
  /** Rows of the table. */
  readonly most: number
  /** The largest saving comes first. */
  readonly biggest?: true
}

const saving = ({ saving: one }: Recommendation): string =>
  one.kind === 'none'
    ? one.brings
    : `${monthlyWords(one)} ${one.effect === 'bill-reduced' ? 'off the bill' : 'of capacity freed'}, estimated`

const value = (one: Recommendation): number => (one.saving.kind === 'estimated' ? (one.saving.usdPerMonth ?? 0) : 0)

/** What is recommended. */
export const recommended =
  (wanted: Wanted): ReplyOf =>
  (reading) =>
    recommend(reading, wanted)

async function recommend(reading: FixedReading, { kind, most, biggest }: Wanted): Promise<Reply> {
  const at = path('/actions', { kind })
  const { is, cite } = await reading.from('recommendationsList', { kind, limit: 500 }, at)
  const { recommendations: all, total, madeAt, asOf } = is
  const sorted = biggest === true ? all.toSorted((a, b) => value(b) - value(a)) : all
  const [first] = sorted
  const what = kind === undefined ? 'recommendation' : `${kind} recommendation`
  return {
    said: [
      first === undefined
        ? [madeAt === null ? 'No recommendation has been made yet.' : `${now(asOf)}, there is no ${what}.`, cite]
        : [
            `${now(asOf)}, there ${total === 1 ? 'is' : 'are'} ${plural(total, what)}. ${biggest === true ? 'The largest saving' : 'The first'} is ${quoted(first.title)} (${saving(first)}).`,
            cite,
          ],
    ],
    blocks: [
      replyTable(
        'Recommendations',
        ['Recommendation', 'Kind', 'Saving'],
        sorted.slice(0, most).map((one) => ({
          cells: [one.title, one.kind, saving(one)],
          page: reading.page(path('/actions', { recommendation: one.id })),
        })),
        total,
      ),
    ],
    pages: [['See the recommendations', at]],
    further: ['to-approve', 'saved'],
  }
}

/** Savings that were measured. */
export const saved: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('savingsList', {}, '/actions/savings')
  const { billReduced, capacityFreed } = is.ledger
  const amount = ({ realized }: typeof billReduced): string =>
    realized === null
      ? 'nothing verified yet'
      : `${savedWords({ gpuHours: realized.gpuHours.value, usd: realized.usd?.value ?? null })} measured over ${plural(realized.runs, 'action')}`
  return {
    said: [
      [`${now(is.asOf)}, saved on the bill: ${amount(billReduced)}; capacity freed: ${amount(capacityFreed)}.`, cite],
    ],
    pages: [['See the savings', '/actions/savings']],
    further: ['do-first', 'largest-saving'],
  }
}

export const savedAndNext: ReplyOf = async (reading) => {
  const { said, ...reply } = await saved(reading)
  const next = await recommend(reading, { most: 3 })
  return { ...reply, said: [...said, ...next.said], ...(next.blocks === undefined ? {} : { blocks: next.blocks }) }
}

/** What waits for an approval that whoever asks may give. */
export const toApprove: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('actionsList', { limit: 500 }, '/actions')
  const some = is.actions.filter(({ may }) => may.approve)
  const count = some.length === 0 ? 'no' : some.length
  return {
    said: [[`${now(is.asOf)}, ${count} ${some.length === 1 ? 'action waits' : 'actions wait'} for approval.`, cite]],
    blocks: [
      replyTable(
        'what waits for an approval',
        ['Action', 'State', 'Since', 'Why'],
        some.slice(0, 10).map((one) => ({
          cells: [one.title, stateWords(one), instantWords(one.since), one.because],
          page: reading.page(path('/actions', { action: one.id })),
        })),
        some.length,
      ),
    ],
    pages: [['See the actions', '/actions']],
    further: ['saved-and-next', 'do-first'],
  }
}
