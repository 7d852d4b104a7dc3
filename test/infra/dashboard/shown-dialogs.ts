import type { Page } from 'playwright-core';

const DOMAINS = '/staging/projects/petstore/domains';
const PETS = 'Actions for pets.example.com';
const ACME = 'Actions for the key Acme';

/** A button or an item of a menu by its name, or a field and what is entered there. */
type Step = string | readonly [field: string, text: string];

/** Every dialog and menu by the name of its picture: where it is, and what opens it. */
export const DIALOGS: Readonly<Record<string, readonly [path: string, ...steps: Step[]]>> = {
  'menu-domain': [`${DOMAINS}/pets.example.com`, PETS],
  'menu-records': [`${DOMAINS}/pets.example.com`, 'More formats'],
  move: [`${DOMAINS}/pets.example.com`, PETS, 'Move to another project …'],
  'end-links': [`${DOMAINS}/pets.example.com`, PETS, 'End links …'],
  remove: [`${DOMAINS}/pets.example.com`, PETS, 'Remove …'],
  redirect: [`${DOMAINS}/pets.example.com`, PETS, 'Remove …', 'Redirect instead …'],
  'remove-in-production': ['/production/projects/petstore/domains/pets.example.com', PETS, 'Remove …'],
  'replace-records': [`${DOMAINS}/blog.example.com`, 'Create the records and verify'],
  'add-domain': [DOMAINS, 'Add domain', ['Domain or subdomain', 'example.org']],
  'add-domain-lacking': ['/staging/projects/shop/domains', 'Add domain'],
  'new-project': ['/staging/projects', 'New project'],
  rename: ['/staging/projects/petstore', 'Rename'],
  plan: ['/staging/projects/petstore', 'Change plan'],
  deploy: ['/staging/projects/petstore', 'Record a deploy'],
  'place-order': ['/staging/orders', 'Place order'],
  'approve-order': ['/staging/orders', 'Approve order 482961476313089'],
  'cancel-order': ['/staging/orders', 'Cancel order 482961476313089'],
  'rotate-key': ['/staging/keys', ACME, 'Rotate …'],
  'revoke-key': ['/staging/keys', ACME, 'Revoke …'],
  'key-usage': ['/staging/keys', ACME, 'Usage'],
  'create-key': ['/staging/keys', 'Create key'],
  'new-key': ['/staging/keys', 'Create key', ['Name', 'Acme']],
  palette: ['/staging/projects', 'Go to …'],
  help: ['/staging/projects', 'Help'],
};

/** The dialog or the menu that is open. */
export const OPEN = 'dialog[open], :popover-open';

/** Takes the steps on a page that is at the path of a dialog. */
export async function openDialog(page: Page, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'string') {
      const item = page.getByRole('menuitem', { name: step, exact: true });
      await page.getByRole('button', { name: step, exact: true }).or(item).click();
    } else {
      const [field, text] = step;
      await page.getByRole('textbox', { name: field, exact: true }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByText('What happens next').or(page.getByText('only time')).waitFor();
    }
  }
  await page.locator(OPEN).waitFor();
}
