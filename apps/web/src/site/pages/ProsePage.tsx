import { plainText } from '../docs/html-text.ts'
import type { MarkdownPage } from '../docs/markdown.ts'
import { Html } from './Html.tsx'
import { PageHead } from './PageHead.tsx'

/** A page of text: each part has its title beside it where there is room. */
export function ProsePage({ page: { title, sections } }: { readonly page: MarkdownPage }) {
  const [first, ...parts] = sections
  return (
    <article className="mx-auto max-w-7xl px-6 pt-16 pb-24 md:pt-24">
      <PageHead title={title} lead={plainText(first?.html ?? '')} />
      <div className="mt-12 md:mt-16">
        {parts.map(({ heading, html }) => (
          <section key={heading.id} className="grid gap-x-10 gap-y-3 border-t border-line py-8 md:grid-cols-[1fr_2fr]">
            <h2 className="text-16 font-semibold text-balance">{heading.text}</h2>
            <Html className="prose facts -my-4 text-ink-soft" html={html} />
          </section>
        ))}
      </div>
    </article>
  )
}
