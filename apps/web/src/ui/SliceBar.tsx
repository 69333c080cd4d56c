import type { BlockView, GpuView } from '@septet/contract'

import { SliceBlock, type Place } from './SliceBlock.tsx'
import { gpuWords, placementWords } from './slice-words.ts'

type Props = {
  readonly gpu: GpuView
  /** Height in pixels. The width is that of the container: the bar is drawn in shares of it. */
  readonly height?: number
  /** Width in pixels when it is known; with it, blocks carry their names where these fit. */
  readonly width?: number
}

/**
 * One GPU, drawn to scale: as wide as its memory slices, each block at its real start and size, filled as high as it was
 * busy. A time-sliced GPU is stacked in layers, one per replica. A dashed baseline says that
 * placements were inferred or are not known.
 */
export function SliceBar({ gpu, height = 22, width }: Props) {
  const layers = gpu.mode === 'shared' && gpu.blocks.length > 1
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
      role="img"
      aria-label={gpuWords(gpu)}
      width="100%"
      height={height + BASELINE}
      className="block overflow-visible"
    >
      {gpu.blocks.length === 0 && <Outline height={height} stroke="var(--free)" />}
      {gpu.blocks.map((block, index) => {
        const place = layers ? layer(index, gpu.blocks.length, height) : segment(block, gpu.slots, height)
        return (
          <SliceBlock
            // Layers of a shared GPU share a start; their order tells them apart.
            // oxlint-disable-next-line react/no-array-index-key -- blocks are replaced as a whole
            key={index}
            block={block}
            place={place}
            {...(width === undefined ? {} : { width: (width * place.share) / 100 })}
          />
        )
      })}
      {placementWords(gpu) !== undefined && (
        <line
          x1="0"
          x2="100%"
          y1={height + 2.5}
          y2={height + 2.5}
          stroke="var(--free)"
          strokeWidth="1"
          strokeDasharray="2 3"
        />
      )}
      {gpu.fault !== null && <Fault height={height} />}
    </svg>
  )
}

/** Room under the bar for the dashed line; always there, so that bars of both kinds line up. */
const BASELINE = 4

/** Where a block is drawn: in percent of the width, and in pixels of height. */
const segment = (block: BlockView, slots: number, height: number): Place => ({
  from: (block.start / slots) * 100,
  share: (block.size / slots) * 100,
  top: 0,
  height,
})

const layer = (index: number, layers: number, height: number): Place => ({
  from: 0,
  share: 100,
  top: (index * height) / layers,
  height: Math.max(1.5, height / layers - 1),
})

function Outline({ height, stroke }: { readonly height: number; readonly stroke: string }) {
  return (
    <rect
      x="0.75"
      y="0.75"
      height={height - 1.5}
      rx="2.5"
      fill="none"
      stroke={stroke}
      strokeWidth="1.5"
      style={{ width: 'calc(100% - 1.5px)' }}
    />
  )
}

/** A red frame and a warning sign on its corner: a fault is seen without its color too. */
function Fault({ height }: { readonly height: number }) {
  const size = Math.min(14, height)
  return (
    <>
      <Outline height={height} stroke="var(--fault)" />
      <svg x="100%" y={(height - size) / 2} className="overflow-visible">
        <g transform={`translate(${-size - 4} 0) scale(${size / 14})`}>
          <path
            d="M7 .5 14 13.5H0Z"
            fill="var(--fault)"
            stroke="var(--surface)"
            strokeWidth="1.5"
            paintOrder="stroke"
          />
          <path d="M7 5v4M7 10.6v1.2" stroke="var(--surface)" strokeWidth="1.5" />
        </g>
      </svg>
    </>
  )
}
