import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'apps/**/*.test.tsx', 'test/**/*.test.ts'],
    // Generous: a slow machine is no failure, and no test asserts a time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
