import { listed, plural } from '@septet/domain/words'
import { useEffect, useId, useRef } from 'react'

import { Button } from '../../../ui/Button.tsx'
import { shortDigest, type Acting, type ActionDetail } from '../../acting/action-words.ts'
import type { Decide } from './use-decide.ts'

type Props = {
  readonly detail: ActionDetail
  readonly acting: Acting | undefined
  readonly decide: Decide
  /** Goes back to what can be decided. */
  readonly close: (isDone: boolean) => void
}

/** Repeats what is about to stop; the focus is on the words, so that a held key does not approve. */
export function ApproveConfirm({ detail, acting, decide, close }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => heading.current?.focus(), [])
  const { displaced, nodes, digest } = detail.action
  return (
    <section aria-labelledby={id} className="enters grid gap-2.5 text-13">
      <h3 id={id} ref={heading} tabIndex={-1} className="rounded-control font-semibold">
        Approve exactly this plan?
      </h3>
      <ul className="grid max-h-40 list-disc gap-1 overflow-y-auto pl-5 wrap-anywhere marker:text-ink-quiet">
        <li>
          {displaced.length === 0
            ? 'No pods stop.'
            : `${plural(displaced.length, 'pod stops', 'pods stop')}: ${listed(displaced)}.`}
        </li>
        <li>
          {nodes.length === 0
            ? 'No nodes change.'
            : `${plural(nodes.length, 'node changes', 'nodes change')}: ${listed(nodes)}.`}
        </li>
        <li>
          {plural(detail.steps.length, 'step')}, digest <span className="font-mono">{shortDigest(digest)}</span>. Failed
          steps are reverted.
        </li>
        {acting?.state === 'stopped' && <li>Acting is stopped: the action waits until an admin resumes.</li>}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          look="strong"
          className="h-10 px-4"
          aria-disabled={decide.busy}
          onClick={() => decide.approve(digest, close)}
        >
          {decide.busy ? 'Approving…' : pressWords(displaced.length)}
        </Button>
        <Button className="h-10 px-4" onClick={() => close(false)}>
          Not now
        </Button>
      </div>
    </section>
  )
}

const pressWords = (pods: number): string =>
  pods === 0 ? 'Approve, no pods stop' : `Approve, ${plural(pods, 'pod stops', 'pods stop')}`
