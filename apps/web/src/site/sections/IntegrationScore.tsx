import type { IntegrationStep } from '../content/integration.ts'

type Props = { readonly step: IntegrationStep; readonly steps: readonly IntegrationStep[] }

/** Where a step lies on the way, to scale in minutes: surely spent, perhaps spent, and where it begins. The time stands beside it. */
export function IntegrationScore({ step, steps }: Props) {
  const whole = steps.reduce((sum, { minutes }) => sum + minutes.most, 0)
  const start = steps.filter((earlier) => earlier.step < step.step).reduce((sum, { minutes }) => sum + minutes.most, 0)
  const { least, most } = step.minutes
  const at = (minutes: number): string => `${(minutes / whole) * 100}%`
  return (
    <div aria-hidden className="relative mt-2 h-4">
      <div className="absolute inset-x-0 bottom-0 h-px bg-line-strong" />
      {Array.from({ length: whole + 1 }, (_, minute) => (
        <div
          key={minute}
          className="absolute bottom-0 h-1 w-px bg-line-strong"
          style={{ left: `min(${at(minute)}, calc(100% - 1px))` }}
        />
      ))}
      {least > 0 && (
        <div
          className="absolute top-0 h-2.5 rounded-[2px] bg-busy"
          style={{ left: at(start), width: `calc(${at(least)} - 1px)` }}
        />
      )}
      {most > least && (
        <div
          className="absolute top-0 h-2.5 rounded-[2px] border-[1.5px] border-busy bg-busy-soft"
          style={{ left: `calc(${at(start + least)} + 1px)`, width: `calc(${at(most - least)} - 2px)` }}
        />
      )}
      {most === 0 && <div className="absolute top-0 right-0 h-4 w-[3px] rounded-[1px] bg-busy" />}
    </div>
  )
}
