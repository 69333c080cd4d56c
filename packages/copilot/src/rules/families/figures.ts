import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import { percent } from '@septet/domain/words'

import type { Family, SlotName } from '../family.ts'
import { figure, over, path } from '../phrases.ts'
import { WASTE } from './waste.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>

/** One number of the summary: how it is asked for and said. */
type Row = Pick<Family, 'id' | 'about' | 'asks'> & {
  readonly of: (summary: Summary) => FigureView
  readonly says: (value: string) => string
  readonly page: string
  readonly takes?: readonly SlotName[]
  readonly further: readonly string[]
}

const ROWS: readonly Row[] = [
  {
    id: 'allocated',
    about: 'share of GPU time that is allocated',
    asks: ['How much of the fleet is allocated?', 'What share of GPUs was allocated last week?', 'Allocation rate'],
    of: ({ utilization }) => utilization.allocated,
    says: (value) => `${value} of GPU time was allocated`,
    page: '',
    further: ['How busy are the allocated GPUs?', 'Who idles most?'],
  },
  {
    id: 'busy-of-allocated',
    about: 'how busy what is allocated was',
    asks: ['How busy are the allocated GPUs?', 'What is the utilization of allocated GPUs?'],
    of: ({ utilization }) => utilization.busyOfAllocated,
    says: (value) => `allocated GPUs were busy ${value} of the time`,
    page: '',
    further: ['Who idles most?', 'What does idle time cost?'],
  },
  {
    id: 'effective',
    about: 'effective utilization',
    asks: ['What is our effective utilization?', 'How effective are our GPUs?'],
    of: ({ utilization }) => utilization.effective,
    says: (value) => `effective utilization was ${value}`,
    page: '',
    further: ['Are our GPUs busy enough?', 'Where do the GPU-hours go?'],
  },
  {
    id: 'mig-coverage',
    about: 'MIG slice coverage',
    asks: ['What is the MIG coverage?', 'How much of the MIG GPUs is covered by instances?'],
    of: ({ mig }) => mig.coverage,
    says: (value) => `MIG slice coverage was ${value}`,
    page: '/partitions',
    further: ['How fragmented is MIG?', 'Where is a MIG partition free?'],
  },
  {
    id: 'mig-allocation',
    about: 'held share of MIG slices',
    asks: ['How much of the MIG slices is allocated?', 'What is the MIG allocation?'],
    of: ({ mig }) => mig.allocation,
    says: (value) => `${value} of MIG slices were allocated`,
    page: '/partitions',
    further: ['How busy are the MIG instances?', 'Where is a MIG partition free?'],
  },
  {
    id: 'mig-busy',
    about: 'how busy held MIG instances are',
    asks: ['How busy are the MIG instances?', 'MIG utilization'],
    of: ({ mig }) => mig.busy,
    says: (value) => `allocated MIG instances were busy ${value} of the time`,
    page: '/partitions',
    further: ['What is the MIG coverage?', 'Who idles most?'],
  },
  {
    id: 'mig-fragmentation',
    about: 'MIG fragmentation',
    asks: ['How fragmented is MIG?', 'What is the MIG fragmentation?'],
    of: ({ mig }) => mig.fragmentation,
    says: (value) => `MIG fragmentation was ${value}`,
    page: '/partitions',
    further: ['Which layouts strand slices?', 'Where is a MIG partition free?'],
  },
  {
    id: 'cost-total',
    about: 'what the GPUs cost',
    asks: ['What do our GPUs cost?', 'How much did we spend last week?', 'What did we pay?'],
    of: ({ cost }) => cost.capacity,
    says: (value) => `the GPUs cost ${value}`,
    page: '/cost',
    further: ['What do GPUs cost by namespace?', 'What will this month cost?'],
  },
  {
    id: 'cost-used',
    about: 'what used GPU time cost',
    asks: ['What did the used GPU time cost?', 'What is the cost of busy GPUs?'],
    of: ({ cost }) => cost.used,
    says: (value) => `GPU time in use cost ${value}`,
    page: '/cost',
    further: ['What does idle time cost?', 'What do our GPUs cost?'],
  },
  {
    id: 'idle-cost',
    about: 'what idle GPU time cost',
    asks: [
      'What does idle time cost?',
      'How much money sits idle?',
      'Cost of unused GPUs',
      'How much do idle jobs cost?',
    ],
    of: ({ cost }) => cost.idleHeld,
    says: (value) => `GPU time that was held but idle cost ${value}`,
    page: '/cost',
    further: ['Who idles most?', 'What counts as idle?'],
  },
  {
    id: 'unallocated-cost',
    about: 'what unallocated GPU time cost',
    asks: [
      'What do unallocated GPUs cost?',
      'How much money goes to free GPUs?',
      'How much is unallocated?',
      'What do free GPUs cost?',
    ],
    of: ({ cost }) => cost.unallocated,
    says: (value) => `unallocated GPU time cost ${value}`,
    page: '/cost',
    further: ['Where is a MIG partition free?', 'What waits and why?'],
  },
  {
    id: 'stranded-cost',
    about: 'what stranded GPU time cost',
    asks: ['What does stranded capacity cost?', 'How much money is stranded?', 'How much do stranded slices cost?'],
    of: ({ cost }) => cost.stranded,
    says: (value) => `stranded GPU capacity cost ${value}`,
    page: '/cost',
    further: ['Which layouts strand slices?', 'How fragmented is MIG?'],
  },
  {
    id: 'oversized-cost',
    about: 'what oversized requests cost',
    asks: [
      'What do oversized workloads cost?',
      'How much is oversized?',
      'Which money goes to workloads that are too big?',
    ],
    of: ({ cost }) => cost.oversized,
    says: (value) => `GPU time beyond what the work needed cost ${value}`,
    page: '/cost',
    further: ['Which workloads should be right-sized?', 'What do you recommend?'],
  },
  {
    id: 'broken-cost',
    about: 'what broken GPUs cost',
    asks: ['What do broken GPUs cost?', 'How much money goes to faulty GPUs?'],
    of: ({ cost }) => cost.broken,
    says: (value) => `broken GPUs cost ${value}`,
    page: '/cost',
    further: ['Which GPUs are broken?', 'What do our GPUs cost?'],
  },
  {
    id: 'unmeasured-cost',
    about: 'what was spent without telemetry',
    asks: ['What do unmeasured GPUs cost?', 'How much money goes to GPUs without metrics?'],
    of: ({ cost }) => cost.unmeasured,
    says: (value) => `GPU time held without reliable telemetry cost ${value}`,
    page: '/cost',
    further: ['Which GPUs report no telemetry?', 'What do our GPUs cost?'],
  },
  {
    id: 'potential-bill',
    about: 'estimated savings off the bill',
    asks: ['How much could we save?', 'What are the potential savings?', 'How much money could we save?'],
    of: ({ savings }) => savings.bill,
    says: (value) => `the open recommendations would take an estimated ${value} off the bill`,
    page: '/actions',
    further: ['How much capacity could be freed?', 'What do you recommend?'],
  },
  {
    id: 'potential-capacity',
    about: 'capacity that could be freed',
    asks: ['How much capacity could be freed?', 'How much potential capacity is freed?'],
    of: ({ savings }) => savings.capacity,
    says: (value) => `the open recommendations would free an estimated ${value} of capacity for other work`,
    page: '/actions',
    further: ['How much could we save?', 'What do you recommend?'],
  },
]

