// xterm.js writes its colours into <style> elements, which the page's Content-Security-Policy
// forbids; constructed style sheets are allowed.

// In place of a <style>: passes its text on.
function sheetElement(owner: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = owner.createElement('span');
  element.hidden = true;
  owner.adoptedStyleSheets = [...owner.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set: (text: string) => sheet.replaceSync(text),
  });
  Object.defineProperty(element, 'remove', {
    value: () => {
      owner.adoptedStyleSheets = owner.adoptedStyleSheets.filter((one) => one !== sheet);
      HTMLElement.prototype.remove.call(element);
    },
  });
  return element;
}

// While `work` runs, and no longer, <style> elements of this document are such. xterm.js can be
// given another document, but forgets it for its scroll bar.
export function withConstructedStyles(owner: Document, work: () => void): void {
  const plain = owner.createElement.bind(owner);
  const create = (name: string, options?: ElementCreationOptions) =>
    name === 'style' ? sheetElement(owner) : plain(name, options);
  owner.createElement = create as Document['createElement'];
  try {
    work();
  } finally {
    Reflect.deleteProperty(owner, 'createElement');
  }
}
