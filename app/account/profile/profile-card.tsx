import type { ReactNode } from 'react'
import { PersonPicture } from '#app/account/person-picture.tsx'
import type { Session } from '#app/auth/session.ts'
import { isHttps } from '#shop/fields.ts'
import { EditableName } from './name-form.tsx'

interface Props {
  session: Session
  email: string
  /** What the form holds. */
  values: Record<'education' | 'address' | 'phoneNumber' | 'linkedIn', string>
  isSaved: boolean
  onChangePhoto: () => void
}

export function ProfileCard({ session, email, values, isSaved, onChangePhoto }: Props) {
  const { education, address, phoneNumber, linkedIn } = values
  return (
    <section className="rounded-box border border-base-300 p-5 xl:sticky xl:top-6 xl:order-last">
      <div className="flex items-start gap-4">
        <PersonPicture src={session.photoURL} size={64} />
        <EditableName session={session} email={email}>
          <button type="button" className="link text-sm" onClick={onChangePhoto}>
            {session.photoURL ? 'Change photo' : 'Add photo'}
          </button>
        </EditableName>
      </div>
      <p className="mt-3 text-sm wrap-anywhere text-base-content/75">{email}</p>
      <dl className="mt-3 text-sm">
        <Fact term="Education">{education}</Fact>
        <Fact term="Address">{address}</Fact>
        <Fact term="PhoneNumber">{phoneNumber}</Fact>
        <Fact term="LinkedIn">{linkedIn && <ExternalLink url={linkedIn} />}</Fact>
      </dl>
      {!isSaved && <p className="mt-2 text-sm font-medium">Not saved yet</p>}
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-4 border-t border-base-300 py-1.5">
      <dt className="text-base-content/75">{term}</dt>
      <dd className={`wrap-anywhere ${children ? 'font-medium' : 'text-base-content/75'}`}>
        {children || 'Not added yet'}
      </dd>
    </div>
  )
}

/** Anything but an https URL stays plain text, against `javascript:` links. */
function ExternalLink({ url }: { url: string }) {
  if (!isHttps(url)) return url
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="link">
      {url.replace('https://', '')}
    </a>
  )
}
