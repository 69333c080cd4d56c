import type { ReactNode } from 'react'

import { LOOK } from '../../ui/Swatch.tsx'
import type { FeatureDrawing } from '../content/features.ts'

type Kind = keyof typeof LOOK

const FUNNEL = [
  ['capacity', 8],
  ['allocated', 6.6],
  ['active', 4.6],
  ['effective', 3],
] as const

/** What each promise means, said with slice bars. Drawings, not measurements: hidden from assistive technology. */
export const DRAWINGS = {
  partitioning: (
    <Drawing>
      <Block top={8} height={30} size={8} kind="idle" label="7g" />
      <path d="M14 43v8m-3-3 3 3 3-3" fill="none" stroke="var(--ink-quiet)" strokeWidth="1.5" />
      <Block top={56} height={30} size={4} kind="busy" label="4g" />
      <Block top={56} height={30} from={4} size={2} kind="busy" label="2g" />
      <Block top={56} height={30} from={6} size={1} kind="busy" label="1g" />
      <Block top={56} height={30} from={7} size={1} kind="stranded" />
    </Drawing>
  ),
  allocation: (
    <Drawing>
      {[
        [4, 2, 1],
        [2, 2, 2],
        [4, 1],
      ].map((sizes, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- a fixed drawing
        <Row key={row} top={8 + row * 28} sizes={sizes} />
      ))}
      <Block top={8} height={22} from={7} size={1} kind="free" />
      <Block top={64} height={22} from={5} size={3} kind="free" />
      <rect
        x="75.5%"
        y={36}
        width="23.8%"
        height={22}
        rx="3"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeDasharray="4 3"
      />
      <Words x={77.5} y={47} ink="var(--accent-ink)">
        next
      </Words>
    </Drawing>
  ),
  cost: (
    <Drawing>
      <Block top={14} height={44} from={0} size={3.3} kind="busy" label="used" />
      <Block top={14} height={44} from={3.3} size={1.5} kind="idle" />
      <Block top={14} height={44} from={4.8} size={1.2} kind="oversized" />
      <Block top={14} height={44} from={6} size={1.3} kind="free" />
      <Block top={14} height={44} from={7.3} size={0.7} kind="stranded" />
      <line x1="0.5%" x2="99.5%" y1="71" y2="71" stroke="var(--line-strong)" />
      <line x1="0.5%" x2="0.5%" y1="67" y2="75" stroke="var(--line-strong)" />
      <line x1="99.5%" x2="99.5%" y1="67" y2="75" stroke="var(--line-strong)" />
      <Words x={0.5} y={86} ink="var(--ink-quiet)">
        what you pay
      </Words>
    </Drawing>
  ),
  monitoring: (
    <Drawing>
      <Block top={8} height={22} from={0} size={2.2} kind="busy" />
      <Block top={8} height={22} from={2.6} size={3.9} kind="busy" />
      <Block top={36} height={22} from={0.6} size={1.4} kind="busy" />
      <Block top={36} height={22} from={2} size={2} kind="unknown" />
      <Block top={36} height={22} from={4} size={2.5} kind="busy" />
      <Block top={64} height={22} from={0} size={1} kind="busy" />
      <Block top={64} height={22} from={1.4} size={3.4} kind="idle" />
      <line x1="81.25%" x2="81.25%" y1="2" y2="92" stroke="var(--ink)" strokeWidth="1.5" />
      <Words x={83.5} y={12} ink="var(--ink)">
        now
      </Words>
    </Drawing>
  ),
  tenancy: (
    <Drawing>
      <Block top={8} height={32} from={0} size={4} kind="busy" label="team-a" />
      <Block top={8} height={32} from={4} size={4} kind="busy" label="team-b" />
      <line x1="50%" x2="50%" y1="2" y2="46" stroke="var(--ink)" strokeWidth="3" />
      <Block top={58} height={28} from={0} size={4} kind="busy" label="team-a" />
      <rect
        x="50.4%"
        y={58.5}
        width="49%"
        height={27}
        rx="3"
        fill="none"
        stroke="var(--line-strong)"
        strokeDasharray="3 3"
      />
      <Words x={52.5} y={72} ink="var(--ink-quiet)">
        not shown
      </Words>
    </Drawing>
  ),
  analytics: (
    <Drawing>
      {FUNNEL.map(([word, size], index) => (
        <g key={word}>
          <Block top={6 + index * 21} height={16} size={size} kind={index === 0 ? 'free' : 'busy'} />
          <Words
            x={(size / 8) * 100 - 1.5}
            y={14 + index * 21}
            ink={index === 0 ? 'var(--ink-soft)' : 'var(--on-busy)'}
            end
          >
            {word}
          </Words>
        </g>
      ))}
    </Drawing>
  ),
} satisfies Record<FeatureDrawing, ReactNode>

function Drawing({ children }: { readonly children: ReactNode }) {
  return (
    <svg aria-hidden width="100%" height="96" className="block overflow-hidden">
      {children}
    </svg>
  )
}

type BlockProps = {
  readonly top: number
  readonly height: number
  /** In memory slices of a board of eight. */
  readonly from?: number
  readonly size: number
  readonly kind: Kind
  readonly label?: string
}

function Block({ top, height, from = 0, size, kind, label }: BlockProps) {
  const { fill, stroke } = LOOK[kind]
  return (
    <>
      <rect
        x={`${(from / 8) * 100 + 0.35}%`}
        y={top + 0.5}
        width={`${(size / 8) * 100 - 0.7}%`}
        height={height - 1}
        rx="3"
        fill={fill}
        stroke={stroke}
      />
      {label !== undefined && <Label from={from} middle={top + height / 2} kind={kind} text={label} />}
    </>
  )
}

function Label({ from, middle, kind, text }: { from: number; middle: number; kind: Kind; text: string }) {
  const left = (from / 8) * 100
  return (
    <>
      {kind === 'idle' && (
        <rect
          x={`${left + 1.6}%`}
          y={middle - 9}
          width={text.length * 7.2 + 8}
          height={18}
          rx="3"
          fill="var(--idle-soft)"
        />
      )}
      <Words x={left + 2.4} y={middle} ink={kind === 'busy' ? 'var(--on-busy)' : 'var(--idle-ink)'}>
        {text}
      </Words>
    </>
  )
}

type WordsProps = {
  readonly x: number
  readonly y: number
  readonly ink: string
  readonly end?: boolean
  readonly children: string
}

function Words({ x, y, ink, end = false, children }: WordsProps) {
  return (
    <text
      x={`${x}%`}
      y={y}
      dominantBaseline="central"
      textAnchor={end ? 'end' : 'start'}
      fill={ink}
      className="font-mono text-[12px] font-medium"
    >
      {children}
    </text>
  )
}

function Row({ top, sizes }: { readonly top: number; readonly sizes: readonly number[] }) {
  return sizes.map((size, index) => {
    const from = sizes.slice(0, index).reduce((sum, before) => sum + before, 0)
    return <Block key={from} top={top} height={22} from={from} size={size} kind="busy" />
  })
}
