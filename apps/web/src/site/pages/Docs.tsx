import { CONTENTS, type ContentsEntry } from '../docs/contents.ts'
import { DocsSearch } from '../sections/DocsSearch.tsx'
import { Page, PagePart } from './Page.tsx'

/** The contents of the documentation, in the order of a reader. */
export function Docs() {
  return (
    <Page
      title="Documentation"
      lead="From your first start to an applied plan. These pages ship with this version of Septet."
      aside={<DocsSearch edge="right" />}
    >
      {CONTENTS.map(({ id, title, entries }) => (
        <PagePart key={id} id={id} title={title}>
          <ul className="-mt-1.5">
            {entries.map((entry) => (
              <Entry key={entry.href} entry={entry} />
            ))}
          </ul>
        </PagePart>
      ))}
    </Page>
  )
}

function Entry({ entry: { href, title, summary } }: { readonly entry: ContentsEntry }) {
  return (
    <li className="border-b border-line last:border-b-0">
      <a href={href} className="group grid gap-x-6 py-2.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <span
          className={`text-16 text-pretty underline decoration-line-strong underline-offset-4 group-hover:decoration-ink ${summary === '' ? 'sm:col-span-2' : 'font-medium'}`}
        >
          {title}
        </span>
        {summary !== '' && <span className="text-14 text-pretty text-ink-soft">{summary}</span>}
      </a>
    </li>
  )
}
