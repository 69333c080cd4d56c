import {
  billPrices,
  csvRecords,
  dollarsOf,
  type FocusRecord,
  type PriceEntry,
  type ReadBill,
  readBill,
  recordOfValues,
} from '@septet/domain'
import { errorText, plural } from '@septet/domain/words'
import { useId, useState } from 'react'

import { type Order, tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { SendForm } from '../form/SendForm.tsx'
import { CAPACITY_WORDS } from './price-words.ts'

type Props = { readonly changed: () => void }

/** Prices out of a cloud's bill: it is read in the browser, shown, and only its prices are sent. */
export function BillImport({ changed }: Props) {
  const id = useId()
  const [bill, setBill] = useState<ReadBill>()
  const [problem, setProblem] = useState<string>()
  const [isReading, setIsReading] = useState(false)
  const take = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return
    setBill(undefined)
    setProblem(undefined)
    setIsReading(true)
    try {
      setBill(await readBillFiles(files))
    } catch (error) {
      setProblem(errorText(error))
    }
    setIsReading(false)
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-13 font-medium">
          FOCUS bill
        </label>
        <input
          id={id}
          type="file"
          multiple
          accept=".csv,.gz,.parquet"
          aria-describedby={`${id}-note`}
          className="max-w-full cursor-pointer text-13 file:mr-3 file:cursor-pointer file:rounded-control file:border file:border-solid file:border-line-strong file:bg-surface file:px-2.5 file:py-1.5 file:text-13 file:text-ink"
          onChange={(event) => void take(Array.from(event.currentTarget.files ?? []))}
        />
        <p id={`${id}-note`} className="text-12 text-ink-soft">
          FOCUS 1.0 to 1.2, as CSV, CSV with gzip, or Parquet; all parts of one bill together. It is read here and stays
          here: only the prices that you set below are sent.
        </p>
      </div>
      {isReading && <p className="text-13 text-ink-soft">Reading the bill.</p>}
      <ProblemBox words={problem} />
      {bill !== undefined && <BillPrices bill={bill} changed={changed} />}
    </div>
  )
}

function BillPrices({ bill, changed }: Props & { readonly bill: ReadBill }) {
  const [rate, setRate] = useState('')
  const inDollars = bill.currency === 'USD'
  const usdPerUnit = inDollars ? 1 : Number(rate)
  const prices = usdPerUnit > 0 ? billPrices(bill, usdPerUnit) : []
  const { total, kinds } = bill
  const put = async () => {
    for (const price of prices) await tell('pricesPut', orderOf(price))
    changed()
    return { done: `${plural(prices.length, 'price')} of the bill ${prices.length === 1 ? 'was' : 'were'} saved.` }
  }
  return (
    <div className="grid gap-3">
      <p className="text-13">
        {plural(total.lines, 'charge')} in {bill.currency}: {money(dollarsOf(total.billed))} billed,{' '}
        {money(dollarsOf(total.effective))} effective, of which {money(dollarsOf(kinds['gpu-machine'].effective))} for
        machines with GPUs, and {money(dollarsOf(kinds['unused-commitment'].effective))} for commitments and{' '}
        {money(dollarsOf(kinds['unused-reservation'].effective))} for unused reserved capacity.
      </p>
      {bill.notes.map((note) => (
        <p key={note} className="text-13 text-ink-soft">
          {note}
        </p>
      ))}
      {!inDollars && (
        <Field
          label={`US dollars for one ${bill.currency}`}
          type="number"
          min="0.000001"
          step="any"
          inputMode="decimal"
          value={rate}
          onChange={(event) => setRate(event.target.value)}
          note="Prices are in US dollars."
        />
      )}
      {prices.length > 0 && <PriceTable prices={prices} />}
      {prices.length > 0 ? (
        <SendForm send={put} submit={`Set ${plural(prices.length, 'price')}`} />
      ) : (
        <p className="text-13 text-ink-soft">
          {inDollars || usdPerUnit > 0
            ? 'This bill has no GPU machines, so it has no GPU prices.'
            : 'Enter the exchange rate to see prices.'}
        </p>
      )}
    </div>
  )
}

const PriceTable = ({ prices }: { readonly prices: readonly PriceEntry[] }) => (
  <Table caption="Prices on the bill" columns={['Machine', 'Region', 'Paid as', 'From', 'USD per GPU-h']}>
    {prices.map(({ id, instanceType, model, region, capacity, effectiveFrom, price }) => (
      <Row key={id}>
        <Cell className="wrap-anywhere">{[instanceType, model].filter(Boolean).join(', ')}</Cell>
        <Cell name="Region">{region}</Cell>
        <Cell name="Paid as">{capacity === undefined ? '' : CAPACITY_WORDS[capacity]}</Cell>
        <Cell name="From">{dayOf(effectiveFrom)}</Cell>
        <Cell name="USD per GPU-h" className="font-mono text-12">
          {price.toFixed(4)}
        </Cell>
      </Row>
    ))}
  </Table>
)

const orderOf = ({ id, source, price, ...of }: PriceEntry): Order<'pricesPut'> => ({
  id,
  source,
  usdPerGpuHour: price,
  model: of.model,
  instanceType: of.instanceType,
  region: of.region,
  capacity: of.capacity,
  effectiveFrom: dayOf(of.effectiveFrom),
})

const dayOf = (at = 0): string => new Date(at).toISOString().slice(0, 10)

const money = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Reads a bill in FOCUS out of files that were chosen, here in the browser: nothing of it is sent anywhere. */
const readBillFiles = (files: readonly File[]): Promise<ReadBill> => readBill(files.map(recordsIn))

const recordsIn = (file: File): AsyncGenerator<FocusRecord> =>
  /\.parquet$/iu.test(file.name) ? parquetRecords(file) : csvRecords(textOf(file))

async function* textOf(file: File): AsyncGenerator<string> {
  const bytes = file.stream()
  const plain = /\.gz$/iu.test(file.name) ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes
  const reader = plain.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
}

/** The reader of Parquet is fetched when somebody chooses such a file. */
async function* parquetRecords(file: File): AsyncGenerator<FocusRecord> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const buffer = {
    byteLength: file.size,
    slice: (from: number, to?: number) => file.slice(from, to).arrayBuffer(),
  }
  const metadata = await parquetMetadataAsync(buffer)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    for (const row of await parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd })) yield recordOfValues(row)
    rowStart = rowEnd
  }
}
