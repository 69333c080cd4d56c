/** Id of the fixed figures of the specification: a source that is not a cluster. */
export const SAMPLE_ID = 'sample'
/** The fixed figures of the product's specification, as a source that is not a cluster. */
export const SAMPLE_SOURCE = { id: SAMPLE_ID, name: 'Sample data', kind: 'sample' as const }
/** The head of every answer of sample data: of no time, over no window. */
export const SAMPLE_ANSWERED = { source: SAMPLE_SOURCE, asOf: null, window: null }
