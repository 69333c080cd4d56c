import hero from '../../../content/hero.json'
import { getStarted } from '../../../content/navigation.json'
import { filled } from '../content.ts'
import { Island } from '../Island.tsx'
import { OPERATOR } from '../prose.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { heroOpening, heroPrice } from './hero-recording.ts'

/** Headline, the two ways in, how to start it, and beside them the planner at work. */
export function HeroSection() {
  const { lines, lead, start, demo, note, recorded } = filled(hero)
  const { price, source, asOf } = heroPrice()
  return (
    <section
      aria-labelledby="hero-title"
      className="mx-auto grid max-w-7xl items-center gap-x-14 gap-y-7 px-6 pt-7 pb-7 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] lg:pt-9"
    >
      <div>
        <h1 id="hero-title" className="text-40 font-semibold tracking-[-0.035em] text-balance sm:text-64">
          {lines[0]} <br />
          {lines[1]} <br />
          <span className="text-ink-quiet">{lines[2]}</span>
        </h1>
        <p className="mt-5 max-w-xl text-16 text-pretty text-ink-soft sm:text-20">{lead}</p>
        <div className="mt-6 flex gap-2 sm:gap-3">
          <ButtonLink href={getStarted.href} size="large">
            {getStarted.label}
          </ButtonLink>
          <ButtonLink href={demo.href} look="outline" size="large">
            {demo.label}
          </ButtonLink>
        </div>
        <div className="mt-5 max-w-md">
          <Island name="copyCommand" when="touch" props={{ command: COMMAND }} />
          <p className="mt-2 text-13 text-pretty text-ink-quiet">
            {OPERATOR.repository === '' ? `${start.checkout} ` : ''}
            {start.needs}
          </p>
        </div>
      </div>
      <div className="min-w-0">
        <Island name="hero" when="idle" props={heroOpening()} />
        <p className="mt-3 text-12 text-pretty text-ink-quiet">
          {note.workloads} ${price.toFixed(2)} per GPU-hour ({source}, {asOf}). {note.recorded}{' '}
          <a href={recorded.href} className="underline underline-offset-2">
            {recorded.text}
          </a>
          .
        </p>
      </div>
    </section>
  )
}

const COMMAND =
  OPERATOR.repository === '' ? 'npm start' : `git clone ${OPERATOR.repository} septet && cd septet && npm start`
