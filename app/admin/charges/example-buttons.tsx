import { useState } from 'react'
import { Link } from 'react-router'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { type ChargesInput, toChargesInput } from './charges-input.ts'
import { type ChargesExample, chargesExamples } from './examples.ts'

interface Props {
  homeCountry: string
  onChoose: (input: ChargesInput) => void
}

const examples = chargesExamples(`${new Date().getFullYear()}`)

export function ExampleButtons({ homeCountry, onChoose }: Props) {
  const [chosen, setChosen] = useState<ChargesExample>()
  return (
    <section aria-labelledby="examples" className="mb-10 rounded-box bg-base-200 p-4">
      <h2 id="examples" className="text-lg">
        Try an example
      </h2>
      <p className="mt-1 mb-3">
        It replaces what’s in the form. Nothing is charged until you save. Its rates are examples: enter your
        own before you sell.
      </p>
      <div className="flex flex-wrap gap-3">
        {examples.map((example) => (
          <button
            key={example.label}
            type="button"
            className="btn btn-outline btn-sm"
            onClick={() => {
              setChosen(example)
              onChoose(toChargesInput(example.value))
            }}
          >
            {`Fill in ${example.label}`}
          </button>
        ))}
      </div>
      <div role="status">
        {chosen && (
          <p className="mt-3">
            {`${chosen.label} assumes the country ${nameCountry(chosen.country)}`}
            {chosen.country === homeCountry ? (
              ', which is yours.'
            ) : (
              <>
                {`. Yours is ${nameCountry(homeCountry)}: to try this example, change it under `}
                <Link to="/dashboard/settings/company" className="link">
                  Company
                </Link>
                .
              </>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
