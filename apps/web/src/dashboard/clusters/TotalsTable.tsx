import type { Answer } from '../../api.ts'
import { FigureText } from '../../ui/FigureText.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { To } from '../address/To.tsx'

type Totals = Answer<'clustersTotals'>
type Cluster = Totals['clusters'][number]

const FIGURES = [
  ['gpus', 'GPUs'],
  ['capacity', 'Cost'],
  ['idleHeld', 'Idle-held'],
  ['unallocated', 'Unallocated'],
  ['waiting', 'Waiting'],
  ['bill', 'Est. savings'],
  ['freed', 'Est. freed'],
  ['verifiedBill', 'Saved'],
  ['verifiedFreed', 'Freed'],
] as const

/** Without a change there is nothing that could have been measured. */
const unknownOf = (key: (typeof FIGURES)[number][0]) => (key.startsWith('verified') ? { unknown: 'None yet' } : {})

const NUMBER = 'text-right whitespace-nowrap last:pr-0'
const COLUMNS = ['Cluster', ...FIGURES.map(([, name]) => name)]

/** The total first, then each cluster with the age of its data, or why it is not in the total. */
export function TotalsTable({ totals }: { readonly totals: Totals }) {
  return (
    <>
      <Table caption="Cost and waste of all clusters" columns={COLUMNS} numbersFrom={1}>
        <Row>
          <Cell className="font-semibold">Total</Cell>
          {FIGURES.map(([key, column]) => (
            <Cell key={key} name={column} className={`font-semibold ${NUMBER}`}>
              <FigureText figure={totals[key]} name={`${column} of all clusters`} {...unknownOf(key)} />
            </Cell>
          ))}
        </Row>
        {totals.clusters.map((cluster) => (
          <ClusterRow key={cluster.id} cluster={cluster} />
        ))}
      </Table>
      <p className="mt-3 max-w-3xl text-12 text-ink-soft">
        <em>Est. savings</em> and <em>Est. freed</em> are monthly estimates for open recommendations. <em>Saved</em> and{' '}
        <em>Freed</em> were measured after Septet made a change, over all time. Savings come off the bill. Freed
        capacity serves other work, and the bill stays the same.
      </p>
    </>
  )
}

function ClusterRow({ cluster: { id, name, asOf, age, leftOut, figures } }: { readonly cluster: Cluster }) {
  const now = useNow()
  return (
    <Row>
      <Cell className="min-w-40 max-sm:font-medium">
        <To path="/" more={{ cluster: id }} look="plain" className="font-medium">
          <bdi className="wrap-anywhere">{name}</bdi>
        </To>
        <span className="block text-12 font-normal text-ink-quiet">
          {asOf === null ? 'not read yet' : `as of ${ago(asOf, now)}`}
        </span>
        {age !== undefined && <span className="block text-12 font-normal text-ink-soft">{age}</span>}
      </Cell>
      {figures === null ? (
        <Cell span={FIGURES.length} className="text-12 text-ink-soft">
          Not included. {leftOut}
        </Cell>
      ) : (
        FIGURES.map(([key, column]) => (
          <Cell key={key} name={column} className={NUMBER}>
            <FigureText figure={figures[key]} name={`${column} of ${name}`} {...unknownOf(key)} />
          </Cell>
        ))
      )}
    </Row>
  )
}
