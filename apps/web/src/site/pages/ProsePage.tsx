import type { Prose, ProsePart } from '../content/prose.ts'
import { PageHead } from './PageHead.tsx'

/** A page of text: each part has its title beside it where there is room. */
export function ProsePage({ prose: { title, lead, parts } }: { readonly prose: Prose }) {
  return (
    <article className="mx-auto max-w-7xl px-6 pt-16 pb-24 md:pt-24">
      <PageHead title={title} lead={lead} />
      <div className="mt-12 md:mt-16">
        {parts.map((part) => (
          <Part key={part.title} part={part} />
        ))}
      </div>
    </article>
  )
}

function Part({ part: { title, paragraphs = [], rows = [], links = [] } }: { readonly part: ProsePart }) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line py-8 md:grid-cols-[1fr_2fr]">
      <h2 className="text-16 font-semibold text-balance">{title}</h2>
      <div className="flex flex-col gap-4 text-16 text-ink-soft">
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="max-w-2xl text-pretty">
            {paragraph}
          </p>
        ))}
        {rows.length > 0 && (
          <dl className="max-w-3xl text-14">
            {rows.map(({ name, text }) => (
              <div
                key={name}
                className="grid gap-x-6 gap-y-0.5 border-b border-line py-3 first:pt-0 last:border-b-0 sm:grid-cols-[9rem_1fr]"
              >
                <dt className="font-medium text-ink">{name}</dt>
                <dd className="text-pretty">{text}</dd>
              </div>
            ))}
          </dl>
        )}
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            {links.map(({ label, href }) => (
              <a
                key={href}
                href={href}
                className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
              >
                {label}
              </a>
            ))}
          </p>
        )}
      </div>
    </section>
  )
}
