import { waitCause } from '@septet/domain'

type Props = { readonly waiting: { readonly reason: string; readonly message: string } }

/** Why work waits: the cause in plain words first, then what the scheduler or Kueue said. */
export function WaitReason({ waiting }: Props) {
  const { reason, message } = waiting
  const cause = waitCause(waiting)
  return (
    <>
      {cause !== '' && (
        <>
          <bdi className="text-ink">{cause}</bdi>{' '}
        </>
      )}
      {reason !== '' && <span className={cause === '' ? 'text-ink' : 'text-ink-quiet'}>{reason}: </span>}
      <bdi className={cause === '' ? '' : 'text-ink-quiet'}>{firstReason(message)}</bdi>
    </>
  )
}

/** Schedulers repeat themselves: the part before "preemption:" says why. */
const firstReason = (message: string): string => message.split(/\.? preemption:/u)[0] ?? message
