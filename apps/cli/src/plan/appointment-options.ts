import { instant, parseProfileName, seconds, type AppointmentAsk } from '@septet/domain'

import { lengthOf, numberOf, parseOptions, UsageError } from '../options/command-options.ts'
import { nonEmpty, SOURCE_OPTIONS, sourceOf, type Environment, type PlanOptions } from './plan-options.ts'

export type AppointmentOptions = Pick<PlanOptions, 'source' | 'maxDisplaced' | 'out' | 'force' | 'format'> & {
  readonly ask: AppointmentAsk
}

export const APPOINTMENT_HELP = `septet plan appointment --cluster NAME|--snapshot FILE --gpus 64 --at 2026-11-30T09:00Z --for 8h [--out DIR]

GPUs that are free at an instant and stay so for a while: the nodes to set aside so that the fewest pods are evicted and
then the fewest GPU-hours stand idle, when to close each, what may still start there, and when to open it again. Reads
only; nothing in the cluster is changed.

Where the cluster's state comes from: as for septet plan (--cluster, --kubeconfig, --prometheus, --snapshot).

What is wanted:
  --gpus 64              whole GPUs, or instances of --profile
  --profile 1g.20gb      instances of this MIG profile, as GPUs are cut now
  --per-node 8           those of one node that belong together; 8 for whole nodes of eight. 1 when left out
  --model h100           of this model; the part of its name that tells which is enough
  --pool NAME            in this node pool
  --namespace NAME       whose work they are for
  --except NODE          not this node, as another appointment that is not closed yet has it; more than once for several
  --at TIME              when they must be free, with a time zone: 2026-11-30T09:00Z or 2026-11-30T10:00+01:00
  --for 8h               for how long (m, h, d, w)
  --longest 12h          no work runs longer than that, and you see to it: nodes are closed that long before, not at once
  --max-displaced 10     the most pods that may be evicted

What comes out:
  --out DIR              writes PLAN.md, commands.sh, evictions, plan.json, undo/ and let-in.yaml, which lets the work in
  --force                also into a directory that has files, of which those of an older plan go
  --json                 one JSON document instead of a table`

const text = { type: 'string' } as const
const several = { type: 'string', multiple: true } as const
const flag = { type: 'boolean', default: false } as const

const OPTIONS = {
  ...SOURCE_OPTIONS,
  gpus: text,
  profile: text,
  'per-node': { ...text, default: '1' },
  model: text,
  pool: text,
  namespace: text,
  except: several,
  at: text,
  for: text,
  longest: text,
  'max-displaced': { ...text, default: '10' },
  out: text,
  force: flag,
  json: flag,
}

const GPUS = { least: 1, most: 100_000, whole: true }
const LENGTHS = { from: '5m', to: '400d' }

/** Reads the options of `septet plan appointment`. Throws a `UsageError`. */
export function readAppointmentOptions(args: readonly string[], environment: Environment): AppointmentOptions {
  const values = parseOptions(args, OPTIONS)
  const { profile, model, pool, namespace, longest } = values
  return {
    source: sourceOf(values, environment),
    ask: {
      gpus: numberOf('--gpus', wanted('--gpus 64', values.gpus), GPUS),
      perNode: numberOf('--per-node', values['per-node'], { ...GPUS, most: 64 }),
      except: values.except ?? [],
      at: instantOf(wanted('--at 2026-11-30T09:00Z', values.at)),
      length: seconds(lengthOf('--for', wanted('--for 8h', values.for), LENGTHS)),
      ...(profile === undefined ? {} : { profile: profileOf(profile) }),
      ...(model === undefined ? {} : { model: nonEmpty('--model', model) ?? '' }),
      ...(pool === undefined ? {} : { pool }),
      ...(namespace === undefined ? {} : { namespace: nonEmpty('--namespace', namespace) ?? '' }),
      ...(longest === undefined ? {} : { longest: seconds(lengthOf('--longest', longest, LENGTHS)) }),
    },
    maxDisplaced: numberOf('--max-displaced', values['max-displaced'], { least: 0, most: 1000, whole: true }),
    out: nonEmpty('--out', values.out),
    force: values.force,
    format: values.json ? 'json' : 'text',
  }
}

function profileOf(value: string): string {
  const profile = parseProfileName(value)?.profile
  if (profile !== undefined) return profile
  throw new UsageError(`--profile is "${value}" but must be a MIG profile, such as 1g.20gb.`)
}

function wanted(example: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new UsageError(`Say what is wanted: ${example}.`)
}

/** Without a zone it would mean another moment on every machine. */
function instantOf(value: string): AppointmentAsk['at'] {
  const at = /T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/u.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isFinite(at)) return instant(at)
  throw new UsageError(`--at is "${value}" but must be a time with its zone, such as 2026-11-30T09:00Z.`)
}
