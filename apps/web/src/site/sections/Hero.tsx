import { Island } from '../Island.tsx'

/** Headline, the two ways in, and beside them the planner at work. */
export function Hero() {
  return (
    <section aria-labelledby="hero-title" className="mx-auto max-w-7xl px-6 py-16">
      <h1 id="hero-title" className="text-40 font-semibold tracking-[-0.03em] sm:text-64">
        Seven slices. <br />
        One GPU. <br />
        <span className="text-ink-quiet">Nothing idle.</span>
      </h1>
      <Island name="hero" when="idle" props={{ seed: 1 }} />
    </section>
  )
}
