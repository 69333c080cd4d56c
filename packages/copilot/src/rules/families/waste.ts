import type { OPERATIONS, OutputOf } from '@septet/contract'
import { short } from '@septet/domain/words'

import type { Family, Reply } from '../family.ts'
import { figure, over, path } from '../phrases.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>

const BOUND = 'That is everything except GPU time in use: an upper bound, not a promise.'

/** What was wasted at most: in the window that is asked about, else a month. */
export const WASTE: Family = {
  id: 'waste',
  about: 'upper bound of waste',
  asks: ['How much do we waste?', 'How much money is wasted per month?', 'What is our waste?'],
  takes: ['range'],
  answer: async (slots, reading) => {
    const range = slots.range ?? '24h'
    const { is, cite } = await reading.from('summaryGet', { range }, path('/cost', { range }))
    const { waste } = is.savings
    const told = slots.range === undefined ? monthly(is) : inWindow(is)
    return {
      said: [
        [`${over(slots, is.asOf)}, ${told.text}`, cite],
        ...(told.unknown === true ? [] : [[`Formula: ${waste.explain.formula.replace(/\.$/u, '')}.`, cite] as const]),
      ],
      ...(told.unknown === true ? { unknown: true } : {}),
      pages: [['See the figures', path('/cost', { range })]],
      further: ['Who idles most?', 'What do you recommend?'],
    }
  },
}

type Told = Pick<Reply, 'unknown'> & { readonly text: string }

const monthly = ({ savings: { waste } }: Summary): Told => ({
  text:
    waste.value === null
      ? `upper bound of waste: ${figure(waste)}.`
      : `waste comes to at most ${figure(waste)}. ${BOUND}`,
})

function inWindow({ savings: { waste }, cost }: Summary): Told {
  const time = cost.hours === null ? 0 : cost.hours.capacity - cost.hours.used
  const money = costOf(cost)
  if (isUnseen(cost) || (money === undefined && time === 0))
    return { text: `what was wasted is unknown: ${cost.idleHeld.because ?? 'It was not measured.'}`, unknown: true }
  const known =
    money === undefined
      ? `${short(time)} GPU-h were wasted. What they cost: ${figure(cost.capacity)}.`
      : `${money} was wasted, in ${short(time)} GPU-h.`
  const more = waste.value === null ? [] : [waste.because ?? [], `At this rate, it comes to ${figure(waste)}.`].flat()
  return { text: [`at most ${known}`, BOUND, ...more].join(' ') }
}

/** Of namespaces nothing is unallocated: where nothing was measured, all that they held counts as used. */
const isUnseen = ({ hours, idleHeld }: Summary['cost']): boolean =>
  hours?.unallocated === null && idleHeld.value === null

const costOf = ({ capacity, used }: Summary['cost']): string | undefined =>
  capacity.value === null || used.value === null
    ? undefined
    : figure({ ...capacity, value: capacity.value - used.value })
