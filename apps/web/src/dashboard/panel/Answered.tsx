import type { ReactNode } from 'react'

import { isNotAllowed } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { failureWords } from '../client/failure-words.ts'

type Props<A> = {
  readonly answer: { readonly data: A | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  /** What stands there until it comes: as tall as what will. */
  readonly waiting?: ReactNode
  readonly children: (data: A) => ReactNode
}

/** What the server answered, or why there is nothing to show: it is on its way, it failed, or it is not for this role. */
export function Answered<A>({ answer, waiting = <Waiting />, children }: Props<A>) {
  if (answer.data !== undefined) return children(answer.data)
  if (answer.error === null) return waiting
  if (isNotAllowed(answer.error)) return <NoPermission words={failureWords(answer.error)} />
  return (
    <div role="alert" className="grid justify-items-start gap-2 py-4 text-13 text-ink-soft">
      <p>{failureWords(answer.error)}</p>
      <Button onClick={() => void answer.refetch()}>Try again</Button>
    </div>
  )
}

const NoPermission = ({ words }: { readonly words: string }) => (
  <div className="grid max-w-xl gap-1 py-4 text-13">
    <p className="flex items-center gap-2 font-medium">
      <LockIcon />
      Not for your role
    </p>
    <p className="text-ink-soft">{words}</p>
  </div>
)

const Waiting = () => (
  <output className="grid gap-2 py-2">
    <span className="sr-only">Loading</span>
    {['w-3/5', 'w-4/5', 'w-2/5'].map((width) => (
      <span key={width} className={`waits block h-4 rounded-control bg-sunken ${width}`} />
    ))}
  </output>
)
