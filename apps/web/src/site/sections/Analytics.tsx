import { ANALYTICS, ANALYTICS_PICTURES, type AnalyticsPicture } from '../content/analytics.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'

/** Pictures of the running product in the theme of the page, each labeled with the source of its figures. */
export function Analytics() {
  const { title, lead, open } = ANALYTICS
  const [first, ...rest] = ANALYTICS_PICTURES
  return (
    <Section id="analytics" labeledBy="analytics-title">
      <SectionHead
        id="analytics-title"
        title={title}
        lead={
          <>
            {lead} <EvidenceLink href={open.href}>{open.label}</EvidenceLink>
          </>
        }
      />
      {/* On a phone the pictures stand in a row that is swiped. */}
      <section
        aria-label="Pictures of the product"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a row that scrolls must take the keyboard
        tabIndex={0}
        className={`mt-5 gap-x-4 gap-y-4 sm:grid md:mt-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-x-8 ${SWIPE_ROW}`}
      >
        <Picture picture={first} className="lg:row-span-2" crop="lg:aspect-[2/1]" />
        {rest.map((picture) => (
          <Picture key={picture.title} picture={picture} crop="lg:aspect-[3/1]" />
        ))}
      </section>
    </Section>
  )
}

type PictureProps = { readonly picture: AnalyticsPicture; readonly crop: string; readonly className?: string }

function Picture({ picture: { shot, phone, label, title, text, words }, crop, className = '' }: PictureProps) {
  const same = { width: shot.width, height: shot.height, loading: 'lazy', decoding: 'async' } as const
  return (
    <figure className={`${SWIPE_CARD} ${className}`}>
      <div className="overflow-hidden rounded-card border border-line-strong bg-surface">
        <p className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-12 text-ink-soft">
          <span
            aria-hidden
            className={`size-2 rounded-full ${label === 'Demo cluster' ? 'bg-busy' : 'border-[1.5px] border-ink-quiet'}`}
          />
          {label}
        </p>
        <picture>
          <source media={PHONE} srcSet={phone.light} />
          <img {...same} alt={words} src={shot.light} className={`${LIGHT} ${crop}`} />
        </picture>
        <picture>
          <source media={PHONE} srcSet={phone.dark} />
          <img {...same} alt={words} src={shot.dark} className={`${DARK} ${crop}`} />
        </picture>
      </div>
      <figcaption className="mt-2.5 text-14 text-pretty text-ink-soft">
        <h3 className="inline font-semibold text-ink">{title}.</h3> {text}
      </figcaption>
    </figure>
  )
}

const PHONE = '(width < 40rem)'
/** One of the two is there, by the chosen theme or else the system's; what is not there is not loaded either. */
const LIGHT =
  'block h-auto w-full object-cover object-left-top max-sm:aspect-[3/4] dark:[html:not([data-theme=light])_&]:hidden [[data-theme=dark]_&]:hidden'
const DARK =
  'hidden h-auto w-full object-cover object-left-top max-sm:aspect-[3/4] dark:[html:not([data-theme=light])_&]:block [[data-theme=dark]_&]:block'
