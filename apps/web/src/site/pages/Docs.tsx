import { CONTENTS, type ContentsEntry } from '../docs/contents.ts'
import { DocsSearch } from '../sections/DocsSearch.tsx'
import { PageHead } from './PageHead.tsx'

/** The contents of the documentation, in the order of a reader. */
export function Docs() {
  return (
    <div className="mx-auto max-w-7xl px-6 pt-16 pb-24 md:pt-24">
      <div className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <PageHead
          title="Documentation"
          lead="From your first start to an applied plan. These pages ship with this version of Septet."
        />
        <DocsSearch edge="right" />
      </div>
      <div className="mt-12 md:mt-16">
        {CONTENTS.map(({ id, title, entries }) => (
          <section
            key={id}
            aria-labelledby={id}
            className="grid gap-x-10 gap-y-3 border-t border-line py-8 md:grid-cols-[1fr_2fr]"
          >
            <h2 id={id} className="scroll-mt-24 text-16 font-semibold">
              {title}
            </h2>
            <ul className="-mt-1.5">
              {entries.map((entry) => (
                <Entry key={entry.href} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
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
