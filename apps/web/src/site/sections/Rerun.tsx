import type { Receipt } from '../content/receipts.ts'

/** The command that makes a receipt again, where and when it was made, and its file. */
export function Rerun({ receipt: { command, machine, date, json, title } }: { readonly receipt: Receipt }) {
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 text-12 text-ink-quiet">
      <div data-code className="code code-line">
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is longer than the screen is wide
          tabIndex={0}
        >
          <code>{command}</code>
        </pre>
      </div>
      <p className="text-pretty">
        <time dateTime={date}>{date}</time> · {machine} ·{' '}
        <a
          href={json}
          aria-label={`${title}: the receipt as JSON`}
          className="text-ink-soft underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          JSON
        </a>
      </p>
    </div>
  )
}
