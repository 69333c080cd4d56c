import type { BlockView } from '@septet/contract'
import type { ReactNode } from 'react'

import { shortHolder } from './slice-words.ts'
import { UNCUT_DASH } from './Swatch.tsx'

const GAP = 1.5

export type Place = { readonly from: number; readonly share: number; readonly top: number; readonly height: number }

type Props = { readonly block: BlockView; readonly place: Place; readonly width?: number }

/** One block of a slice bar: its meaning as color and texture, and its name when there is room. */
export function SliceBlock({ block, place, width }: Props) {
  const label = width === undefined ? undefined : labelThatFits(block, { width, height: place.height })
  return (
    <svg x={`${place.from}%`} y={place.top} width={`${place.share}%`} height={place.height}>
      {DRAW[block.kind]({ block, height: place.height })}
      {label !== undefined && <Label text={label} block={block} height={place.height} />}
    </svg>
  )
}

type Drawing = { readonly block: BlockView; readonly height: number }

const DRAW = {
  busy: ({ block, height }) => {
    const fill = filled(block, height)
    return (
      <>
        <Box height={height} fill="var(--busy-soft)" />
        <Box height={fill} top={height - fill} fill="var(--busy)" />
      </>
    )
  },
  idle: ({ height }) => <Box height={height} fill="url(#texture-idle)" stroke="var(--idle)" />,
  unknown: ({ height }) => <Box height={height} fill="url(#texture-unknown)" stroke="var(--unknown)" />,
  others: ({ height }) => <Box height={height} fill="var(--line)" stroke="var(--unknown)" />,
  free: ({ height }) => <Box height={height} fill="var(--surface)" stroke="var(--free)" />,
  uncut: ({ height }) => <Box height={height} fill="none" stroke="var(--free)" dash={UNCUT_DASH} />,
  stranded: ({ height }) => <Box height={height} fill="url(#texture-stranded)" stroke="none" />,
} satisfies Record<BlockView['kind'], (drawing: Drawing) => ReactNode>

type BoxProps = {
  readonly height: number
  readonly top?: number
  readonly fill: string
  readonly stroke?: string
  readonly dash?: string
}

function Box({ height, top = 0, fill, stroke, dash }: BoxProps) {
  const inset = stroke === undefined || stroke === 'none' ? 0 : 0.5
  return (
    <rect
      x={GAP / 2 + inset}
      y={top + inset}
      height={Math.max(0, height - 2 * inset)}
      rx={Math.min(2.5, height / 4)}
      fill={fill}
      {...(inset === 0 ? {} : { stroke, strokeWidth: 1, strokeDasharray: dash })}
      style={{ width: `calc(100% - ${GAP + 2 * inset}px)` }}
    />
  )
}

/** The height of the solid part; a little work is a visible line, not nothing. */
const filled = (block: BlockView, height: number): number => {
  const share = Math.min(1, Math.max(0, block.busy ?? 0))
  return share === 0 ? 0 : Math.max(1.5, share * height)
}

const CHARACTER = 6.65
const PADDING = 12

/** Profile and workload, or the workload, or the profile, or nothing: whole words only. */
function labelThatFits(
  block: BlockView,
  room: { readonly width: number; readonly height: number },
): string | undefined {
  if (room.height < 26 || block.kind === 'stranded') return undefined
  const holder = block.holder === null ? undefined : shortHolder(block.holder)
  const profile = block.profile ?? undefined
  const both = [profile, holder].filter((part) => part !== undefined).join(' ')
  return [both, holder, profile].find((text) => text && text.length * CHARACTER + PADDING <= room.width)
}

/** Sits in the larger part of the block, the solid or the empty one, so that no edge runs through it. */
function Label({ text, block, height }: { readonly text: string } & Drawing) {
  const fill = block.kind === 'busy' ? filled(block, height) : 0
  const onFill = fill >= height / 2
  const middle = onFill ? height - fill / 2 : (height - fill) / 2
  const left = PADDING / 2 + GAP / 2
  return (
    <g aria-hidden className="font-mono text-[11px] font-medium">
      {(block.kind === 'idle' || block.kind === 'unknown') && (
        <rect
          x={left - 4}
          y={middle - 8}
          width={text.length * CHARACTER + 8}
          height={16}
          rx="3"
          fill={block.kind === 'idle' ? 'var(--idle-soft)' : 'var(--unknown-soft)'}
        />
      )}
      <text x={left} y={middle} dominantBaseline="central" fill={onFill ? 'var(--on-busy)' : INK[block.kind]}>
        {text}
      </text>
    </g>
  )
}

const INK = {
  busy: 'var(--ink)',
  idle: 'var(--idle-ink)',
  unknown: 'var(--ink-soft)',
  others: 'var(--ink-soft)',
  free: 'var(--ink-quiet)',
  uncut: 'var(--ink-quiet)',
  stranded: 'var(--stranded-ink)',
} satisfies Record<BlockView['kind'], string>
