import { StateDot } from '../../../ui/StateDot.tsx'
import type { Acting } from '../../acting/action-words.ts'
import type { May } from '../../acting/use-may.ts'

type Props = { readonly acting: Acting; readonly may: May }

/** Whether Septet may change the cluster at all, and whether whoever looks may decide on it. */
export const ActingLine = ({ acting, may }: Props) => (
  <p className="mb-4 flex items-baseline gap-2.5 text-13 text-ink-soft">
    <StateDot state={DOTS[acting.state]} />
    <span className="min-w-0 wrap-anywhere">
      {acting.because}
      {may.whyNot !== undefined && ` ${may.whyNot}`}
    </span>
  </p>
)

const DOTS = { ready: 'on', observe: 'off', others: 'off', stopped: 'fault' } as const
