import { shiftClock } from './shift-clock.ts'

/**
 * Loaded before a program (`node --import`): its clock, and that of its children, is ahead by so many milliseconds, so that
 * hours pass for it between two starts and not within one.
 */
const ahead = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)
shiftClock(() => ahead)
