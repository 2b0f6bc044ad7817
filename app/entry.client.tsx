import './jitless-zod.ts'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { continueToWishedAddress, rememberWishedAddress } from '#app/browser/failed-imports.ts'
import { noticeFilledFields } from '#app/browser/filled-fields.ts'
import { guardRestoredPages } from '#app/browser/restored-page.ts'
import { keepTranslatedTexts } from '#app/browser/translation.ts'
import { rememberTyped, restoreStored } from '#app/browser/typed-fields.ts'
import { setCurrency } from '#shop/money.ts'

setCurrency(document.querySelector<HTMLMetaElement>('meta[name=currency]')?.content ?? 'USD')
guardRestoredPages()
keepTranslatedTexts()
rememberWishedAddress()
noticeFilledFields()
if (!continueToWishedAddress()) startShop()

function startShop() {
  const restoreTyped = rememberTyped()
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
      // When React could not take over the server's page, and has rendered its own.
      { onRecoverableError: restoreTyped },
    )
  })
  restoreStored()
}