const one = ({ id, about, asks, of, says, page, takes = ['range'], further }: Row): Family => ({
  id,
  about,
  asks,
  takes,
  answer: async (slots, reading) => {
    const range = slots.range ?? '24h'
    const { is, cite } = await reading.from('summaryGet', { range }, path(page, { range }))
    const shown = of(is)
    return {
      said: [
        [
          `${over(slots, is.asOf)}, ${shown.value === null ? `${about}: ${figure(shown)}` : says(figure(shown))}.`,
          cite,
        ],
        [`Formula: ${shown.explain.formula.replace(/\.$/u, '')}.`, cite],
      ],
      pages: [['See the figures', path(page, { range })]],
      further,
    }
  },
})

/** Questions for one number of the summary. */
export const FIGURES: readonly Family[] = [
  {
    id: 'utilization',
    about: 'how busy the GPUs are, against the target',
    asks: [
      'Are our GPUs busy enough?',
      'How busy are our GPUs?',
      'What is the GPU utilization?',
      'Are we above target?',
    ],
    takes: ['range'],
    leads: { trend: 'trend', who: 'idle-most', why: 'idle-most' },
    answer: async (slots, reading) => {
      const range = slots.range ?? '24h'
      const { is, cite } = await reading.from('summaryGet', { range }, path('', { range }))
      const { busy, allocated, busyOfAllocated, target } = is.utilization
      const verdict =
        busy.value === null
          ? ''
          : ` ${busy.value >= target ? 'That meets' : 'That is below'} the target of ${percent(target, 0)}.`
      return {
        said: [
          [
            busy.value === null
              ? `${over(slots, is.asOf)}, how busy GPUs were: ${figure(busy)}.`
              : `${over(slots, is.asOf)}, GPUs were busy ${figure(busy)} of the time.${verdict}`,
            cite,
          ],
          [
            `Allocated: ${figure(allocated)}${allocated.value === null ? '' : ' of GPU time'}. Busy while allocated: ${figure(busyOfAllocated)}.`,
            cite,
          ],
        ],
        pages: [['See utilization', path('', { range })]],
        further: ['How did utilization develop over time?', 'Who idles most?'],
      }
    },
  },
  ...ROWS.map(one),
  WASTE,
]
