import type { ReactNode } from 'react'

import compare from '../../../content/compare.json'
import navigation from '../../../content/navigation.json'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { SOURCES, sourceOf } from '../comparison.ts'
import { filled, namedEntry } from '../content.ts'
import { OPERATOR } from '../prose.ts'
import { ButtonLink } from '../sections/ButtonLink.tsx'
import { Mark } from '../sections/Mark.tsx'
import { Page } from './Page.tsx'

const { title: pageTitle, lead, correction, basis, products, verdicts, rows } = filled(compare)

type Row = (typeof rows)[number]
type Cell = Row['cells'][number]

/** Every capability beside the four alternatives, each cell with its sources. */
export function Compare() {
  return (
    <Page title={pageTitle} lead={lead}>
      <Cards />
      <Table />
      <div className="mt-16 grid gap-12 lg:grid-cols-[2fr_1fr]">
        <Sources />
        <aside aria-label="About this comparison" className="flex flex-col gap-8 text-14 text-ink-soft">
          <Aside title={correction.title}>
            {correction.text}{' '}
            <a href="/contact" className="text-ink underline underline-offset-4">
              {OPERATOR.email === '' ? 'Where to write' : `Write to ${OPERATOR.email}`}
            </a>
            .
          </Aside>
          <Aside title={basis.title}>{basis.text}</Aside>
          <Aside title="Trademarks">{navigation.trademarks}</Aside>
          <div>
            <ButtonLink href={navigation.getStarted.href}>{navigation.getStarted.label}</ButtonLink>
          </div>
        </aside>
      </div>
    </Page>
  )
}

function Aside({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h2 className="text-16 font-semibold text-ink">{title}</h2>
      <p className="mt-2 text-pretty">{children}</p>
    </div>
  )
}

function Table() {
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the keyboard
      tabIndex={0}
      aria-label="Comparison table, scrolls sideways"
      className="overflow-x-auto max-md:hidden"
    >
      <table className="w-full min-w-[54rem] lg:min-w-[68rem] border-separate border-spacing-0 text-13">
        <caption className="sr-only">Capabilities of Septet and of four alternatives</caption>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky left-0 w-28 border-b border-line-strong bg-paper pb-3 text-left font-normal text-ink-quiet sm:w-40"
            >
              Capability
            </th>
            {products.map((product, index) => (
              <th
                key={product}
                scope="col"
                className={`w-1/6 border-b border-line-strong px-4 pb-3 text-left text-14 font-semibold ${index === 0 ? OURS : ''}`}
              >
                {product}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.capability} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function TableRow({ row: { capability, ahead, cells } }: { readonly row: Row }) {
  return (
    <tr>
      <th
        scope="row"
        className="sticky left-0 w-28 max-w-28 border-b border-line bg-paper py-4 pr-3 text-left align-top text-12 font-medium hyphens-auto sm:w-40 sm:max-w-none sm:pr-4 sm:text-13"
      >
        {capability}
        {ahead !== undefined && <span className="mt-1 block text-12 font-normal text-ink-quiet">Ahead: {ahead}</span>}
      </th>
      {cells.map((cell, index) => (
        <td key={products[index]} className={`border-b border-line px-4 py-4 align-top ${index === 0 ? OURS : ''}`}>
          <Finding cell={cell} />
        </td>
      ))}
    </tr>
  )
}

function Finding({ cell: { verdict, text, sources = [], href } }: { readonly cell: Cell }) {
  // Out of scope, or nothing on it stood in the documents that were read, which is not the same as a no.
  const isQuiet = text === undefined
  const { words, mark } = namedEntry(verdicts, verdict)
  return (
    <>
      <span className="flex items-center gap-2 font-medium">
        <Mark look={mark} />
        <span className={isQuiet ? 'font-normal text-ink-quiet' : ''}>{words}</span>
      </span>
      {!isQuiet && (
        <span className="mt-1.5 block text-pretty text-ink-soft">
          {href === undefined ? (
            text
          ) : (
            <a
              href={href}
              className="underline decoration-line-strong decoration-1 underline-offset-3 hover:decoration-ink"
            >
              {text}
            </a>
          )}
          {sources.map(sourceOf).map(({ number, title }) => (
            <a
              key={title}
              href={`#source-${number}`}
              aria-label={`Source ${number}`}
              className="ml-1 inline-flex min-w-6 justify-center rounded-control font-mono text-12 text-ink-quiet underline decoration-dotted underline-offset-3 hover:text-ink"
            >
              {number}
            </a>
          ))}
        </span>
      )}
    </>
  )
}

/** The same where a table has no room: a card for each capability, with how Septet does in its title. */
const Cards = () => (
  <ul className="border-b border-line md:hidden">
    {rows.map((row) => (
      <Card key={row.capability} row={row} />
    ))}
  </ul>
)

function Card({ row: { capability, ahead, cells } }: { readonly row: Row }) {
  const ours = namedEntry(verdicts, cells[0]?.verdict ?? '')
  return (
    <li className="border-t border-line">
      <details className="group">
        <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
          <Mark look={ours.mark} />
          <span className="grow text-14 font-medium text-pretty">
            {capability}
            <span className="block text-12 font-normal text-ink-quiet">
              Septet: {ours.words.toLowerCase()}
              {ahead !== undefined && <>, ahead: {ahead}</>}
            </span>
          </span>
          <span className="shrink-0 text-ink-soft transition-transform group-open:rotate-180">
            <ChevronDownIcon />
          </span>
        </summary>
        <dl className="pb-4 text-13">
          {cells.map((cell, index) => (
            <div key={products[index]} className={`rounded-control px-3 py-2.5 ${index === 0 ? 'bg-surface' : ''}`}>
              <dt className="mb-1 text-12 text-ink-quiet">{products[index]}</dt>
              <dd>
                <Finding cell={cell} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}

function Sources() {
  return (
    <div>
      <h2 className="text-20 font-semibold tracking-tight">Sources</h2>
      <ol className="mt-4 grid gap-x-8 sm:grid-cols-2">
        {Object.values(SOURCES).map((source) => (
          <li
            key={source.number}
            id={`source-${source.number}`}
            className="grid scroll-mt-24 grid-cols-[2rem_1fr] border-t border-line py-3 text-13 target:bg-sunken"
          >
            <span className="font-mono text-12 text-ink-quiet">{source.number}</span>
            <span>
              <a
                href={source.href}
                rel="noreferrer"
                className="underline decoration-line-strong underline-offset-3 hover:decoration-ink"
              >
                {source.title}
              </a>
              <span className="block text-12 text-ink-quiet">
                {source.version}, {source.day}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const OURS = 'bg-surface border-x border-x-line'
