import { plainText } from '../docs/html-text.ts'
import type { MarkdownPage } from '../docs/markdown.ts'
import { Html } from './Html.tsx'
import { Page, PagePart } from './Page.tsx'

/** A page of text. */
export function ProsePage({ page: { title, sections } }: { readonly page: MarkdownPage }) {
  const [first, ...parts] = sections
  return (
    <Page title={title} lead={plainText(first?.html ?? '')}>
      {parts.map(({ heading: { id, text }, html }) => (
        <PagePart key={id} id={id} title={text}>
          <Html className="prose facts -my-4 text-ink-soft" html={html} />
        </PagePart>
      ))}
    </Page>
  )
}
