// Zod reads this when it loads, and then doesn't try whether the Content Security Policy allows eval.
// Calling z.config() here would load Zod on pages that don't use it.
if (typeof document !== 'undefined') Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
