import { OPERATOR } from '../content/operator.ts'
import { amount, receiptBaseline, receiptFigure, receiptHref } from '../content/receipt-figures.ts'
import { Island } from '../Island.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { heroOpening, heroPrice } from './hero-recording.ts'

/** Headline, the two ways in, how to start it, and beside them the planner at work. */
export function Hero() {
  const { price, source, asOf } = heroPrice()
  return (
    <section
      aria-labelledby="hero-title"
      className="mx-auto grid max-w-7xl items-center gap-x-14 gap-y-7 px-6 pt-7 pb-7 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] lg:pt-9"
    >
      <div>
        <h1 id="hero-title" className="text-40 font-semibold tracking-[-0.035em] text-balance sm:text-64">
          Seven slices. <br />
          One GPU. <br />
          <span className="text-ink-quiet">Nothing idle.</span>
        </h1>
        <p className="mt-5 max-w-xl text-16 text-pretty text-ink-soft sm:text-20">
          For teams running GPUs on Kubernetes: find the GPU time you pay for but never use, slice each GPU to fit the
          work, and measure what you saved.
        </p>
        <div className="mt-6 flex gap-2 sm:gap-3">
          <ButtonLink href="/auth" size="large">
            Get Started for Free
          </ButtonLink>
          <ButtonLink href="/demo" look="outline" size="large">
            Watch Demo
          </ButtonLink>
        </div>
        <div className="mt-5 max-w-md">
          <Island name="copyCommand" when="touch" props={{ command: COMMAND }} />
          <p className="mt-2 text-13 text-pretty text-ink-quiet">
            {OPERATOR.repository === undefined ? 'Run it from a checkout. ' : ''}No cluster, GPU, or account needed.
          </p>
        </div>
      </div>
      <div className="min-w-0">
        <Island name="hero" when="idle" props={heroOpening()} />
        <p className="mt-3 text-12 text-pretty text-ink-quiet">
          Generated workloads on A100-80GB at ${price.toFixed(2)} per GPU-hour ({source}, {asOf}). On a recorded day,{' '}
          <a href={RECORDED.href} className="underline underline-offset-2">
            {RECORDED.text}
          </a>
          .
        </p>
      </div>
    </section>
  )
}

const DAY = 'GPUs for the pods of the recorded day'
const RECORDED = {
  text: `${amount(receiptFigure('claim-cost-savings', DAY))} GPUs did the work of ${amount(receiptBaseline('claim-cost-savings', DAY))}`,
  href: receiptHref('claim-cost-savings'),
}

const COMMAND =
  OPERATOR.repository === undefined ? 'npm start' : `git clone ${OPERATOR.repository} septet && cd septet && npm start`
