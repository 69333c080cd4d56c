import { rangeText } from '@septet/domain'

import { tell } from '../../../api.ts'
import { Field } from '../../../ui/Field.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { BROWSER_ZONE, rangeOf } from '../../address/range-choice.ts'
import { REPORT_FILE_NAMES, REPORT_FILE_WORDS } from '../../report/report-files.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { rhythmOf, RHYTHMS } from './rhythm-words.ts'
import { SendForm } from '../../form/SendForm.tsx'
import type { Sent } from '../../client/use-sending.ts'

const RANGES = [
  { value: 'last-week', words: 'the week before' },
  { value: 'last-month', words: 'the month before' },
  { value: '24h', words: 'the last 24 hours' },
  { value: '7d', words: 'the last 7 days' },
  { value: '30d', words: 'the last 30 days' },
] as const

/** Sets what is reported, to whom and when. */
export function ScheduleForm({ changed }: { readonly changed: () => void }) {
  const clusters = useAnswer('clustersList', {}).data?.clusters ?? []
  const put = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const order = orderOf(data)
    if (order.files.length === 0) return { problem: 'Choose at least one file.' }
    const { id } = await tell('reportSchedulesPut', order)
    changed()
    form.reset()
    return { done: `Scheduled ${id}.` }
  }
  return (
    <SendForm send={put} submit="Schedule">
      <Field
        label="Name"
        name="id"
        required
        pattern="[a-z0-9][a-z0-9._\-]{0,62}"
        verbatim
        note="Lowercase letters, digits and dashes, such as weekly-cost."
      />
      <Field label="To" name="recipients" required verbatim note="Email addresses, separated by commas." />
      <SelectField
        key={clusters.length}
        label="Cluster"
        name="cluster"
        defaultValue={clusters[0]?.id ?? ''}
        choices={clusters.map(({ id, name }) => ({ value: id, words: name }))}
      />
      <Field
        label="Only these namespaces"
        name="namespaces"
        verbatim
        note="Separated by commas. Leave empty for all."
      />
      <SelectField label="Over" name="range" defaultValue="last-week" choices={RANGES} />
      <SelectField label="How often" name="rhythm" defaultValue="week-1" choices={RHYTHMS} />
      <Field label="Time of day" name="time" type="time" required defaultValue="08:00" />
      <Field label="Time zone" name="zone" required defaultValue={BROWSER_ZONE} autoComplete="off" spellCheck={false} />
      <FileChoice />
    </SendForm>
  )
}

const FileChoice = () => (
  <fieldset className="sm:col-span-2">
    <legend className="mb-2 text-13 font-medium">Files</legend>
    <div className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
      {REPORT_FILE_NAMES.map((file) => (
        <label key={file} className="flex min-h-6 items-center gap-2 text-13">
          <input
            type="checkbox"
            name="files"
            value={file}
            defaultChecked={file === 'pdf'}
            className="size-4 accent-accent"
          />
          {REPORT_FILE_WORDS[file].name}
          <span className="font-mono text-12 text-ink-quiet">{REPORT_FILE_WORDS[file].kind}</span>
        </label>
      ))}
    </div>
  </fieldset>
)

function orderOf(data: FormData): Parameters<typeof tell<'reportSchedulesPut'>>[1] {
  const zone = formText(data, 'zone').trim()
  const over = rangeOf(formText(data, 'range'), 'UTC')
  const namespaces = formText(data, 'namespaces').trim()
  const chosen = new Set(data.getAll('files').map(String))
  return {
    id: formText(data, 'id').trim(),
    cluster: formText(data, 'cluster'),
    // Weeks and months begin in the zone that the mail is timed by.
    range: rangeText(over.kind === 'calendar' ? { ...over, zone } : over),
    ...(namespaces === '' ? {} : { namespaces }),
    files: REPORT_FILE_NAMES.filter((file) => chosen.has(file)),
    recipients: formText(data, 'recipients')
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    rhythm: rhythmOf(formText(data, 'rhythm')),
    time: formText(data, 'time'),
    zone,
  }
}
