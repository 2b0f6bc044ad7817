/** What to say when no answer came at all. In a file of its own, since light pages say it too. */
export const unreachable = 'The shop cannot be reached. Please check your connection and try again.'
