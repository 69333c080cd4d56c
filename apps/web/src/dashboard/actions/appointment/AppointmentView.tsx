import { useState } from 'react'
import { useSearchParams } from 'react-router'

import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { formText } from '../../../ui/form-text.ts'
import { NoticeBox } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { useUrlState } from '../../address/url-state.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { usePlan } from '../../client/use-computed.ts'
import { AppointmentResult } from './AppointmentAnswer.tsx'
import { askOf, orderOf, readAsk, writeAsk, type AppointmentForm, type AskText } from './appointment-ask.ts'

/** "64 GPUs by Monday 09:00": what is wanted, and what it takes. */
export function AppointmentView() {
  const { cluster } = useUrlState()
  const [search, setSearch] = useSearchParams()
  const planning = usePlan()
  const [sent, setSent] = useState<AppointmentForm>()
  const { state } = planning
  const [now] = useState(() => new Date())
  const ask = readAsk(search, now)
  const send = (data: FormData): void => {
    const asked = fieldsOf(data)
    setSearch((before) => writeAsk(before, asked))
    const form = askOf(asked, cluster)
    setSent(form)
    planning.start(orderOf(form))
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <Panel title="What you need, and when">
        <Form send={send} className="grid max-w-4xl gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <AskFields key={cluster} ask={ask} cluster={cluster} />
          <TermFields key={`terms of ${cluster}`} ask={ask} />
          <div className="col-span-full flex flex-wrap items-center gap-3">
            <SubmitButton busy={state.kind === 'running'}>Plan it</SubmitButton>
            <p className="text-12 text-ink-soft">Planning changes nothing.</p>
          </div>
        </Form>
      </Panel>
      {state.kind === 'failed' && <NoticeBox tone="fault">{state.problem}</NoticeBox>}
      {state.kind === 'done' && sent !== undefined && <AppointmentResult ask={sent} plan={state.result} />}
    </div>
  )
}

const fieldsOf = (data: FormData): AskText => ({
  gpus: formText(data, 'gpus'),
  cut: formText(data, 'cut').trim(),
  per: formText(data, 'per'),
  board: formText(data, 'board'),
  at: formText(data, 'at'),
  hours: formText(data, 'hours'),
  for: formText(data, 'for').trim(),
  longest: formText(data, 'longest'),
  evict: formText(data, 'evict'),
})

/** GPUs of one node that belong together. */
const SIZES = [
  { value: '1', words: 'On any nodes' },
  { value: '2', words: '2 on a node' },
  { value: '4', words: '4 on a node' },
  { value: '8', words: '8 on a node' },
]

/** What is needed. */
function AskFields({ ask, cluster }: { readonly ask: AskText; readonly cluster: string | undefined }) {
  const boards = useAnswer('partitionsList', { cluster, mig: 'false', limit: '1' }).data?.facets.models ?? []
  return (
    <>
      <Field label="GPUs" name="gpus" type="number" min={1} max={100_000} required defaultValue={ask.gpus} />
      <Field
        label="MIG profile"
        name="cut"
        maxLength={20}
        pattern="[1-9]g\.[0-9]{1,3}gb([+\-][a-z.]+)?"
        verbatim
        defaultValue={ask.cut}
        note="Such as 1g.20gb, with current layouts. Leave empty for whole GPUs."
      />
      <SelectField label="Together" name="per" defaultValue={ask.per} choices={SIZES} />
      <SelectField
        key={boards.length}
        label="Board"
        name="board"
        defaultValue={ask.board}
        choices={[{ value: '', words: 'Any' }, ...boards.map(({ name }) => ({ value: name, words: name }))]}
      />
    </>
  )
}

/** When, for whom, and what may be done for it. */
function TermFields({ ask }: { readonly ask: AskText }) {
  return (
    <>
      <Field
        label="For namespace"
        name="for"
        maxLength={63}
        pattern="[a-z0-9]([-a-z0-9]*[a-z0-9])?"
        verbatim
        defaultValue={ask.for}
        note="Optional: who the GPUs are for."
      />
      <Field label="Free by" name="at" type="datetime-local" required defaultValue={ask.at} note="Your local time." />
      <Field
        label="For hours"
        name="hours"
        type="number"
        min={0.25}
        max={8784}
        step={0.25}
        required
        defaultValue={ask.hours}
      />
      <Field
        label="Max evictions"
        name="evict"
        type="number"
        min={0}
        max={1000}
        required
        defaultValue={ask.evict}
        note="Pods the plan may stop."
      />
      <Field
        label="Max job length, hours"
        name="longest"
        type="number"
        min={0.25}
        max={8784}
        step={0.25}
        defaultValue={ask.longest}
        note="If you enforce one, nodes drain that long in advance instead of now."
      />
    </>
  )
}
