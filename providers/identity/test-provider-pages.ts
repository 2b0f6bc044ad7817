import { escapeHtml } from '#shop/emails.ts'
import { providerNames, type SignInProvider } from '#shop/ports.ts'

interface Form {
  name: string
  email: string
  confirmed: boolean
  failure?: string
}

const styles = {
  page: 'margin: 0; color-scheme: light dark; color: light-dark(#1c1917, #f5f5f4); background: light-dark(#f5f5f4, #1c1917); font: 1rem/1.5 system-ui, sans-serif',
  main: 'box-sizing: border-box; max-width: 28rem; margin: 0 auto; padding: 3rem 1rem',
  card: 'padding: 1.5rem; border-radius: 1rem; background: light-dark(#ffffff, #292524); border: 1px solid light-dark(#d6d3d1, #57534e)',
  mode: 'display: inline-block; margin: 0; padding: 0.125rem 0.75rem; border-radius: 1rem; font-weight: 600; font-size: 0.875rem; color: #1c1917; background: #fcd34d',
  heading: 'margin: 0.75rem 0; font-size: 1.5rem; line-height: 1.25',
  text: 'margin: 0 0 1.25rem',
  failure: 'margin: 0 0 1rem; color: light-dark(#b91c1c, #fca5a5)',
  label: 'display: block; margin: 0 0 1rem; font-weight: 600',
  field:
    'box-sizing: border-box; display: block; width: 100%; margin-top: 0.25rem; padding: 0.625rem 0.75rem; border: 1px solid light-dark(#78716c, #a8a29e); border-radius: 0.5rem; color: inherit; background: light-dark(#ffffff, #1c1917); font: inherit; font-weight: 400',
  tick: 'display: flex; gap: 0.625rem; align-items: center; margin: 0 0 1.5rem',
  box: 'width: 1.25rem; height: 1.25rem; margin: 0; flex: none',
  buttons: 'display: flex; flex-wrap: wrap; gap: 0.75rem',
  primary:
    'flex: 1 1 8rem; min-height: 2.75rem; border: 1px solid #c43c14; border-radius: 0.5rem; color: #ffffff; background: #c43c14; font: inherit; font-weight: 600; cursor: pointer',
  secondary:
    'flex: 1 1 8rem; min-height: 2.75rem; border: 1px solid light-dark(#78716c, #a8a29e); border-radius: 0.5rem; color: inherit; background: transparent; font: inherit; font-weight: 600; cursor: pointer',
}

export function consentPage(provider: SignInProvider, { name, email, confirmed, failure }: Form): string {
  const providerName = providerNames[provider]
  return page(
    `Continue with ${providerName}`,
    [
      `<p style="${styles.text}">This test page replaces ${providerName}. Nothing is sent to ${providerName}, so enter any name and email.</p>`,
      '<form method="post">',
      failure ? `<p role="alert" style="${styles.failure}">${escapeHtml(failure)}</p>` : '',
      `<label style="${styles.label}">Name<input name="name" autocomplete="off" value="${escapeHtml(name)}" style="${styles.field}"></label>`,
      `<label style="${styles.label}">Email<input name="email" inputmode="email" autocomplete="off" value="${escapeHtml(email)}" style="${styles.field}"></label>`,
      `<label style="${styles.tick}"><input type="checkbox" name="confirmed"${confirmed ? ' checked' : ''} style="${styles.box}"><span>${providerName} has confirmed this address</span></label>`,
      `<div style="${styles.buttons}">`,
      `<button name="choice" value="continue" style="${styles.primary}">Continue</button>`,
      `<button name="choice" value="cancel" style="${styles.secondary}">Cancel</button>`,
      '</div>',
      '</form>',
    ].join('\n'),
  )
}

export function invalidRequestPage(provider: SignInProvider): string {
  const message = `This test page replaces ${providerNames[provider]} and opens only from the login and registration pages.`
  return page(
    'Start again',
    `<p style="${styles.text}">${message}</p>\n<a href="/login" style="color: inherit">Go to the login page</a>`,
  )
}

function page(title: string, content: string) {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex">',
    `<title>${title} (test mode)</title>`,
    '</head>',
    `<body style="${styles.page}">`,
    `<main style="${styles.main}">`,
    `<div style="${styles.card}">`,
    `<p style="${styles.mode}">Test mode</p>`,
    `<h1 style="${styles.heading}">${title}</h1>`,
    content,
    '</div>',
    '</main>',
    '</body>',
    '</html>',
  ].join('\n')
}
