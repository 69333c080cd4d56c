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
  title: 'Benchmarks you can rerun',
  lead: 'Results, each with the command that reproduces it.',
}

const DAY = 'Septet, 50 % accepted as chosen in the past: GPUs'
const OVER = 'Septet, 50 % accepted as chosen in the past: pods overrun'
const OPENB = 'default, 130 %: septet'
const JOBS = 'published list, Poisson arrivals 60 s: septet, completion time below'

const overStatic = receiptFigure('job-completion', `${JOBS} best static in hindsight`)

export const TESTIMONIALS: readonly Testimonial[] = [
  {
    quote: `A day of 74 inference pods fits on ${amount(receiptFigure('right-sizing', DAY))} GPUs. Sizing to p99 + 10% takes ${amount(receiptBaseline('right-sizing', DAY))}. ${amount(receiptFigure('right-sizing', OVER))} pods outgrow their slice, down from ${amount(receiptBaseline('right-sizing', OVER))}.`,
    author: 'Right-sizing benchmark',
    company: 'Alibaba GenTD26 trace, SoCC 2025',
    evidence: { text: 'measured · receipt', href: receiptHref('right-sizing') },
    tally: [
      { count: receiptFigure('right-sizing', DAY), label: 'GPUs with Septet' },
      { count: receiptBaseline('right-sizing', DAY), label: 'with p99 + 10%' },
      {
        count: receiptBaseline('claim-cost-savings', 'GPUs for the pods of the recorded day'),
        label: 'one pod per GPU',
      },
    ],
  },
  {
    quote: `At 130% load, ${amount(receiptFigure('online-placement', OPENB), 2)}% of 6,212 GPUs end up allocated. FGD reaches ${amount(receiptBaseline('online-placement', OPENB), 2)}%.`,
    author: 'Placement benchmark, ten seeds',
    company: 'Alibaba openb trace, ATC 2023',
    evidence: { text: 'measured · receipt', href: receiptHref('online-placement') },
  },
  {
    quote: `A hundred jobs finish ${amount(receiptFigure('job-completion', `${JOBS} whole GPU`))}% sooner than on whole GPUs, and ${amount(overStatic, 1)}% sooner than on the best fixed layout.`,
    author: 'Job completion benchmark',
    company: 'Slice speeds from MISO, SoCC 2022',
    evidence: {
      text: `measured${overStatic > 16 ? '' : ', misses one target'} · receipt`,
      href: receiptHref('job-completion'),
    },
  },
  {
    quote: `${amount(receiptFigure('mig-packing', 'GPUs for 45 lists'))} GPUs hold 45 packing lists, each proven minimal. The best heuristic needs ${amount(receiptBaseline('mig-packing', 'GPUs for 45 lists'))}.`,
    author: 'MIG packing benchmark',
    company: 'Our own generated lists',
    evidence: { text: 'measured · receipt', href: receiptHref('mig-packing') },
  },
]
