import { rangeText } from '@septet/domain'
import { LIMITS } from 'virtual:limits/reportSchedulesPut'

import { tell, type Answer, type Order } from '../../../api.ts'
import { BROWSER_ZONE, rangeOf } from '../../address/range-choice.ts'
import { useAnswer } from '../../client/use-answer.ts'
import type { Sent } from '../../client/use-sending.ts'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { REPORT_FILE_NAMES, REPORT_FILE_WORDS } from '../../report/report-files.ts'
import { rhythmOf, RHYTHMS } from './rhythm-words.ts'

type Cluster = Answer<'clustersList'>['clusters'][number]
type Schedule = Omit<Order<'reportSchedulesPut'>, 'rhythm'> & { readonly rhythm: string }

const fieldsFor = (clusters: readonly Cluster[]): readonly FieldOf<Schedule>[] => [
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
export function ScheduleForm({ changed }: { readonly changed: () => void }) {
  const clusters = useAnswer('clustersList', {}).data?.clusters ?? []
  const put = async ({ rhythm, range, zone = 'UTC', ...order }: Schedule): Promise<Sent> => {
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
