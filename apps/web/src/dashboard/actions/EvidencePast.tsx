import { CLASSES } from '@septet/domain/action-classes'
import type { Answer } from '../../api.ts'
import { windowWords } from '../../ui/time-words.ts'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import { Bone } from '../../ui/Bone.tsx'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { SizeEvidencePart } from '../gpu/SizeEvidence.tsx'
import { UseCharts } from '../gpu/UseCharts.tsx'
import { Part } from '../panel/Part.tsx'

type Past = Answer<'recommendationsGet'>['past']
type Props = {
  /** Undefined: it is being asked for. */
  readonly past: Past | undefined
  readonly kind: Recommendation['kind']
}

/** What was measured while the evidence came about, with the limit that it is held against; gaps stay gaps. */
export function EvidencePast({ past, kind }: Props) {
  const window = past?.use?.window
  return (
    <Part
      title="Measured over time"
      aside={window !== undefined && <span className="text-12 text-ink-quiet">{windowWords(window)}</span>}
    >
      {past === undefined ? (
        <Bone className="h-44" />
      ) : past === null ? (
        <p className="text-13 text-ink-soft">{whyNone(kind)}</p>
      ) : (
        <Charts past={past} />
      )}
    </Part>
  )
}

const NOTHING = 'No history stored for that period, so there is no chart.'

/** Some are not concluded from use over time at all. */
function whyNone(kind: Recommendation['kind']): string {
  const { past } = CLASSES[kind].advice
  return typeof past === 'string' ? NOTHING : past.because
}

const OF = 'over the time of the evidence'

function Charts({ past: { use, idleBelow, shareHeld, size } }: { readonly past: NonNullable<Past> }) {
  if (size?.evidence !== null && size?.evidence !== undefined) {
    return <SizeEvidencePart size={size} evidence={size.evidence} />
  }
  if (shareHeld !== null) {
    return (
      <MeasuredChart
        of={OF}
        title="Held by workloads"
        at={shareHeld.at}
        unit="ratio"
        series={[{ name: 'Held', tone: 'busy', values: shareHeld.held, filled: true }]}
      />
    )
  }
  return use === null ? (
    <p className="text-13 text-ink-soft">{NOTHING}</p>
  ) : (
    <UseCharts of={OF} use={use} idleBelow={idleBelow} />
  )
}
