import type { Answer } from '../../../api.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'

type Call = Answer<'agentsCalls'>['calls'][number]

/** Who called which tool, and how it ended, as it happens. */
export function CallsPanel() {
  const calls = useAnswer('agentsCalls', { limit: SHOWN })
  return (
    <Panel
      title="Calls"
      aside={<span className="text-12 text-ink-quiet">Since this Septet started, newest first</span>}
    >
      <Answered answer={calls}>
        {(data) => (
          <Table caption="Calls of agents" columns={['Time', 'Caller', 'Tool', 'Outcome', 'Took']} empty={NONE}>
            {data.calls.map((call, place) => (
              <CallRow key={`${call.at} ${data.calls.length - place}`} call={call} />
            ))}
          </Table>
        )}
      </Answered>
    </Panel>
  )
}

const SHOWN = 100
const NONE =
  'No agent has called yet. Calls show here as they happen: who, which tool and how it ended. What was asked for is not kept.'

const CallRow = ({ call: { at, caller, tool, outcome, because, milliseconds } }: { readonly call: Call }) => (
  <Row>
    <Cell name="Time" className="whitespace-nowrap">
      <time dateTime={at}>{dayTime(at)}</time>
    </Cell>
    <Cell name="Caller" className="wrap-anywhere">
      {caller}
    </Cell>
    <Cell name="Tool" className="font-mono wrap-anywhere">
      {tool}
    </Cell>
    <Cell name="Outcome">
      <Badge tone={TONES[outcome]}>{WORDS[outcome]}</Badge>
      {because !== null && <span className="mt-0.5 block text-12 text-ink-soft wrap-anywhere">{because}</span>}
    </Cell>
    <Cell name="Took" className="font-mono whitespace-nowrap">
      {Math.round(milliseconds)} ms
    </Cell>
  </Row>
)

const WORDS = {
  answered: 'answered',
  refused: 'refused',
  asked: 'asked a person',
  confirmed: 'a person said yes',
  declined: 'a person said no',
  cancelled: 'cancelled',
} satisfies Record<Call['outcome'], string>

const TONES = {
  answered: 'secondary',
  refused: 'destructive',
  asked: 'warning',
  confirmed: 'good',
  declined: 'secondary',
  cancelled: 'secondary',
} satisfies Record<Call['outcome'], Tone>
