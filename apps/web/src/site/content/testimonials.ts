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

const overStatic = receiptFigure('job-completion', `${JOBS} best static in hindsight`)

export const TESTIMONIALS: readonly Testimonial[] = [
  {
    quote: `${amount(receiptFigure('right-sizing', DAY))} GPUs would have held a day’s 74 inference pods, by memory, where sizing at the 99th percentile plus 10% takes ${amount(receiptBaseline('right-sizing', DAY))}. ${amount(receiptFigure('right-sizing', OVER))} pods outgrow their size with it, ${amount(receiptBaseline('right-sizing', OVER))} with that rule.`,
    author: 'Benchmark right-sizing, right-sizing a recorded day',
    company: 'Trace by Alibaba: GenTD26, SoCC 2025',
    evidence: { text: 'measured · receipt right-sizing', href: receiptHref('right-sizing') },
    tally: [
      { count: receiptFigure('right-sizing', DAY), label: 'GPUs by Septet' },
      { count: receiptBaseline('right-sizing', DAY), label: 'by p99 + 10%' },
      { count: receiptBaseline('claim-cost-savings', 'GPUs for the pods of the recorded day'), label: 'one pod each' },
    ],
  },
  {
    quote: `With 130% of the work arriving, ${amount(receiptFigure('online-placement', OPENB), 2)}% of 6,212 GPUs end up allocated; FGD reaches ${amount(receiptBaseline('online-placement', OPENB), 2)}% on the same arrivals.`,
    author: 'Benchmark online-placement, ten seeds',
    company: 'Trace by Alibaba: openb, USENIX ATC 2023',
    evidence: { text: 'measured · receipt online-placement', href: receiptHref('online-placement') },
  },
  {
    quote: `The mean completion time of a hundred jobs is ${amount(receiptFigure('job-completion', `${JOBS} whole GPU`), 1)}% below that on whole GPUs, and ${amount(overStatic, 1)}% below that on the best fixed layout. The second is meant to be over 16%.`,
    author: 'Benchmark job-completion, jobs at measured slice speeds',
    company: 'Speeds by the authors of MISO, SoCC 2022',
    evidence: {
      text: `measured${overStatic > 16 ? '' : ', one aim not reached'} · receipt job-completion`,
      href: receiptHref('job-completion'),
    },
  },
  {
    quote: `${amount(receiptFigure('mig-packing', 'GPUs for 45 lists'))} GPUs for 45 packing lists, each proven to be the fewest. The best rule of thumb takes ${amount(receiptBaseline('mig-packing', 'GPUs for 45 lists'))}.`,
    author: 'Benchmark mig-packing, against proven optima',
    company: 'Lists of our own, made from seeds',
    evidence: { text: 'measured · receipt mig-packing', href: receiptHref('mig-packing') },
  },
]
