import { csvOf } from '@septet/contract/csv'
import { capitalized, grouped } from '@septet/domain/words'
import { Fragment } from 'react'
import { Link } from 'react-router'

import { CopyButton } from '../../ui/CopyButton.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import type { ShownAnswer } from './copilot-context.ts'
import { usePageLink } from './use-page-link.ts'

type TableBlock = Extract<ShownAnswer['blocks'][number], { kind: 'table' }>

/** Rows of an answer; what a row is about is one click away. */
export function AnswerTable({ block, label }: { readonly block: TableBlock; readonly label: string }) {
  const { title, columns, rows, total } = block
  const linkOf = usePageLink()
  const left = total - rows.length
  return (
    <figure className="grid min-w-0 gap-1">
      <figcaption className="flex items-baseline justify-between gap-3 text-13 font-medium">
        {capitalized(title)}
        <CopyButton
          label="Copy CSV"
          text={() => csvOf([columns.map(({ name }) => name), ...rows.map(({ cells }) => cells)])}
        />
      </figcaption>
      <Table caption={label} columns={columns.map(({ name }) => name)}>
        {rows.map(({ cells, page }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- the rows of an answer never move
          <Row key={place}>
            {cells.map((text, at) => (
              <Cell
                key={columns[at]?.name ?? at}
                name={columns[at]?.name ?? ''}
                // A name keeps its parts whole beside columns of long words.
                className={
                  columns[at]?.isNumber === true
                    ? 'font-mono whitespace-nowrap'
                    : `wrap-anywhere ${at === 0 ? 'sm:min-w-32' : ''}`
                }
              >
                {at === 0 && page !== null ? (
                  <Link to={linkOf(page)} className={LINK}>
                    <Path text={text} />
                  </Link>
                ) : (
                  text
                )}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {left > 0 && <p className="text-12 text-ink-quiet">{grouped(left, 0)} more are not shown here.</p>}
    </figure>
  )
}

/** `team/StatefulSet/notebook-1`: it may break behind a slash, where browsers do not break by themselves. */
const Path = ({ text }: { readonly text: string }) =>
  text.split('/').map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a path never move
    <Fragment key={at}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))

const LINK = 'rounded-control text-accent-ink underline underline-offset-2'
