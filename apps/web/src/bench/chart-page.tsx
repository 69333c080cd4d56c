import { createRoot } from 'react-dom/client'
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'

import { DensePlot } from '../dashboard/chart/DensePlot.tsx'

/** The same points drawn in two ways, for the benchmark that compares them; no part of the product's page. */
type ChartBench = { drawChart?: (kind: 'canvas' | 'svg', count: number) => void; clearChart?: () => void }

const bench: ChartBench = Object(globalThis)
const WIDTH = 1100
const HEIGHT = 320
const STEP = 300
const NAMES = ['busy', 'allocated', 'busy while held'] as const
const TONES = ['busy', 'free', 'ink'] as const

const place = document.createElement('div')
place.style.width = `${WIDTH}px`
document.body.append(place)
let root = createRoot(place)

bench.drawChart = (kind, count) => {
  const at = Array.from({ length: count }, (_, index) => 1_790_000_000 + index * STEP)
  const values = NAMES.map((_name, series) => at.map((_time, index) => valueAt(index, series)))
  root.render(kind === 'canvas' ? <Canvas at={at} values={values} /> : <Svg at={at} values={values} />)
}
bench.clearChart = () => {
  root.unmount()
  root = createRoot(place)
}

/** A day's rise and fall with the same noise each time, and an hour in a hundred that was not measured. */
function valueAt(index: number, series: number): number | null {
  if (Math.floor(index / 12) % 100 === 17) return null
  const noise = Math.abs(Math.sin(index * 12.9898 + series * 78.233) * 43_758.5453) % 1
  return 0.45 + 0.12 * series + 0.2 * Math.sin((index * STEP * 2 * Math.PI) / 86_400) + 0.1 * (noise - 0.5)
}

type Drawn = { readonly at: readonly number[]; readonly values: readonly (readonly (number | null)[])[] }

const Canvas = ({ at, values }: Drawn) => (
  <DensePlot
    label="Utilization"
    at={at}
    series={NAMES.map((name, series) => ({ name, tone: TONES[series] ?? 'ink', values: values[series] ?? [] }))}
    unit="ratio"
    height={HEIGHT}
    top={1}
  />
)

const Svg = ({ at, values }: Drawn) => (
  <LineChart
    width={WIDTH}
    height={HEIGHT}
    data={at.map((time, index) => ({ at: time, 0: values[0]?.[index], 1: values[1]?.[index], 2: values[2]?.[index] }))}
  >
    <CartesianGrid vertical={false} />
    <XAxis dataKey="at" tickLine={false} minTickGap={36} tickFormatter={(time: number) => clock(time)} />
    <YAxis domain={[0, 1]} tickFormatter={(share: number) => `${Math.round(share * 100)} %`} />
    {NAMES.map((name, series) => (
      <Line
        key={name}
        dataKey={String(series)}
        name={name}
        type="linear"
        dot={false}
        connectNulls={false}
        isAnimationActive={false}
      />
    ))}
    <Tooltip isAnimationActive={false} />
  </LineChart>
)

const clock = (time: number): string => new Date(time * 1000).toISOString().slice(5, 16)
