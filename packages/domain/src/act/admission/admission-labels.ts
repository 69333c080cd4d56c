/** Label by which a namespace or a pod takes part: `warn`, `mutate`, or `off` for a pod in a namespace that does. */
export const ADMISSION_LABEL = 'septet.io/admission'
/** Annotation of a pod that asks for a whole GPU and would do with so much of its memory: `10Gi`. */
export const GPU_MEMORY = 'septet.io/gpu-memory'
/** Annotation that says what was changed, from what, and how to opt out. */
export const ADMISSION_NOTE = 'septet.io/admission-changed'

/** `warn`: whoever creates the pod is told of a smaller size; `mutate`: it is given where that is allowed. */
export type AdmissionMode = 'warn' | 'mutate'

/** What a pod's own label says, else what was said for its namespace; undefined: nobody asked for anything. */
export function admissionMode(
  labels: Readonly<Record<string, string>>,
  ofNamespace: AdmissionMode,
): AdmissionMode | undefined {
  if (!Object.hasOwn(labels, ADMISSION_LABEL)) return ofNamespace
  const own = labels[ADMISSION_LABEL]
  return own === 'warn' || own === 'mutate' ? own : undefined
}
