/** Whether an error says that the database does not answer. */
export const isStoreAway = (error: unknown): boolean => error instanceof Error && error.name === 'StoreError'
