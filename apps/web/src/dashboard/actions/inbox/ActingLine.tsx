import { StateDot } from '../../../ui/StateDot.tsx'
import type { Acting } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'

type Props = { readonly acting: Acting; readonly may: May }

/** Why the cluster cannot be changed now, or whoever looks cannot decide on it; else that it can. */
export const ActingLine = ({ acting, may }: Props) => (
  <p className="mb-4 flex items-baseline gap-2.5 text-13 text-ink-soft">
    <StateDot state={DOTS[acting.state]} />
    <span className="min-w-0 wrap-anywhere">
      {may.whyNot === undefined || acting.state !== 'ready' ? acting.because : may.whyNot}
    </span>
  </p>
)

const DOTS = { ready: 'on', observe: 'off', others: 'off', stopped: 'fault' } as const
