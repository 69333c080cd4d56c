import { short } from '@septet/domain/words'
import { useState } from 'react'

import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DocLink } from '../../ui/DocLink.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { rangeWords } from '../address/range-choice.ts'
import { Answered } from '../panel/Answered.tsx'
import { AskedButton } from '../form/AskedButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { useCommand } from '../client/use-command.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { machineOf, pricePlace, type ShownPrice, scopeWords, type UsedPrices as Used } from './price-words.ts'
import { BillImport } from './BillImport.tsx'
import { OpenCostPanel } from './OpenCostPanel.tsx'
import { PriceForm } from './PriceForm.tsx'

/** At which prices everything here is, where they are from, and how to set one's own. */
export function PricesView() {
  const { cluster, over, range, zone } = useUrlState()
  const used = useAnswer('pricesUsed', { cluster, range })
  const book = useAnswer('pricesList', {})
  const role = useAnswer('sessionMe', {}).data?.role
  const [edited, setEdited] = useState<ShownPrice>()
  const changed = async (): Promise<void> => {
    setEdited(undefined)
    await Promise.all([book.refetch(), used.refetch()])
  }
  const { busy, problem, send } = useCommand('pricesRemove', {
    after: changed,
    done: ({ id }) => `Price ${id} removed. Amounts update within seconds.`,
  })
  return (
    <div className="grid gap-4">
      <Panel title="Prices in use" aside={<span className="text-12 text-ink-quiet">{rangeWords(over, zone)}</span>}>
        <Answered answer={used}>{(data) => <UsedPrices data={data} />}</Answered>
      </Panel>
      <Panel title="Price book">
        <Answered answer={book}>
          {({ prices }) => (
            <PriceBook
              prices={prices}
              busy={busy}
              edit={role === 'admin' ? setEdited : undefined}
              remove={(id) => send({ id })}
            />
          )}
        </Answered>
        <ProblemBox words={problem} />
      </Panel>
      {book.data !== undefined && used.data !== undefined && (
        <Panel title={edited === undefined ? 'Set a price' : `Change ${edited.id}`}>
          {role === 'admin' ? (
            <PriceForm
              key={edited?.id}
              edited={edited}
              book={book.data.prices}
              used={used.data}
              changed={() => void changed()}
            />
          ) : (
            <PanelEmpty>Only admins can set prices.</PanelEmpty>
          )}
        </Panel>
      )}
      {role === 'admin' && (
        <Panel title="Prices from a bill">
          <BillImport changed={() => void changed()} />
        </Panel>
      )}
      {(role === 'admin' || role === 'operator') && <OpenCostPanel mayEdit={role === 'admin'} />}
    </div>
  )
}

/** Cents at least, so that prices can be compared down a column, and the whole of what was set. */
const perHour = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

function UsedPrices({ data }: { readonly data: Used }) {
  if (data.source.kind === 'sample') return <PanelEmpty>Sample data has no GPUs to price. Choose a cluster.</PanelEmpty>
  if (data.uses.length === 0) {
    return <PanelEmpty>No GPU was seen in this window. Prices set below apply once there is one.</PanelEmpty>
  }
  const unpriced = data.uses.filter(({ usdPerGpuHour }) => usdPerGpuHour === null)
  return (
    <div className="grid gap-3">
      {unpriced.length > 0 && (
        <p className="text-13">
          <Badge tone="warning">No price</Badge>{' '}
          {unpriced.map(({ model, pool }) => pricePlace({ model, pool })).join(', ')}. Their GPU-hours are in no amount.
        </p>
      )}
      <Table
        caption="Prices by model, pool and machine"
        columns={['Model', 'Pool, machine', 'Price from', 'GPU-h', 'USD per GPU-h']}
        numbersFrom={3}
      >
        {data.uses.map(({ model, pool, gpuHours, usdPerGpuHour, source, asOf, estimate, ...machine }) => (
          <Row key={[model, pool, machineOf(machine), usdPerGpuHour].join(' ')}>
            <Cell className="sm:whitespace-nowrap">{model}</Cell>
            <Cell name="Pool, machine" className="wrap-anywhere">
              {pool === '' ? 'no pool' : pool}
              <span className="block text-12 text-ink-soft sm:whitespace-nowrap">
                {machineOf(machine) || 'machine not labeled'}
              </span>
            </Cell>
            <Cell name="Price from" className="text-12 text-ink-soft">
              <PriceSource source={source} estimate={estimate} asOf={asOf} />
            </Cell>
            <Cell name="GPU-h" className="text-right font-mono text-12">
              {short(gpuHours)}
            </Cell>
            <Cell name="USD per GPU-h" className="pr-0 text-right font-mono text-12">
              {usdPerGpuHour === null ? (
                <span className="font-sans text-ink-soft">unknown</span>
              ) : (
                perHour.format(usdPerGpuHour)
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}

type SourceProps = { readonly source: string; readonly estimate: boolean; readonly asOf: string | null }

const PriceSource = ({ source, estimate, asOf }: SourceProps) => (
  <>
    {estimate && (
      <>
        <Badge tone="warning">Estimate</Badge>{' '}
      </>
    )}
    {source}
    {asOf !== null && (
      <>
        , <span className="whitespace-nowrap">{asOf.slice(0, 10)}</span>
      </>
    )}
  </>
)

type BookProps = {
  readonly prices: readonly ShownPrice[]
  readonly busy: boolean
  readonly edit: ((price: ShownPrice) => void) | undefined
  readonly remove: (id: string) => void
}

function PriceBook({ prices, busy, edit, remove }: BookProps) {
  const [shipped, setShipped] = useState(false)
  const own = prices.filter(({ origin }) => origin === 'operator')
  const shown = shipped ? prices : own
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-soft">
        {own.length} of your own, {prices.length - own.length} shipped list prices. Your own win over shipped ones, and
        the more specific entry wins: pool, cluster, machine, model.{' '}
        <DocLink to="prices-and-bills#which-price-applies" about="which price applies" />
      </p>
      {shown.length > 0 && (
        <Table caption="Entries of the price book" columns={['Entry', 'For', 'USD per GPU-h', 'From', '']}>
          {shown.map((price) => (
            <Row key={price.id}>
              <Cell className="wrap-anywhere">{price.id}</Cell>
              <Cell name="For">{scopeWords(price)}</Cell>
              <Cell name="USD per GPU-h" className="font-mono text-12">
                {perHour.format(price.usdPerGpuHour)}
              </Cell>
              <Cell name="From" className="text-12 text-ink-soft">
                <PriceSource {...price} />
              </Cell>
              <Cell className="text-right whitespace-nowrap">
                {edit !== undefined && price.origin === 'operator' && (
                  <span className="inline-flex gap-1.5">
                    <Button aria-label={`Change the price ${price.id}`} onClick={() => edit(price)}>
                      Change
                    </Button>
                    <AskedButton
                      verb="Remove"
                      label={`Remove the price ${price.id}`}
                      consequence="Its GPUs take the next price that applies, and all amounts follow."
                      busy={busy}
                      send={() => remove(price.id)}
                    />
                  </span>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Button className="justify-self-start" aria-expanded={shipped} onClick={() => setShipped(!shipped)}>
        {shipped ? 'Hide shipped prices' : 'Show shipped prices'}
      </Button>
    </div>
  )
}
