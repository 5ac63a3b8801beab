/** @returns how to make the map again what it is now */
export function keepMap<K, V>(map: Map<K, V>): () => void {
  const entries = [...map];
  return () => {
    map.clear();
    for (const [key, value] of entries) map.set(key, value);
  };
}
