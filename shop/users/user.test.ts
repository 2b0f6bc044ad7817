import { expect, test } from 'vitest'
import { z } from 'zod'
import { loginForm, registrationForm } from './user.ts'

function errors(form: z.ZodType, typed: object) {
  const result = form.safeParse(typed)
  return result.success ? {} : z.flattenError(result.error).fieldErrors
}

test('login asks for both fields in the requirement’s words', () => {
  expect(errors(loginForm, { email: '', password: '' })).toMatchObject({
    email: ['Email is required', 'Provide a valid email'],
    password: ['Password is required', 'Must be 6 characters or longer'],
  })
  expect(errors(loginForm, { email: 'ada', password: '12345' })).toEqual({
    email: ['Provide a valid email'],
    password: ['Must be 6 characters or longer'],
  })
})

test('real addresses are accepted', () => {
  for (const email of ['a.b@c.co.uk', 'x@y.info', ' Ada+shop@Example.com ']) {
    expect(errors(loginForm, { email, password: '123456' }), email).toEqual({})
  }
})

test('an endless address is refused', () => {
  expect(errors(loginForm, { email: `${'a'.repeat(100_000)}@`, password: '123456' })).toHaveProperty('email')
})

test('registration says what is missing in the requirement’s words', () => {
  const messages = errors(registrationForm, {
    name: ' ',
    email: 'ada@',
    password: '12345',
    confirmPassword: '',
  })
  expect(messages).toMatchObject({
    name: ['Name is required'],
    email: ['Please provide a valid email...'],
    password: ['Password required Minimum 6 characters...'],
    confirmPassword: ['Confirm Password is required'],
  })
})

test('two different passwords are told under the second, whatever else is wrong', () => {
  const typed = { name: '', email: 'ada@example.com', password: '123456', confirmPassword: '1234567' }
  expect(errors(registrationForm, typed)).toMatchObject({
    name: ['Name is required'],
    confirmPassword: ['Your Password did not matched!'],
  })
})
