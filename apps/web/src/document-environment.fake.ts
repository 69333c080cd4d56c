import { builtinEnvironments, type Environment } from 'vitest/runtime'

/** A document without a browser, beside which code of the server runs as it does in production. */
const environment: Environment = { ...builtinEnvironments.jsdom, name: 'document', viteEnvironment: 'ssr' }
// oxlint-disable-next-line import/no-default-export -- Vitest takes an environment by its default export
export default environment
