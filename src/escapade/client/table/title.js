// @ts-check
/** The tab's title and icon show when it is the player's turn. */

const ICON = '/client/icon.svg';
const CALL = `data:image/svg+xml,${
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#0f161b"/>' +
      '<circle cx="16" cy="16" r="10" fill="#e9bb5f"/></svg>',
  )
}`;

/** @param {string} call whose turn it is, if it is somebody's here @param {string} what what is played */
export function tellTurn(call, what) {
  const place = what ? `${what} · Escapade` : 'Escapade';
  document.title = call ? `● ${call} · ${place}` : place;
  const icon = document.querySelector('link[rel="icon"]'), href = call ? CALL : ICON;
  if (icon?.getAttribute('href') !== href) icon?.setAttribute('href', href);
}
