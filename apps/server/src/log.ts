import type { Log } from '@septet/domain'
import { pino } from 'pino'

const SECRET_FIELDS = ['token', 'password', 'authorization', 'kubeconfig', '*.token', '*.password', '*.authorization']

/** Facts with fields, one JSON object a line, on standard error so that standard output stays for people. */
export function openLog(level: string): Log {
  const out = pino(
    { level, redact: { paths: SECRET_FIELDS, censor: '(hidden)' } },
    pino.destination({ dest: 2, sync: true }),
  )
  return {
    info: (message, fields) => out.info(fields ?? {}, message),
    warn: (message, fields) => out.warn(fields ?? {}, message),
    error: (message, fields) => out.error(fields ?? {}, message),
  }
}
