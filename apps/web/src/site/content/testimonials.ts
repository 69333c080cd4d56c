import { amount, receiptBaseline, receiptFigure, receiptHref } from './receipt-figures.ts'

/** A quote, who says it, and for whom. Real people's words go here once they are given; until then reruns speak. */
export type Testimonial = {
  readonly quote: string
  readonly author: string
  readonly company: string
  readonly evidence: { readonly text: string; readonly href: string }
  /** Counts of one thing that the quote compares, smallest first, drawn as bars; the last one is how many there are. */
  readonly tally?: readonly { readonly count: number; readonly label: string }[]
}

export const TESTIMONIALS_HEAD = {
  title: 'Witnesses you can call again',
  lead: 'No customer has spoken yet, and none is made up. These are reruns: each sentence is computed from a receipt, whose command computes it again from the same public input.',
}

const DAY = 'Septet, 50 % accepted as chosen in the past: GPUs'
const OVER = 'Septet, 50 % accepted as chosen in the past: pods overrun'
const OPENB = 'default, 130 %: septet'
const JOBS = 'published list, Poisson arrivals 60 s: septet, completion time below'

const overStatic = receiptFigure('e6', `${JOBS} best static in hindsight`)

export const TESTIMONIALS: readonly Testimonial[] = [
  {
    quote: `${amount(receiptFigure('e5', DAY))} GPUs would have held a day’s 74 inference pods, by memory, where sizing at the 99th percentile plus 10% takes ${amount(receiptBaseline('e5', DAY))}. ${amount(receiptFigure('e5', OVER))} pods outgrow their size with it, ${amount(receiptBaseline('e5', OVER))} with that rule.`,
    author: 'Benchmark E5, right-sizing a recorded day',
    company: 'Trace by Alibaba: GenTD26, SoCC 2025',
    evidence: { text: 'measured · receipt e5', href: receiptHref('e5') },
    tally: [
      { count: receiptFigure('e5', DAY), label: 'GPUs by Septet' },
      { count: receiptBaseline('e5', DAY), label: 'by p99 + 10%' },
      { count: receiptBaseline('claim-cost-savings', 'GPUs for the pods of the recorded day'), label: 'one pod each' },
    ],
  },
  {
    quote: `With 130% of the work arriving, ${amount(receiptFigure('e1', OPENB), 2)}% of 6,212 GPUs end up allocated; FGD reaches ${amount(receiptBaseline('e1', OPENB), 2)}% on the same arrivals.`,
    author: 'Benchmark E1, ten seeds',
    company: 'Trace by Alibaba: openb, USENIX ATC 2023',
    evidence: { text: 'measured · receipt e1', href: receiptHref('e1') },
  },
  {
    quote: `The mean completion time of a hundred jobs is ${amount(receiptFigure('e6', `${JOBS} whole GPU`), 1)}% below that on whole GPUs, and ${amount(overStatic, 1)}% below that on the best fixed layout. The second is meant to be over 16%.`,
    author: 'Benchmark E6, jobs at measured slice speeds',
    company: 'Speeds by the authors of MISO, SoCC 2022',
    evidence: {
      text: `measured${overStatic > 16 ? '' : ', one aim not reached'} · receipt e6`,
      href: receiptHref('e6'),
    },
  },
  {
    quote: `${amount(receiptFigure('e3', 'GPUs for 45 lists'))} GPUs for 45 packing lists, each proven to be the fewest. The best rule of thumb takes ${amount(receiptBaseline('e3', 'GPUs for 45 lists'))}.`,
    author: 'Benchmark E3, against proven optima',
    company: 'Lists of our own, made from seeds',
    evidence: { text: 'measured · receipt e3', href: receiptHref('e3') },
  },
]
