import words from '../../../content/receipts.json'
import { RECEIPTS } from '../receipts.ts'
import { ReceiptSection, ClaimStanding } from '../sections/ReceiptSection.tsx'
import { Page } from './Page.tsx'

const CLAIMED = RECEIPTS.filter(({ claim }) => claim !== undefined)
const MEASURED = RECEIPTS.filter(({ claim }) => claim === undefined)

/** Every number of the site with what stands behind it, also where it was not reached. */
export function Receipts() {
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Contents />
        <div>
          {CLAIMED.map((receipt) => (
            <ReceiptSection key={receipt.id} receipt={receipt} />
          ))}
          <h2 id="measurements" className="mt-20 scroll-mt-24 text-28 font-semibold tracking-[-0.02em]">
            {words.others.title}
          </h2>
          <p className="mt-3 max-w-2xl text-16 text-pretty text-ink-soft">{words.others.text}</p>
          {MEASURED.map((receipt) => (
            <ReceiptSection key={receipt.id} receipt={receipt} />
          ))}
        </div>
      </div>
    </Page>
  )
}

function Contents() {
  return (
    <nav
      aria-label="Receipts"
      className="mb-14 text-13 lg:sticky lg:top-24 lg:mb-0 lg:max-h-[calc(100dvh-7rem)] lg:self-start lg:overflow-y-auto lg:pb-6"
    >
      <h2 className="text-12 text-ink-quiet">Claims</h2>
      <ul className="mt-2 border-t border-line">
        {CLAIMED.map(({ id, title, claim }) => (
          <li key={id} className="border-b border-line">
            <a href={`#${id}`} className="block py-2.5 hover:text-accent-ink">
              <span className="block text-pretty">{title}</span>
              {claim !== undefined && <ClaimStanding kind={claim.kind} className="mt-1 text-12 text-ink-quiet" />}
            </a>
          </li>
        ))}
      </ul>
      <h2 className="mt-8 hidden text-12 text-ink-quiet lg:block">Measurements</h2>
      <ul className="mt-2 hidden lg:block">
        {MEASURED.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="block py-1 text-pretty text-ink-soft hover:text-ink">
              {title}
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-4 lg:hidden">
        <a href="#measurements" className="text-ink-soft underline decoration-line-strong underline-offset-4">
          {MEASURED.length} other measurements
        </a>
      </p>
    </nav>
  )
}
