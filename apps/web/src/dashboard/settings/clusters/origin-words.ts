import type { Answer } from '../../../api.ts'

/** Who decided that a cluster is watched. */
export const ORIGIN_WORDS = {
  environment: 'set by environment',
  settings: 'an admin, here',
  demo: 'Septet, as a demo',
} as const satisfies Record<Answer<'connectionsList'>['connections'][number]['origin'], string>
