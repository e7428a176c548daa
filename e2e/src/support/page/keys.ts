import { eventually } from '@bomtrail/testkit';
import type { Locator, Page } from 'playwright-core';

/** What the functions that run in the page use of it; the types of browsers contradict those of Node.js. */
interface PageElement {
  tabIndex: number;
  outerHTML: string;
  matches(selector: string): boolean;
  checkVisibility(): boolean;
  compareDocumentPosition(other: PageElement): number;
  getBoundingClientRect(): Record<'top' | 'right' | 'bottom' | 'left' | 'width' | 'height', number>;
}
interface SelectElement {
  options: ArrayLike<{ value: string; textContent: string | null }>;
  selectedIndex: number;
}
declare const document: {
  activeElement: PageElement | null;
  body: PageElement;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
};
declare function getComputedStyle(
  element: PageElement,
): Record<'outlineStyle' | 'outlineWidth', string>;
declare const innerHeight: number;
declare const innerWidth: number;

/** More than any control of a view is away from the last one. */
const mostPresses = 60;
const mostTabs = 10;

/** A person who uses a tab without a mouse. */
export interface Keys {
  press(...keys: string[]): Promise<void>;
  /** Moves the focus to a control with Tab or Shift+Tab. @throws Error if it is lost, cannot be seen, or does not get there */
  reach(control: Locator): Promise<void>;
  activate(control: Locator): Promise<void>;
  /** Replaces the text of a field; a date is written as in Britain, without slashes. */
  write(field: Locator, text: string): Promise<void>;
  /** Chooses by what the choice is called, or its value. */
  choose(field: Locator, choice: string): Promise<void>;
  tick(box: Locator): Promise<void>;
  /** Shows a tab of the view: Tab leads to the chosen one, arrows to the others. */
  show(tab: Locator): Promise<void>;
}

export function keysOf(page: Page): Keys {
  /** A page that was just loaded has no focus yet. */
  let isFresh = true;
  page.on('load', () => {
    isFresh = true;
  });
  const press = async (...keys: string[]) => {
    isFresh = false;
    for (const key of keys) await page.keyboard.press(key);
  };
  const reach = async (control: Locator) => {
    await control.waitFor();
    await isBehindNoDialog(control);
    if (!isFresh) await holdsFocus(page);
    for (let left = mostPresses; left > 0;) {
      const steps = await control.evaluate(stepsTo);
      if (steps === 0) return holdsFocus(page);
      const presses = Math.min(Math.abs(steps), left);
      await press(...Array.from({ length: presses }, () => (steps < 0 ? 'Shift+Tab' : 'Tab')));
      left -= presses;
    }
    throw new Error(`${mostPresses} presses of Tab do not lead to ${String(control)}.`);
  };
  return {
    press,
    reach,
    async activate(control) {
      await reach(control);
      await press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await press('Control+a');
      if (text === '') await press('Delete');
      else await page.keyboard.type(text);
    },
    async choose(field, choice) {
      await reach(field);
      const steps = await field.evaluate(linesTo, choice);
      for (let step = 0; step < Math.abs(steps); step += 1) {
        await press(steps < 0 ? 'ArrowUp' : 'ArrowDown');
      }
      if ((await field.evaluate(linesTo, choice)) !== 0) {
        throw new Error(`The arrows do not choose ${choice}.`);
      }
    },
    async tick(box) {
      await reach(box);
      await press('Space');
    },
    async show(tab) {
      await tab.waitFor();
      await reach(page.getByRole('tab', { selected: true }));
      for (let left = mostTabs; left > 0; left -= 1) {
        if (await tab.evaluate((one) => one === document.activeElement)) return holdsFocus(page);
        await press('ArrowRight');
      }
      throw new Error(`The arrows do not lead to ${String(tab)}.`);
    },
  };
}

/** Waits for dialogs over a control to close: what is behind them is drawn anew before. */
async function isBehindNoDialog(control: Locator): Promise<void> {
  const check = async () => {
    const isInert = await control.evaluate((one: PageElement) => one.matches('[inert], [inert] *'));
    if (isInert) throw new Error(`${String(control)} is behind a dialog.`);
  };
  await eventually(check, { within: 10_000, what: 'the dialog is closed' });
}

/** Waits until the focus is on something that can be seen, with a ring that can be seen. */
export async function holdsFocus(page: Page): Promise<void> {
  const check = async () => {
    const fault = await page.evaluate(faultOfFocus);
    if (fault !== null) throw new Error(fault);
  };
  await eventually(check, { within: 10_000, what: 'the focus can be seen' });
}

/** Runs in the page. */
function faultOfFocus(): string | null {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'The focus is lost to the body.';
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, right, bottom, left, width, height } = element.getBoundingClientRect();
  const shown = element.outerHTML.slice(0, 120);
  if (!element.matches(':focus-visible') || outlineStyle === 'none' || outlineWidth === '0px') {
    return `No ring shows that the focus is on ${shown}`;
  }
  const isOutside = bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
  return isOutside || width * height === 0 ? `The focus cannot be seen on ${shown}` : null;
}

/** Runs in the page: about how often Tab leads to a control, negative: Shift+Tab; 0: it has the focus. */
function stepsTo(control: PageElement): number {
  const at = document.activeElement;
  if (at === control) return 0;
  const inOrder = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const stops = Array.from(document.querySelectorAll(inOrder)).filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility(),
  );
  const following = 4;
  const isBefore = (one: PageElement, other: PageElement) =>
    (one.compareDocumentPosition(other) & following) !== 0;
  const isBack = at !== null && at !== document.body && isBefore(control, at);
  const between = stops.filter(
    (one) => one !== at && (isBack ? !isBefore(one, control) : !isBefore(control, one)),
  );
  const passed = between.filter(
    (one) => !at || at === document.body || (isBack ? isBefore(one, at) : isBefore(at, one)),
  );
  return (isBack ? -1 : 1) * Math.max(passed.length, 1);
}

/** Runs in the page: how far down the choice is from the chosen one. */
function linesTo(field: SelectElement, choice: string): number {
  const { options, selectedIndex } = field;
  const wanted = Array.from(options).findIndex(
    ({ value, textContent }) => value === choice || textContent?.trim() === choice,
  );
  if (wanted < 0) throw new Error(`There is no choice ${choice}.`);
  return wanted - selectedIndex;
}
