import type { ComponentType } from 'react'

/** The parts of the site that become interactive. Each is a chunk of its own, loaded when its place on the page needs it. */
export const ISLANDS = {
  copyCommand: async () => (await import('./islands/CopyCommand.tsx')).CopyCommand,
  hero: async () => (await import('./islands/Hero.tsx')).Hero,
  themeSwitch: async () => (await import('./islands/ThemeSwitch.tsx')).ThemeSwitch,
  copilotDemo: async () => (await import('./islands/CopilotDemo.tsx')).CopilotDemo,
  partitionExplorer: async () => (await import('./islands/PartitionExplorer.tsx')).PartitionExplorer,
  planLoop: async () => (await import('./islands/PlanLoop.tsx')).PlanLoop,
  typingDemo: async () => (await import('./islands/TypingDemo.tsx')).TypingDemo,
} satisfies Record<string, () => Promise<ComponentType<never>>>

export type IslandName = keyof typeof ISLANDS

/** Any of them, where the name is known only when it runs. */
// oxlint-disable-next-line typescript/no-explicit-any -- each has props of its own, which `Island` checks by name
export type IslandComponent = ComponentType<any>

export type LoadIsland = () => Promise<IslandComponent>

/** What an island takes; it travels as JSON in the page, so it is plain data. */
export type IslandProps<Name extends IslandName> =
  Awaited<ReturnType<(typeof ISLANDS)[Name]>> extends ComponentType<infer Props> ? Props : never
