import { CONTENTS, READING_ORDER, titleOf, type ContentsEntry } from '../docs/contents.ts'
import type { DocPage } from '../docs/doc-pages.ts'
import type { DocHeading } from '../docs/markdown.ts'
import { DocsSearch } from '../sections/DocsSearch.tsx'
import { Html } from './Html.tsx'

/** One page of the documentation between the side list and its own headings. */
export function Doc({ doc }: { readonly doc: DocPage }) {
  const headings = doc.sections.slice(1).flatMap(({ heading }) => (heading.depth <= 3 ? [heading] : []))
  return (
    <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-12 px-6 pt-8 pb-24 lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-12 xl:grid-cols-[13rem_minmax(0,1fr)_11rem]">
      <div className="lg:sticky lg:top-20 lg:flex lg:max-h-[calc(100dvh-6rem)] lg:flex-col lg:self-start">
        <DocsSearch edge="left" />
        <DocsNavigation current={doc.href} />
      </div>
      <article className="mt-8 min-w-0 lg:mt-0">
        <p className="text-13 text-ink-quiet lg:hidden">
          <a
            href="/docs"
            className="inline-flex min-h-8 items-center underline decoration-line-strong underline-offset-4"
          >
            All pages
          </a>
        </p>
        <h1 className="max-w-[44rem] text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
          {titleOf(doc)}
        </h1>
        <div className="prose mt-6">
          {doc.sections.map(({ heading, html }, index) => (
            <Section key={heading.id} heading={index === 0 ? undefined : heading} html={html} />
          ))}
        </div>
        <Neighbors href={doc.href} />
      </article>
      {headings.length > 1 && <OnThisPage headings={headings} />}
    </div>
  )
}

function Section({ heading, html }: { readonly heading: DocHeading | undefined; readonly html: string }) {
  const Level = LEVELS[Math.min(heading?.depth ?? 2, 4)] ?? 'h4'
  return (
    <>
      {heading !== undefined && (
        <Level id={heading.id}>
          {heading.text}
          <a href={`#${heading.id}`} aria-label={`Link to “${heading.text}”`} className="anchor">
            #
          </a>
        </Level>
      )}
      <Html html={html} />
    </>
  )
}

/** The side list of the documentation, with the page that is open. Narrow screens have the contents page instead. */
function DocsNavigation({ current }: { readonly current: string }) {
  return (
    <nav aria-label="Documentation" className="hidden min-h-0 overflow-y-auto pb-6 lg:block">
      {CONTENTS.map(({ id, title, entries }) => (
        <div key={id} className="mt-7 text-13">
          <h2 className="text-12 text-ink-quiet">{title}</h2>
          <ul className="mt-1.5 border-l border-line">
            {entries.map((entry) => (
              <li key={entry.href}>
                <a
                  href={entry.href}
                  aria-current={entry.href === current ? 'page' : undefined}
                  className="-ml-px block border-l border-transparent py-1 pl-3.5 text-pretty text-ink-soft hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
                >
                  {entry.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const LEVELS: Readonly<Record<number, 'h2' | 'h3' | 'h4'>> = { 2: 'h2', 3: 'h3', 4: 'h4' }

function OnThisPage({ headings }: { readonly headings: readonly DocHeading[] }) {
  return (
    <nav
      aria-label="On this page"
      className="hidden text-13 xl:sticky xl:top-28 xl:block xl:max-h-[calc(100dvh-8rem)] xl:self-start xl:overflow-y-auto"
    >
      <h2 className="text-12 text-ink-quiet">On this page</h2>
      <ul className="mt-1.5">
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth > 2 ? 'pl-3' : ''}>
            <a href={`#${id}`} className="block py-1 text-pretty text-ink-soft hover:text-ink">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Neighbors({ href }: { readonly href: string }) {
  const place = READING_ORDER.findIndex((entry) => entry.href === href)
  return (
    <nav aria-label="Next pages" className="mt-16 grid max-w-[44rem] gap-4 border-t border-line pt-6 sm:grid-cols-2">
      <Neighbor entry={READING_ORDER[place - 1]} word="Previous" />
      <Neighbor entry={READING_ORDER[place + 1]} word="Next" className="sm:col-start-2 sm:text-right" />
    </nav>
  )
}

type NeighborProps = { readonly entry: ContentsEntry | undefined; readonly word: string; readonly className?: string }

function Neighbor({ entry, word, className = '' }: NeighborProps) {
  if (entry === undefined) return undefined
  return (
    <a href={entry.href} className={`group ${className}`}>
      <span className="block text-12 text-ink-quiet">{word}</span>
      <span className="text-14 font-medium text-pretty decoration-line-strong underline-offset-4 group-hover:underline">
        {entry.title}
      </span>
    </a>
  )
}
