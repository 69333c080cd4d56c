import { NOTES } from '../blog.ts'
import { PageHead } from './PageHead.tsx'

/** The records of decisions, as a list of notes that lead into the documentation. */
export function Blog() {
  return (
    <div className="mx-auto max-w-7xl px-6 pt-16 pb-24 md:pt-24">
      <PageHead
        title="Engineering notes"
        lead="Short notes on the design decisions behind Septet: the problem, the choice, and what it costs. Newest first."
      />
      <ol reversed className="mt-12 md:mt-16">
        {NOTES.map(({ number, title, date, summary, href }) => (
          <li key={href} className="grid gap-x-10 gap-y-2 border-t border-line py-5 md:grid-cols-[1fr_2fr]">
            <p className="font-mono text-13 text-ink-quiet">
              <time dateTime={date}>{date}</time> · {String(number).padStart(4, '0')}
            </p>
            <div>
              <h2 className="text-20 font-semibold tracking-tight text-balance">
                <a href={href} className="decoration-line-strong underline-offset-4 hover:underline">
                  {title}
                </a>
              </h2>
              <p className="mt-2 max-w-2xl text-14 text-pretty text-ink-soft">{summary}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
