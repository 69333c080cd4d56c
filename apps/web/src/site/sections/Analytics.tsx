import { ANALYTICS, ANALYTICS_PICTURES, type AnalyticsPicture } from '../content/analytics.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** Pictures of the running product in the theme of the page, each labeled with the source of its figures. */
export function Analytics() {
  const { title, lead, open } = ANALYTICS
  const [first, ...rest] = ANALYTICS_PICTURES
  return (
    <Section id="analytics" labeledBy="analytics-title">
      <SectionHead id="analytics-title" title={title} lead={lead} />
      <div className="mt-8 grid gap-x-6 gap-y-9 md:mt-14 md:gap-y-12 lg:grid-cols-2">
        <div className="lg:col-span-2">
          <Picture picture={first} />
        </div>
        {rest.map((picture) => (
          <Picture key={picture.title} picture={picture} />
        ))}
      </div>
      <p className="mt-10">
        <ButtonLink href={open.href} look="outline">
          {open.label}
        </ButtonLink>
      </p>
    </Section>
  )
}

function Picture({ picture: { shot, label, title, text, words } }: { readonly picture: AnalyticsPicture }) {
  const same = { width: shot.width, height: shot.height, loading: 'lazy', decoding: 'async' } as const
  return (
    <figure>
      <div className="overflow-hidden rounded-card border border-line-strong bg-surface">
        <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-12 text-ink-soft">
          <span
            aria-hidden
            className={`size-2 rounded-full ${label === 'Demo cluster' ? 'bg-busy' : 'border-[1.5px] border-ink-quiet'}`}
          />
          {label}
        </p>
        <img {...same} alt={words} src={shot.light} className={LIGHT} />
        <img {...same} alt={words} src={shot.dark} className={DARK} />
      </div>
      <figcaption className="mt-4 grid max-w-4xl gap-x-6 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-baseline">
        <h3 className="text-16 font-semibold tracking-tight">{title}</h3>
        <p className="text-14 text-pretty text-ink-soft">{text}</p>
      </figcaption>
    </figure>
  )
}

/** One of the two is there, by the chosen theme or else the system's; what is not there is not loaded either. */
const LIGHT = 'block h-auto w-full dark:[html:not([data-theme=light])_&]:hidden [[data-theme=dark]_&]:hidden'
const DARK = 'hidden h-auto w-full dark:[html:not([data-theme=light])_&]:block [[data-theme=dark]_&]:block'
