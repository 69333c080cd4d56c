import { duration, percent, wholePercent } from '@septet/domain/words'
import { windowWords } from '../../ui/time-words.ts'
import { Line, Part } from '../panel/Part.tsx'
import { SizeEvidencePart } from '../gpu/SizeEvidence.tsx'
import type { Size } from '../gpu/size-evidence.ts'
import type { WorkloadAnswer } from './use-workloads.ts'

/** Which size one of its pods needs: the peaks of its past against what it holds and what would do. */
export function SizePart({ data: { size, sizeUnknown } }: { readonly data: WorkloadAnswer }) {
  return (
    <Part title="Right size">
      {size === null ? (
        <p className="text-13 text-ink-soft">{sizeUnknown ?? 'Unknown.'}</p>
      ) : (
        <>
          <Verdict size={size} />
          <Facts size={size} />
          {size.evidence !== null && <SizeEvidencePart size={size} evidence={size.evidence} />}
        </>
      )}
    </Part>
  )
}

const sizeName = ({ profile, model }: Size['held']): string => (profile === '' ? `whole ${model}` : profile)

function Verdict({ size }: { readonly size: Size }) {
  if (size.proposed !== null) {
    return (
      <p className="text-13">
        A <span className="font-mono">{sizeName(size.proposed)}</span> would do instead of a{' '}
        <span className="font-mono">{sizeName(size.held)}</span>: {wholePercent(size.proposed.share)} of a GPU instead
        of {wholePercent(size.held.share)}.
      </p>
    )
  }
  const words = size.verdict === 'keep' ? 'Already the right size' : 'Unknown'
  return (
    <p className="text-13 text-ink-soft">
      {words}: {size.because}.
    </p>
  )
}

const Facts = ({ size }: { readonly size: Size }) => (
  <dl className="text-13">
    {size.overrun !== null && (
      <Line name={`Chance of overrun in ${duration(size.overrun.horizon)}`}>
        <span className="font-mono">{chance(size.overrun.memory)}</span> memory
        {size.overrun.compute !== null && (
          <>
            , <span className="font-mono">{chance(size.overrun.compute)}</span> compute
          </>
        )}
      </Line>
    )}
    {size.evidence !== null && (
      <>
        <Line name="Measured">
          <span className="font-mono">{wholePercent(size.evidence.coverage)}</span> of{' '}
          {windowWords(size.evidence.window)}
        </Line>
        <Line name="Behavior">{size.evidence.activity}</Line>
      </>
    )}
    <Line name="Headroom">
      busy at most {wholePercent(size.targetUtilization)}, memory {wholePercent(size.memoryMargin)} above its peak (
      {size.level})
    </Line>
  </dl>
)

/** A chance is never written as none: no history rules an overrun out. */
const chance = (value: number): string => (value < 0.001 ? '<0.1%' : percent(value, value < 0.1 ? 1 : 0))
