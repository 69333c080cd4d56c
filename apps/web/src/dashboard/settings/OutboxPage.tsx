import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'

type Mail = Answer<'mailsList'>['mails'][number]

/** Emails that were written, for installations without a mail server. */
export function OutboxPage() {
  const mails = useAnswer('mailsList', {})
  return (
    <Panel title="Emails">
      <p className="mb-3 max-w-2xl text-13 text-ink-soft">
        SEPTET_SMTP_URL is not set, so Septet sends no email. Copy a link or code from here; each works once.
      </p>
      <Answered answer={mails}>
        {(data) =>
          data.mails.length === 0 ? (
            <p className="py-2 text-13 text-ink-soft">The outbox is empty.</p>
          ) : (
            <ul className="grid divide-y divide-line border-t border-line">
              {data.mails.map((mail) => (
                <Email key={mail.id} mail={mail} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  )
}

const Email = ({ mail }: { readonly mail: Mail }) => (
  <li className="py-2.5 text-13">
    <details className="group">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 rounded-control">
        <span className="font-medium">{mail.subject}</span>
        <span className="text-ink-soft wrap-anywhere">to {mail.to}</span>
        <span className="text-ink-quiet">{dayTime(mail.at)}</span>
        <Badge tone={mail.outcome === 'sent' ? 'good' : 'secondary'}>{mail.outcome}</Badge>
      </summary>
      <pre className="mt-2 overflow-x-auto rounded-control bg-sunken px-3 py-2 font-mono text-12 whitespace-pre-wrap wrap-anywhere">
        {mail.text}
      </pre>
    </details>
  </li>
)
