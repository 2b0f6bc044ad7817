import type { ReactNode } from 'react'
import { PersonPicture } from '#app/account/person-picture.tsx'
import type { Session } from '#app/auth/session.ts'
import { isHttps } from '#shop/fields.ts'
import type { Profile } from '#shop/profiles/profile.ts'

interface Props {
  session: Session
  profile: Profile
}

export function ProfileCard({ session, profile }: Props) {
  const { education, address, phoneNumber, linkedIn } = profile
  return (
    <section className="rounded-box border border-base-300 p-5">
      <div className="flex items-center gap-4">
        <PersonPicture src={session.photoURL} size={64} />
        <h2 className="min-w-0 text-lg">{session.name}</h2>
      </div>
      <p className="mt-3 text-sm text-base-content/75">{profile.email}</p>
      <dl className="mt-3 text-sm">
        <Fact term="Education">{education}</Fact>
        <Fact term="Address">{address}</Fact>
        <Fact term="PhoneNumber">{phoneNumber}</Fact>
        <Fact term="LinkedIn">{linkedIn && <ExternalLink url={linkedIn} />}</Fact>
      </dl>
    </section>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_1fr] gap-4 border-t border-base-300 py-2">
      <dt className="text-base-content/75">{term}</dt>
      <dd className={children ? 'font-medium' : 'text-base-content/75'}>{children || 'Not added yet'}</dd>
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
