// In a file of its own, since light pages say it too.

/** What to say when no answer came at all. */
export const unreachable = 'The shop cannot be reached. Please check your connection and try again.'

/** What to say when the answer did not come in time. */
export const timedOut = 'The shop takes too long to answer. Please try again.'
