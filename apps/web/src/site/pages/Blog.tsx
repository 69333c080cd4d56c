import { DOC_PAGES, type DocPage } from '../docs/doc-pages.ts'
import { plainText } from '../docs/html-text.ts'
import { Page } from './Page.tsx'

export type Note = {
  readonly number: number
  readonly title: string
  /** `2026-11-21`. */
  readonly date: string
  readonly summary: string
  readonly href: string
}

/** The records of decisions in the documentation, newest first. */
export const NOTES: readonly Note[] = DOC_PAGES.filter(({ file }) => file.startsWith('docs/decisions/'))
  .map(noteOf)
  .toSorted((a, b) => b.number - a.number)

/** Number, title and the first sentences of what it was about. Throws when a record has another shape. */
export function noteOf({ file, href, title: heading, sections }: DocPage): Note {
  const html = sections.map((section) => section.html).join('')
  const [, number, title] = /^(\d+)\. (.+)$/u.exec(heading) ?? []
  const context = /<p><strong>Context\.<\/strong> (.+?)<\/p>/su.exec(html)?.[1]
  const date = /<em>Decided (\d{4}-\d\d-\d\d)\.<\/em>/u.exec(html)?.[1]
  if (title === undefined || context === undefined || date === undefined) {
    throw new Error(
      `${file} is no record of a decision: “# 1. Title”, “**Context.** …”, and last “_Decided 2026-11-21._”`,
    )
  }
  return { number: Number(number), title, date, summary: firstSentences(plainText(context)), href }
}

/** Whole sentences, at least a hundred characters where there are so many. */
function firstSentences(plain: string): string {
  let taken = ''
  for (const sentence of plain.split(/(?<=\.) (?=[A-Z])/u)) {
    if (taken.length >= 100) break
    taken = taken === '' ? sentence : `${taken} ${sentence}`
  }
  return taken
}

/** The records of decisions, as a list of notes that lead into the documentation. */
export function Blog() {
  return (
    <Page
      title="Engineering notes"
      lead="Short notes on the design decisions behind Septet: the problem, the choice, and what it costs. Newest first."
    >
      <ol reversed>
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
    </Page>
  )
}
