import { z } from 'zod'
import { LabelsSchema } from './schemas.ts'

/** Whether an object's labels are what a selector asks for. An empty selector matches everything. */
export function matches(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return (
    Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value) &&
    selector.matchExpressions.every((expression) => holds(expression, labels[expression.key]))
  )
}

function holds({ operator, values }: Expression, value: string | undefined): boolean {
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  const isIn = value !== undefined && values.includes(value)
  return operator === 'In' ? isIn : !isIn
}

const Expression = z.object({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: z
    .array(z.string())
    .nullish()
    .transform((values) => values ?? []),
})
type Expression = z.infer<typeof Expression>

export const LabelSelector = z.object({
  matchLabels: LabelsSchema,
  matchExpressions: z
    .array(Expression)
    .nullish()
    .transform((expressions) => expressions ?? []),
})
export type LabelSelector = z.infer<typeof LabelSelector>
