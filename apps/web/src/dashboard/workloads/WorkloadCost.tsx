import { FigureText } from '../../ui/FigureText.tsx'
import { Line, Part } from '../panel/Part.tsx'
import type { WorkloadAnswer } from './use-workloads.ts'

/** What it cost over the range, and what of that was for nothing. */
export const WorkloadCost = ({ data }: { readonly data: WorkloadAnswer }) => (
  <Part title="Cost in this range">
    <dl className="text-13">
      <Line name="Cost">
        <FigureText figure={data.workload.cost} name="Cost" unknown={data.workload.cost.because ?? 'Unknown'} />
      </Line>
      <Line name="of which idle">
        <FigureText figure={data.workload.idleCost} name="Idle cost" unknown="Unknown" />
      </Line>
      <Line name="Held">
        <FigureText figure={data.hours} name="GPU-hours held" />
      </Line>
      <Line name="of which idle">
        <FigureText figure={data.idleHours} name="GPU-hours idle" />
      </Line>
      <Line name="Busy while held">
        <FigureText figure={data.workload.busy} name="Busy" />
      </Line>
    </dl>
  </Part>
)
