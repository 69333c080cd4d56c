import { Glyph } from '../../ui/Glyph.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'

type Props = {
  readonly cards: readonly {
    readonly icon: string
    readonly title: string
    readonly description: string
    /** The one thing to remember; a figure has its receipt behind it. */
    readonly highlight?: string
    readonly evidence: { readonly text: string; readonly href: string }
  }[]
  /** The level of their titles. */
  readonly title: 'h3' | 'h4'
}

/** What is said, each with its evidence. */
export function EvidenceCards({ cards, title: Title }: Props) {
  return (
    <ul className={`gap-x-10 sm:grid sm:grid-cols-2 lg:grid-cols-3 ${SWIPE_ROW}`}>
      {cards.map(({ icon, title, description, highlight, evidence }) => (
        <li
          key={title}
          className={`grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3.5 border-t border-line pt-3 sm:pb-3 ${SWIPE_CARD}`}
        >
          <span className="text-ink-soft">
            <Glyph path={icon} box={28} />
          </span>
          <div>
            <Title className="text-16 font-semibold tracking-tight">{title}</Title>
            <p className="mt-0.5 text-14 text-pretty text-ink-soft">{description}</p>
            <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2.5">
              {highlight !== undefined && (
                <span className="font-mono text-16 font-medium tracking-tight">{highlight}</span>
              )}
              <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
