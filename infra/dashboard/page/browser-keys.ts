/**
 * The keys that this browser is known by, also after the server was started again. No script can read the private one, not
 * even that of another program which gets the port.
 */
export async function browserKeys(): Promise<CryptoKeyPair> {
  const fresh = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  try {
    const opening = indexedDB.open('dashboard');
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
    const database = await resultOf(opening);
    const store = database.transaction('keys', 'readwrite').objectStore('keys');
    const kept: CryptoKeyPair | undefined = await resultOf(store.get('pair'));
    if (!kept) await resultOf(store.put(fresh, 'pair'));
    database.close();
    return kept ?? fresh;
  } catch {
    // A browser that stores nothing is signed in until the server ends.
    return fresh;
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
