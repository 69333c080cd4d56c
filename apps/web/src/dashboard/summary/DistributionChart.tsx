import { wholePercent } from '@septet/domain/words'
import { Pie, PieChart, type PieLabelRenderProps } from 'recharts'

import type { Answer } from '../../api.ts'

import { PART_INK, PART_LOOK } from './distribution-look.ts'

type Distribution = Answer<'summaryGet'>['distribution']
type Part = Distribution['parts'][number]

const SIZE = 208
const INNER = 60
const OUTER = 100
/** Smaller parts have no room for their share; the list beside the ring names it. */
const LEAST_LABELED = 0.07

/** The ring, from the top clockwise. Each part says its share where there is room. */
export function DistributionChart({ distribution }: { readonly distribution: Distribution }) {
  const parts = distribution.parts.filter(({ hours }) => (hours.value ?? 0) > 0)
  const data = parts.map(({ kind, name, hours }) => ({ name, value: hours.value ?? 0, ...PART_LOOK[kind] }))
  const words = parts.map(({ name, share }) => `${name} ${wholePercent(share.value ?? 0)}`).join(', ')
  return (
    <figure>
      <figcaption className="sr-only">Workload distribution: {words}</figcaption>
      <div aria-hidden>
        <PieChart width={SIZE} height={SIZE} margin={NO_MARGIN} accessibilityLayer={false}>
          <Pie
            data={data}
            dataKey="value"
            innerRadius={INNER}
            outerRadius={OUTER}
            startAngle={90}
            endAngle={-270}
            paddingAngle={data.length > 1 ? 1.5 : 0}
            isAnimationActive={false}
            rootTabIndex={-1}
            labelLine={false}
            label={<Share parts={parts} />}
          />
        </PieChart>
      </div>
    </figure>
  )
}

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 }

type ShareProps = { readonly parts: readonly Part[] } & Partial<Pick<PieLabelRenderProps, 'index' | 'midAngle'>>

const WIDTH = 34
const HEIGHT = 18

/** A part's share, in the middle of its sector; on a texture it has a ground of its own. */
function Share({ parts, index = -1, midAngle = 0 }: ShareProps) {
  const part = parts[index]
  const share = part?.share.value ?? 0
  if (part === undefined || share < LEAST_LABELED) return <g />
  const angle = (midAngle * Math.PI) / 180
  const radius = (INNER + OUTER) / 2
  const [x, y] = [SIZE / 2 + radius * Math.cos(angle), SIZE / 2 - radius * Math.sin(angle)]
  const ink = PART_INK[part.kind]
  return (
    <g>
      {ink === undefined && (
        <rect x={x - WIDTH / 2} y={y - HEIGHT / 2} width={WIDTH} height={HEIGHT} rx="4" fill="var(--surface)" />
      )}
      <text
        x={x}
        y={y}
        dy="0.36em"
        textAnchor="middle"
        fontSize="12"
        fontFamily="var(--font-mono)"
        fill={ink ?? 'var(--ink)'}
      >
        {wholePercent(share)}
      </text>
    </g>
  )
}
