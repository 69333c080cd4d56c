import type { Answer } from '../../../api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { rangeOf, rangeWords } from '../../address/range-choice.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { AskedButton } from '../../form/AskedButton.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { useCommand } from '../../client/use-command.ts'
import { rhythmWords } from './rhythm-words.ts'
import { ScheduleForm } from './ScheduleForm.tsx'

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
        question={`Remove ${schedule.id}?`}
        consequence="This report is no longer sent."
        busy={busy}
        send={remove}
      />
    </Cell>
  </Row>
)
