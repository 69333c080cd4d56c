import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

import { useThemeName } from '../../ui/use-theme-name.ts'
import { useWidth } from '../../ui/use-width.ts'
import { denseOptions } from './dense-options.ts'
import { denseWords, type DenseSeries, type DenseUnit } from './dense-series.ts'

type Props = {
  readonly label: string
  readonly at: readonly number[]
  readonly series: readonly DenseSeries[]
  readonly unit: DenseUnit
  readonly height: number
  readonly top?: number
  readonly lines?: readonly { readonly name: string; readonly value: number }[]
}

/** The chart itself: a canvas, with its series named above it and the reading under the pointer beside the names. */
export function DensePlot({ label, at, series, unit, height, top, lines = [] }: Props) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const theme = useThemeName()
  const shape = JSON.stringify([series.map(({ values: _values, ...look }) => look), unit, top, lines, theme])
  const data: Data = [[...at], ...series.map(({ values }) => [...values])]
  const newest = useRef(data)
  newest.current = data
  const drawn = useRef<Data>(undefined)

  useEffect(() => {
    if (place.current === null || width === undefined || width === 0) return undefined
    const options = denseOptions({ series, unit, top, lines, width, height })
    const made = new UPlot(options, newest.current, place.current)
    plot.current = made
    drawn.current = newest.current
    return () => {
      made.destroy()
      plot.current = undefined
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` stands for what the options are made of; new values alone are set below
  }, [shape, width, height])
  // At each rendering, as the arrays are always new; most times they hold the same.
  useEffect(() => {
    if (plot.current === undefined || isSame(drawn.current, newest.current)) return
    plot.current.setData(newest.current)
    drawn.current = newest.current
  })

  return (
    <figure ref={frame} className="min-w-0">
      <figcaption className="sr-only">{`${label}. ${spoken(series, unit)}`}</figcaption>
      <div ref={place} aria-hidden className="dense-plot" style={{ minHeight: height }} />
    </figure>
  )
}

type Data = [number[], ...(number | null)[][]]

const isSame = (before: Data | undefined, now: Data): boolean =>
  before?.length === now.length &&
  now.every((row, line) => {
    const old = before[line]
    return old?.length === row.length && row.every((value, place) => value === old[place])
  })

/** What the lines say, in a few words. */
const spoken = (series: readonly DenseSeries[], unit: DenseUnit): string =>
  series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null)
      if (known.length === 0) return `${name}: not measured.`
      const last = known.at(-1) ?? 0
      return `${name}: from ${denseWords(Math.min(...known), unit)} to ${denseWords(Math.max(...known), unit)}, last ${denseWords(last, unit)}.`
    })
    .join(' ')
