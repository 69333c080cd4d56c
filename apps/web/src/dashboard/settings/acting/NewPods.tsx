import { plural } from '@septet/domain/words'

import type { Answer } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'

/** What new pods were told and given lately; nothing where the API server has never asked and cannot. */
export function NewPods({ cluster }: { readonly cluster: string }) {
  const answer = useAnswer('admissionList', { cluster, limit: 5 }).data
  if (answer === undefined || (!answer.listening && answer.answers.length === 0)) return undefined
  const { warned, changed, unrecorded, answers } = answer
  return (
    <Panel title="New pods">
      <p className="text-13 text-ink-soft">
        In the last 30 days {plural(warned, 'pod')} with a whole GPU got a warning, and {changed} got a MIG instance
        instead. Right-size on auto lets Septet change pods whose namespace has the label septet.io/admission=mutate.
      </p>
      {(unrecorded ?? 0) > 0 && (
        <p className="mt-1 text-13 text-ink-soft">
          {plural(unrecorded ?? 0, 'answer')} since Septet started could not be written down, because the database was
          away for too long. The pods got them; the counts and the list lack them.
        </p>
      )}
      <ul className="divide-y divide-line">
        {answers.map((each) => (
          <PodLine key={`${each.at} ${each.namespace}/${each.pod}`} told={each} />
        ))}
      </ul>
    </Panel>
  )
}

const PodLine = ({ told }: { readonly told: Answer<'admissionList'>['answers'][number] }) => (
  <li className="py-2.5">
    <p className="flex flex-wrap items-baseline gap-x-2 text-13">
      <span className="font-medium wrap-anywhere">
        {told.namespace}/{told.pod}
      </span>
      <Badge tone="secondary">{told.kind === 'changed' ? 'Changed' : 'Warned'}</Badge>
      <span className="text-12 text-ink-soft">{dayTime(told.at)}</span>
    </p>
    <p className="text-12 text-ink-soft wrap-anywhere">{told.said}</p>
  </li>
)
