import { OPERATOR } from '../content/operator.ts'
import { Island } from '../Island.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { heroOpening, heroPrice } from './hero-opening.ts'

/** Headline, the two ways in, how to start it, and beside them the planner at work. */
export function Hero() {
  const { price, source, asOf } = heroPrice()
  return (
    <section
      aria-labelledby="hero-title"
      className="mx-auto grid max-w-7xl items-center gap-x-14 gap-y-10 px-6 pt-10 pb-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] lg:pt-12 lg:pb-10"
    >
      <div>
        <h1 id="hero-title" className="text-40 font-semibold tracking-[-0.035em] text-balance sm:text-64">
          Seven slices. <br />
          One GPU. <br />
          <span className="text-ink-quiet">Nothing idle.</span>
        </h1>
        <p className="mt-6 max-w-xl text-16 text-ink-soft sm:text-20">
          For teams who run GPUs on Kubernetes: Septet finds the GPU time you pay for and do not use, cuts each GPU to
          fit the work, and proves what it saved.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink href="/auth" size="large">
            Get Started for Free
          </ButtonLink>
          <ButtonLink href="/demo" look="outline" size="large">
            Watch Demo
          </ButtonLink>
        </div>
        <div className="mt-6 max-w-md">
          <Island name="copyCommand" when="touch" props={{ command: COMMAND }} />
          <p className="mt-2 text-13 text-pretty text-ink-quiet">
            {OPERATOR.repository === undefined ? 'In the folder with the source. ' : ''}No cluster, no GPU and no
            account needed to look around.
          </p>
        </div>
      </div>
      <div className="min-w-0">
        <Island name="hero" when="idle" props={heroOpening()} />
        <p className="mt-3 text-12 text-ink-quiet">
          A made-up stream from a seed, on A100-80GB GPUs at ${price.toFixed(2)} a GPU-hour (
          <span className="whitespace-nowrap">{source}</span>, <span className="whitespace-nowrap">{asOf}</span>); plan
          time is the median of five. What was measured on recorded work is{' '}
          <a href="/receipts" className="underline underline-offset-2">
            in the receipts
          </a>
          .
        </p>
      </div>
    </section>
  )
}

const COMMAND =
  OPERATOR.repository === undefined ? 'npm start' : `git clone ${OPERATOR.repository} septet && cd septet && npm start`
