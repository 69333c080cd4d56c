import analytics from '../../../content/analytics.json'
import screenshots from '../../../content/screenshots.json'
import { namedEntry } from '../content.ts'
import { Section } from './Section.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'

/** Pictures of the running product in the theme of the page, each labeled with the source of its figures. */
export function Analytics() {
  return (
    <Section head={analytics}>
      {/* On a phone the pictures stand in a row that is swiped. */}
      <section
        aria-label="Pictures of the product"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a row that scrolls must take the keyboard
        tabIndex={0}
        className={`mt-5 gap-x-4 gap-y-4 sm:grid md:mt-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-x-8 ${SWIPE_ROW}`}
      >
        {analytics.pictures.map((picture, index) => (
          <Picture
            key={picture.title}
            picture={picture}
            {...(index === 0
              ? { className: 'lg:row-span-2', crop: 'lg:aspect-[2/1]' }
              : { className: '', crop: 'lg:aspect-[3/1]' })}
          />
        ))}
      </section>
    </Section>
  )
}

type PictureProps = {
  readonly picture: (typeof analytics.pictures)[number]
  readonly crop: string
  readonly className: string
}

/** On a phone the same screen, taken at a phone's width. `words` are for those who do not see the picture. */
function Picture({ picture: { shot, label, title, text, words }, crop, className }: PictureProps) {
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
        {/* One of the two is there, by the chosen theme or else the system's; what is not there is not loaded either. */}
        {Object.entries(THEMES).map(([theme, shown]) => (
          <picture key={theme}>
            <source media="(width < 40rem)" srcSet={`/screenshots/${shot}-phone-${theme}.webp`} />
            <img
              {...namedEntry(screenshots, shot)}
              loading="lazy"
              decoding="async"
              alt={words}
              src={`/screenshots/${shot}-${theme}.webp`}
              className={`h-auto w-full object-cover object-left-top max-sm:aspect-[3/4] ${shown} ${crop}`}
            />
          </picture>
        ))}
      </div>
      <figcaption className="mt-2.5 text-14 text-pretty text-ink-soft">
        <h3 className="inline font-semibold text-ink">{title}.</h3> {text}
      </figcaption>
    </figure>
  )
}

const THEMES = {
  light: 'block dark:[html:not([data-theme=light])_&]:hidden [[data-theme=dark]_&]:hidden',
  dark: 'hidden dark:[html:not([data-theme=light])_&]:block [[data-theme=dark]_&]:block',
}
