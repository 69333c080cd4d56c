import type { z } from 'zod'

/** Every field of an input that is wrong, and why, in one line. */
export const wrongFields = ({ issues }: z.ZodError): string =>
  issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ')
