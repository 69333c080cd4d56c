import { plural } from '@septet/domain/words'

import type { MadePlan } from '../client/use-computed.ts'

type Props = { readonly problems: MadePlan['leftOut']; readonly noun: string }

/** What a plan did not count on, by reason, because whole nodes share one. */
export function LeftOut({ problems, noun }: Props) {
  if (problems.length === 0) return undefined
  const byReason = [...Map.groupBy(problems, ({ message }) => message)]
  return (
    <details>
      <summary className="w-fit rounded-control text-13 font-medium">
        {plural(problems.length, `${noun} is`, `${noun}s are`)} not counted on
      </summary>
      <ul className="mt-2 grid gap-1 text-13 text-ink-soft">
        {byReason.map(([message, all]) => (
          <li key={message} className="wrap-anywhere">
            {all.length > 1 && `${plural(all.length, noun)}: `}
            {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
