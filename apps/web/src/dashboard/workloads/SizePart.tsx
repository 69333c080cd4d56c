import { duration, wholePercent } from '@septet/contract/figure-words'

import { windowWords } from '../../ui/time-words.ts'
import { Line, Part } from '../actions/Part.tsx'
import { ChartPanel } from '../chart/ChartPanel.tsx'
import { DenseChart } from '../chart/DenseChart.tsx'
import type { DenseUnit } from '../chart/dense-series.ts'
import { evidenceTable, limitLines, seriesOf, type Size } from './size-evidence.ts'
import type { WorkloadAnswer } from './WorkloadPanel.tsx'

/** Which size one of its pods needs: the peaks of its past against what it holds and what would do. */
export function SizePart({ data: { size, sizeUnknown } }: { readonly data: WorkloadAnswer }) {
  return (
    <Part title="Right size">
      {size === null ? (
        <p className="text-13 text-ink-soft">{sizeUnknown ?? 'Not known.'}</p>
      ) : (
        <>
          <Verdict size={size} />
          <Facts size={size} />
          {size.evidence !== null && <SizeEvidence size={size} evidence={size.evidence} />}
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
  const words = size.verdict === 'keep' ? 'It is better left as it is' : 'Not known'
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
const chance = (value: number): string => (value < 0.001 ? '<0.1%' : `${(value * 100).toFixed(value < 0.1 ? 1 : 0)}%`)

type EvidenceProps = { readonly size: Size; readonly evidence: NonNullable<Size['evidence']> }

/** The peaks of its past against the limits of the sizes. */
export const SizeEvidence = ({ size, evidence }: EvidenceProps) => (
  <div className="grid gap-3">
    <Peaks title="Peak memory of a pod" unit="GiB" size={size} peaks={evidence.memory} />
    <Peaks title="Peak sustained compute of a pod" unit="GPU" size={size} peaks={evidence.compute} />
  </div>
)

type PeaksProps = {
  readonly title: string
  readonly unit: Extract<DenseUnit, 'GiB' | 'GPU'>
  readonly size: Size
  readonly peaks: NonNullable<Size['evidence']>['memory']
}

/** The highest of each block, with the limits of the size it holds and of the one that would do. */
function Peaks({ title, unit, size, peaks }: PeaksProps) {
  if (peaks.length === 0) return <p className="text-12 text-ink-soft">{title}: not measured.</p>
  const { at, values } = seriesOf(peaks, unit)
  const lines = limitLines(size, unit)
  return (
    <ChartPanel title={title} table={evidenceTable(peaks, { unit, lines })}>
      <DenseChart
        label={`${title}, with the limits of the sizes`}
        at={at}
        unit={unit}
        height={140}
        top={Math.max(...values, ...lines.map(({ value }) => value)) * 1.08}
        lines={lines}
        series={[{ name: 'Peak', tone: unit === 'GiB' ? 'accent' : 'busy', values, filled: true }]}
      />
    </ChartPanel>
  )
}
