import { rangeText } from '@septet/domain'
import { LIMITS } from 'virtual:limits/reportSchedulesPut'

import { type Answer, type Order, tell } from '../../../api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { BROWSER_ZONE, rangeOf, rangeWords } from '../../address/range-choice.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import type { Sent } from '../../client/use-sending.ts'
import { AskedButton } from '../../form/AskedButton.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { REPORT_FILE_NAMES, REPORT_FILE_WORDS } from '../../report/report-files.ts'

type Schedule = Answer<'reportSchedulesList'>['schedules'][number]

/** Which reports go to whom by mail, and when. */
export function ReportsPage() {
  const schedules = useAnswer('reportSchedulesList', {})
  const { busy, problem, send } = useCommand('reportSchedulesRemove', {
    after: () => schedules.refetch(),
    done: ({ id }) => `Removed ${id}.`,
  })
  return (
    <div className="grid gap-4">
      <Panel title="Schedules">
        <Answered answer={schedules}>
          {(data) => (
            <>
              {data.mail === 'kept' && (
                <p className="mb-3 max-w-2xl text-13 text-ink-soft">
                  No mail server is configured (SEPTET_SMTP_URL): emails stay in the outbox, with a link instead of
                  files.
                </p>
              )}
              <Table
                caption="Scheduled reports"
                columns={['Name', 'Of', 'When', 'To', 'Last sent', '']}
                empty="No scheduled reports yet."
              >
                {data.schedules.map((schedule) => (
                  <ScheduleRow
                    key={schedule.id}
                    schedule={schedule}
                    busy={busy}
                    remove={() => send({ id: schedule.id })}
                  />
                ))}
              </Table>
              <ProblemBox words={problem} className="mt-3" />
            </>
          )}
        </Answered>
      </Panel>
      {schedules.data !== undefined && (
        <Panel title="Schedule a report">
          <ScheduleForm changed={() => void schedules.refetch()} />
        </Panel>
      )}
    </div>
  )
}

type RowProps = { readonly schedule: Schedule; readonly busy: boolean; readonly remove: () => void }

const ScheduleRow = ({ schedule, busy, remove }: RowProps) => (
  <Row>
    <Cell>
      <span className="block font-mono wrap-anywhere max-sm:font-medium">{schedule.id}</span>
      <span className="text-12 text-ink-quiet">{schedule.files.join(', ')}</span>
    </Cell>
    <Cell name="Of">
      {schedule.cluster ?? 'first cluster'}, {rangeWords(rangeOf(schedule.range, 'UTC'), schedule.zone).toLowerCase()}
      {schedule.namespaces !== undefined && <span className="block text-ink-soft">{schedule.namespaces}</span>}
    </Cell>
    <Cell name="When">
      {rhythmWords(schedule)}
      {schedule.next !== null && <span className="block text-12 text-ink-quiet">next {dayTime(schedule.next)}</span>}
    </Cell>
    <Cell name="To">
      <span className="wrap-anywhere">{schedule.recipients.join(', ')}</span>
    </Cell>
    <Cell name="Last sent">
      {schedule.last === null ? 'not yet' : `${dayTime(schedule.last.at)}: ${schedule.last.outcome}`}
    </Cell>
    <Cell className="pr-0 text-right max-sm:pt-2">
      <AskedButton
        verb="Remove"
        label={`Remove ${schedule.id}`}
        consequence="This report is no longer sent."
        busy={busy}
        send={remove}
      />
    </Cell>
  </Row>
)

type Cluster = Answer<'clustersList'>['clusters'][number]
type ScheduleFormSchedule = Omit<Order<'reportSchedulesPut'>, 'rhythm'> & { readonly rhythm: string }

const fieldsFor = (clusters: readonly Cluster[]): readonly FieldOf<ScheduleFormSchedule>[] => [
  {
    at: 'id',
    label: 'Name',
    note: 'Lowercase letters, digits and dashes, such as weekly-cost.',
  },
  { at: 'recipients', label: 'To', note: 'Email addresses, separated by commas.' },
  { at: 'cluster', label: 'Cluster', choices: clusters.map(({ id, name }) => ({ value: id, words: name })) },
  { at: 'namespaces', label: 'Only these namespaces', note: 'Separated by commas. Leave empty for all.' },
  {
    at: 'range',
    label: 'Over',
    choices: [
      { value: 'last-week', words: 'the week before' },
      { value: 'last-month', words: 'the month before' },
      { value: '24h', words: 'the last 24 hours' },
      { value: '7d', words: 'the last 7 days' },
      { value: '30d', words: 'the last 30 days' },
    ],
  },
  { at: 'rhythm', label: 'How often', choices: RHYTHMS },
  { at: 'time', label: 'Time of day', input: { type: 'time' } },
  { at: 'zone', label: 'Time zone', input: { required: true } },
  {
    at: 'files',
    label: 'Files',
    wide: true,
    choices: REPORT_FILE_NAMES.map((value) => ({
      value,
      words: (
        <>
          {REPORT_FILE_WORDS[value].name}{' '}
          <span className="font-mono text-12 text-ink-quiet">{REPORT_FILE_WORDS[value].kind}</span>
        </>
      ),
    })),
  },
]

/** Sets what is reported, to whom and when. */
function ScheduleForm({ changed }: { readonly changed: () => void }) {
  const clusters = useAnswer('clustersList', {}).data?.clusters ?? []
  const put = async ({ rhythm, range, zone = 'UTC', ...order }: ScheduleFormSchedule): Promise<Sent> => {
    if (order.files.length === 0) return { problem: 'Choose at least one file.' }
    const over = rangeOf(range ?? 'last-week', 'UTC')
    // Weeks and months begin in the zone that the mail is timed by.
    const zoned = rangeText(over.kind === 'calendar' ? { ...over, zone } : over)
    const { id } = await tell('reportSchedulesPut', { ...order, range: zoned, rhythm: rhythmOf(rhythm), zone })
    changed()
    return { done: `Scheduled ${id}.` }
  }
  return (
    <SchemaForm
      key={clusters[0]?.id}
      limits={LIMITS}
      value={{
        id: '',
        recipients: [],
        cluster: clusters[0]?.id,
        range: 'last-week',
        rhythm: 'week-1',
        time: '08:00',
        zone: BROWSER_ZONE,
        files: ['pdf'],
      }}
      fields={fieldsFor(clusters)}
      submit="Schedule"
      repeats
      send={put}
    />
  )
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** When a report is mailed: "every Monday at 08:00 (UTC)". */
export function rhythmWords({ rhythm, time, zone }: Pick<Schedule, 'rhythm' | 'time' | 'zone'>): string {
  const at = `at ${time} (${zone})`
  if (rhythm.every === 'day') return `every day ${at}`
  if (rhythm.every === 'week') return `every ${WEEKDAYS[rhythm.weekday - 1] ?? 'week'} ${at}`
  return `on day ${rhythm.day} of each month ${at}`
}

/** The choices of the form: `day`, `week-1` to `week-7`, `month-1`. */
export const RHYTHMS: readonly { readonly value: string; readonly words: string }[] = [
  { value: 'day', words: 'every day' },
  ...WEEKDAYS.map((day, index) => ({ value: `week-${index + 1}`, words: `every ${day}` })),
  { value: 'month-1', words: 'on the first of each month' },
  { value: 'month-15', words: 'on the 15th of each month' },
]

/** What a choice of the form means. */
export function rhythmOf(value: string): Schedule['rhythm'] {
  const [every, number] = value.split('-')
  if (every === 'week') return { every, weekday: Number(number) }
  return every === 'month' ? { every, day: Number(number) } : { every: 'day' }
}
