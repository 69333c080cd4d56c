import { Page } from './Page.tsx'

const FILES = import.meta.glob<string>('../../../../../docs/decisions/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})

export type Note = {
  readonly number: number
  readonly title: string
  /** `2026-11-21`. */
  readonly date: string
  readonly summary: string
  readonly href: string
}

/** The records of decisions in docs/decisions, newest first. */
export const NOTES: readonly Note[] = Object.entries(FILES)
  .map(([path, text]) => noteOf(path, text))
  .toSorted((a, b) => b.number - a.number)

/** Reads number, title and the first sentence of what was decided. Throws when a record has another shape. */
export function noteOf(path: string, text: string): Note {
  const slug = /([^/]+)\.md$/u.exec(path)?.[1]
  const heading = /^# (\d+)\. (.+)$/mu.exec(text)
  const context = /\*\*Context\.\*\* (.+)$/mu.exec(text)?.[1]
  const date = /^_Decided (\d{4}-\d\d-\d\d)\._$/mu.exec(text)?.[1]
  if (slug === undefined || heading?.[2] === undefined || context === undefined || date === undefined) {
    throw new Error(
      `${path} is no record of a decision: “# 1. Title”, “**Context.** …”, and last “_Decided 2026-11-21._”`,
    )
  }
  return {
    number: Number(heading[1]),
    title: heading[2],
    date,
    summary: firstSentences(context),
    href: `/docs/decisions/${slug}`,
  }
}

/** Whole sentences, at least a hundred characters where there are so many, without marks of emphasis and code. */
function firstSentences(text: string): string {
  const plain = text.replaceAll(/[`_*]/gu, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/gu, '$1')
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
