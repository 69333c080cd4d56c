import { droppedBy, instant } from '@septet/domain'
import { short } from '@septet/domain/words'
import { useState } from 'react'
import { LIMITS } from 'virtual:limits/retentionPut'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'

import { Form } from '../../../ui/Form.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayName } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { bytesWords } from '../bytes-words.ts'
import { boundsAt } from '../../form/limits.ts'
import { SchemaFields, type FieldOf } from '../../form/SchemaFields.tsx'
import { showWrong } from '../../form/show-wrong.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { mayAs } from '../../words/role-words.ts'
import { useSending } from '../../client/use-sending.ts'

type View = Answer<'retentionGet'>

/** How long usage is kept, what is stored now, and what a change would drop. */
export function RetentionPage() {
  const answer = useAnswer('retentionGet', {})
  return (
    <div className="grid gap-4">
      <Answered answer={answer}>
        {(view) => (
          <>
            <StoredPanel view={view} />
            <KeepPanel key={JSON.stringify(view.days)} view={view} changed={() => void answer.refetch()} />
          </>
        )}
      </Answered>
    </div>
  )
}

type Stored = View['stored']
type Days = View['days']
/** What goes of the rows of one length. */
type Loss = { readonly span: keyof Days; readonly rows: number; readonly bytes: number }

type LossQuestion = { readonly stored: Stored; readonly days: Days; readonly now: number }

/** What is dropped when rows are kept for so many days; empty when nothing is. */
const lossOf = ({ stored, days, now }: LossQuestion): readonly Loss[] =>
  (['5m', '1h', '1d'] as const).flatMap((span) => {
    const parts = stored[span].parts.map((part) => ({
      ...part,
      from: instant(Date.parse(part.from)),
      to: instant(Date.parse(part.to)),
    }))
    const lost = droppedBy(parts, days[span], instant(now))
    return lost.rows > 0 ? [{ span, ...lost }] : []
  })

const SPANS = [
  { span: '5m', name: 'Five-minute rows', use: 'the last hours and idle stretches' },
  { span: '1h', name: 'Hourly rows', use: 'days and weeks, right sizes' },
  { span: '1d', name: 'Daily rows', use: 'months, budgets and waits' },
] as const

const StoredPanel = ({ view }: { readonly view: View }) => (
  <Panel
    title="Stored now"
    aside={
      view.databaseBytes === null ? undefined : (
        <span className="text-13 text-ink-soft">{bytesWords(view.databaseBytes)} in the whole database</span>
      )
    }
  >
    <Table caption="Stored usage" columns={['What', 'Kept', 'Rows', 'Size', 'First', 'Last']}>
      {SPANS.map(({ span, name, use }) => (
        <Row key={span}>
          <Cell className="max-sm:font-medium">
            {name}
            <span className="block text-12 text-ink-soft">for {use}</span>
          </Cell>
          <Cell name="Kept" className="font-mono whitespace-nowrap">
            {view.days[span]} d
          </Cell>
          <Cell name="Rows" className="font-mono whitespace-nowrap">
            about {short(view.stored[span].rows)}
          </Cell>
          <Cell name="Size" className="font-mono whitespace-nowrap">
            {bytesWords(view.stored[span].bytes)}
          </Cell>
          <Cell name="First" className="whitespace-nowrap">
            {dayOf(view.stored[span].first)}
          </Cell>
          <Cell name="Last" className="whitespace-nowrap">
            {dayOf(view.stored[span].last)}
          </Cell>
        </Row>
      ))}
    </Table>
    <p className="mt-3 max-w-3xl text-12 text-ink-soft">
      Rows are deleted in whole partitions: a day of five-minute rows, a week of hourly rows, a month of daily rows. Row
      counts are estimates from the database.
    </p>
  </Panel>
)

const dayOf = (at: string | null): string => (at === null ? 'none' : dayName(at))

type KeepProps = { readonly view: View; readonly changed: () => void }

const fieldsOf = (defaults: Days): readonly FieldOf<Days>[] =>
  SPANS.map(({ span, name }) => ({
    at: span,
    label: name,
    unit: 'days',
    note: `${boundsAt(LIMITS, span)}; ${defaults[span]} by default.`,
  }))

function KeepPanel({ view, changed }: KeepProps) {
  const isAdmin = mayAs(useAnswer('sessionMe', {}).data?.role, 'admin')
  const [days, setDays] = useState<Days>(view.days)
  // The days whose loss was shown, and is to be confirmed.
  const [asked, setAsked] = useState<Days>()
  const now = useNow()
  const { busy, problem, run } = useSending()
  const loss = lossOf({ stored: view.stored, days, now })
  const put = (): Promise<void> =>
    run(async () => {
      await tell('retentionPut', { ...days, confirmed: loss.length > 0 })
      setAsked(undefined)
      changed()
      return { done: 'Retention saved. It applies within minutes.' }
    })
  return (
    <Panel title="Keep">
      <Form
        className="grid gap-4"
        onInvalidCapture={showWrong}
        send={() => {
          if (loss.length > 0 && asked !== days) setAsked(days)
          else void put()
        }}
      >
        <fieldset disabled={!isAdmin} className="grid max-w-3xl min-w-0 gap-4 sm:grid-cols-3">
          <SchemaFields limits={LIMITS} fields={fieldsOf(view.defaults)} value={days} change={setDays} />
        </fieldset>
        {loss.length > 0 && <LossWords stored={view.stored} loss={loss} />}
        <ProblemBox words={problem} />
        <SaveRow isAdmin={isAdmin} busy={busy} asked={asked === days} keep={() => setAsked(undefined)} />
      </Form>
    </Panel>
  )
}

type SaveProps = {
  readonly isAdmin: boolean
  readonly busy: boolean
  /** Whether it has to be confirmed now. */
  readonly asked: boolean
  readonly keep: () => void
}

const SaveRow = ({ isAdmin, busy, asked, keep }: SaveProps) =>
  isAdmin ? (
    <div className="flex flex-wrap items-center gap-3">
      <SubmitButton busy={busy}>{asked ? 'Delete and save' : 'Save'}</SubmitButton>
      {asked && <Button onClick={keep}>Keep</Button>}
      {asked && (
        <span role="alert" className="text-13">
          Deleted rows cannot be restored. Continue?
        </span>
      )}
    </div>
  ) : (
    <p className="text-13 text-ink-soft">Only admins can change this.</p>
  )

type LossProps = { readonly stored: Stored; readonly loss: readonly Loss[] }

const LossWords = ({ stored, loss }: LossProps) => (
  <ul className="grid gap-1 rounded-control bg-idle-soft px-3 py-2 text-13">
    {loss.map(({ span, rows, bytes }) => (
      <li key={span}>
        This deletes about {short(rows)} of {short(stored[span].rows)} {NAMES[span]} rows ({bytesWords(bytes)}) within
        minutes.
      </li>
    ))}
  </ul>
)

const NAMES = { '5m': 'five-minute', '1h': 'hourly', '1d': 'daily' } as const
