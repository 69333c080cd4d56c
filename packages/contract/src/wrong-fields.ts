import type { z } from 'zod'

/** Every field of an input that is wrong, and why, in one line. */
export const wrongFields = ({ issues }: z.ZodError): string =>
  issues.map((issue) => `${issue.path.join('.') || 'input'}: ${plainWords(issue)}`).join('; ')

/** What the reader of a schema says, in the words of a person; a message that a schema gives itself stays. */
export function plainWords({ message }: Pick<z.core.$ZodIssue, 'message'>): string {
  for (const [said, plain] of WORDS)
    if (said.test(message)) return message.replace(said, plain).replaceAll('"|"', '", "')
  return message
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid input: expected .+, received undefined$/u, 'is missing'],
  [/^Invalid input: expected (?=[aeio])(\w+), received .+$/u, 'must be an $1'],
  [/^Invalid input: expected (\w+), received .+$/u, 'must be a $1'],
  [/^Invalid input: expected (".+")$/u, 'must be $1'],
  [/^Invalid option: expected one of (.+)$/u, 'must be one of $1'],
  [/^Too big: expected \w+ to be <=(.+)$/u, 'must be at most $1'],
  [/^Too big: expected \w+ to be <(.+)$/u, 'must be less than $1'],
  [/^Too small: expected \w+ to be >=(.+)$/u, 'must be at least $1'],
  [/^Too small: expected \w+ to be >(.+)$/u, 'must be more than $1'],
  [/^Too small: expected \w+ to have >=1 .+$/u, 'must not be empty'],
  [/^Too big: expected \w+ to have <=(.+)$/u, 'must have at most $1'],
  [/^Too small: expected \w+ to have >=(.+)$/u, 'must have at least $1'],
  [/^Unrecognized keys?: (.+)$/u, 'has nothing called $1'],
]
